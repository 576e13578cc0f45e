import type {ReactiveElement} from 'lit';

/** What is left of Lit's properties (`scripts/build/lit-cuts.ts`): text, or a flag. */
interface Declaration {
  /** Where the attribute is not the name in lower case. */
  readonly attribute?: string;
  readonly type?: BooleanConstructor;
}

/**
 * Lit's `property` decorator, for legacy decorators alone: the one Lit ships also carries the standard kind, which
 * the compiler here does not emit, and a page would load it for nothing.
 */
export function property(options?: Declaration) {
  return (prototype: ReactiveElement, name: string): void => {
    (prototype.constructor as typeof ReactiveElement).createProperty(name, options);
  };
}
