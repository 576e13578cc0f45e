import {outdatedMessages} from '../locales/outdated.ts';
import {withTimeout} from './async.ts';
import {Problem, unreachableProblem} from './problem.ts';
import {FileQuery, type Query} from './query.ts';

/** The class of an element, with its tag name. */
export interface ElementClass extends CustomElementConstructor {
  readonly tag: string;
}

/** Registers elements. Skips a tag that another bundle or the page itself has already registered. */
export function define(...elements: readonly ElementClass[]): void {
  for (const element of elements) {
    if (!customElements.get(element.tag)) customElements.define(element.tag, element);
  }
}

const TIMEOUT_MS = 15_000;

/** A bundle that is fetched when an element first needs it. A failed fetch is retried. */
export function lazyElements<B>(load: () => Promise<B>): Query<B> {
  return new FileQuery(() => loadFile(load));
}

/** Loads a file of a page script. @throws {Problem} */
export function loadFile<B>(load: () => Promise<B>): Promise<B> {
  const loading = load().catch(async () => {
    throw (await diagnoseMissingFile()) ?? unreachableProblem();
  });
  return withTimeout(loading, TIMEOUT_MS, new Problem('timeout', true));
}

// The build replaces it with the digest in the names of the files that a page script loads later. Elsewhere it does not
// exist.
declare const __VEZNE_DIGEST__: string;

/**
 * Finds out whether a file of a page script is missing because the Worker has a newer version now. The request also
 * replaces the script in the browser's cache, so that one reload of the page is enough.
 * @returns The problem to show; undefined if the file is missing for another reason, or belongs to no page script.
 */
async function diagnoseMissingFile(): Promise<Problem | undefined> {
  if (typeof __VEZNE_DIGEST__ === 'undefined') return undefined;
  try {
    // This module is always a part of the page script itself.
    const response = await fetch(import.meta.url, {cache: 'reload'});
    const isOutdated = response.ok && !(await response.text()).includes(__VEZNE_DIGEST__);
    return isOutdated ? new Problem('network', false, 0, outdatedMessages) : undefined;
  } catch {
    return undefined;
  }
}
