import {inTime} from './async.ts';
import {Problem, unreachable} from './problem.ts';
import {Resource} from './query.ts';

/** A class that says under which name it works. */
export interface ElementClass extends CustomElementConstructor {
  readonly tag: string;
}

/** Registers elements. Names that are taken stay as they are, whoever took them. */
export function define(elements: readonly ElementClass[]): void {
  for (const element of elements) {
    if (!customElements.get(element.tag)) customElements.define(element.tag, element);
  }
}

const DEADLINE_MS = 15_000;

/** What a file of elements brings. */
interface Family {
  readonly elements: readonly ElementClass[];
  readonly define: typeof define;
}

/** Elements that are fetched when they are first shown, and again where that failed. */
export function lazyElements<F extends Family>(load: () => Promise<F>): Resource<F> {
  return new Resource(async () => {
    try {
      const family = await inTime(load(), DEADLINE_MS, new Problem('timeout', true));
      family.define(family.elements);
      return family;
    } catch (thrown) {
      throw thrown instanceof Problem ? thrown : unreachable();
    }
  });
}
