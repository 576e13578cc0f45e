import {withTimeout} from './async.ts';
import {Problem, unreachableProblem} from './problem.ts';
import {Query} from './query.ts';

/** A class that says under which name it works. */
interface ElementClass extends CustomElementConstructor {
  readonly tag: string;
}

/** Registers elements. Names that are taken stay as they are, whoever took them. */
export function define(...elements: readonly ElementClass[]): void {
  for (const element of elements) {
    if (!customElements.get(element.tag)) customElements.define(element.tag, element);
  }
}

const DEADLINE_MS = 15_000;

/** A bundle of elements that is fetched when they are first shown, and again where that failed. */
export function lazyElements<B>(load: () => Promise<B>): Query<B> {
  return new Query(async () => {
    try {
      return await withTimeout(load(), DEADLINE_MS, new Problem('timeout', true));
    } catch (thrown) {
      throw thrown instanceof Problem ? thrown : unreachableProblem();
    }
  });
}
