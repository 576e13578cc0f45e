import {withTimeout} from './async.ts';
import {Problem, unreachableProblem} from './problem.ts';
import {Query} from './query.ts';
import {IS_PAGE_SCRIPT} from './script-tag.ts';

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

/** Finds out why a file did not load. @returns The problem to show, if the reason is known. */
type FileDiagnosis = () => Promise<Problem | undefined>;

let diagnoseFile: FileDiagnosis | undefined;

/**
 * A page script calls this function. Its `diagnosis` finds out whether a newer version of the Worker has replaced the
 * script, so that the files of the old script no longer exist.
 */
export function setFileDiagnosis(diagnosis: FileDiagnosis): void {
  diagnoseFile = diagnosis;
}

/** A bundle that is fetched when an element first needs it. A failed fetch is retried. */
export function lazyElements<B>(load: () => Promise<B>): Query<B> {
  return new Query(async () => {
    try {
      return await withTimeout(load(), TIMEOUT_MS, new Problem('timeout', true));
    } catch (thrown) {
      throw thrown instanceof Problem ? thrown : (IS_PAGE_SCRIPT && (await diagnoseFile?.())) || unreachableProblem();
    }
  });
}
