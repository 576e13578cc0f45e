import type {ElementClass, define} from '../define.ts';
import {Problem} from './problem.ts';
import {Resource} from './resource.ts';

/** What a file of elements brings. */
interface Family {
  readonly elements: readonly ElementClass[];
  readonly define: typeof define;
}

/** Elements that are fetched when they are first shown, and again where that failed. */
export function lazyElements<F extends Family>(load: () => Promise<F>): Resource<F> {
  return new Resource(async () => {
    try {
      const family = await load();
      family.define(family.elements);
      return family;
    } catch {
      throw new Problem(navigator.onLine ? 'network' : 'offline', true);
    }
  });
}
