import type {PropertyDeclaration, ReactiveElement} from 'lit';

/**
 * Lit's `property` decorator, for legacy decorators alone: the one Lit ships also carries the standard kind, which
 * the compiler here does not emit, and a page would load it for nothing.
 */
export function property(options?: PropertyDeclaration) {
  return (prototype: ReactiveElement, name: string): void => {
    (prototype.constructor as typeof ReactiveElement).createProperty(name, options);
  };
}
