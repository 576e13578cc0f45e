import type {Problem, ProblemCode} from './problem.ts';

/** What the events of all elements have in common: they bubble, also out of the shadow they began in. */
export abstract class VezneEvent extends Event {
  constructor(type: string) {
    super(type, {bubbles: true, composed: true});
  }
}

/** Something could not be done. The element says so itself; the page may do more. */
export class ProblemEvent extends VezneEvent {
  /** The Worker's code, or `offline`, `network`, `timeout`, `unreadable`. */
  readonly code: ProblemCode;
  /** Whether it may succeed later without anything being changed; the element then tries by itself. */
  readonly retryable: boolean;
  constructor({code, retryable}: Pick<Problem, 'code' | 'retryable'>) {
    super('vezne-error');
    this.code = code;
    this.retryable = retryable;
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-error': ProblemEvent;
  }
}
