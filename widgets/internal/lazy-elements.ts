import type {ElementClass, define} from '../define.ts';
import {Problem} from './problem.ts';
import {Resource} from './resource.ts';

/** Elements that are fetched when they are first shown, and again where that failed. */
export function lazyElements(
  load: () => Promise<{readonly elements: readonly ElementClass[]; readonly define: typeof define}>,
): Resource<boolean> {
  return new Resource(async () => {
    try {
      const family = await load();
      family.define(family.elements);
      return true;
    } catch {
      throw new Problem(navigator.onLine ? 'network' : 'offline', true);
    }
  });
}
