/**
 * What `checkout.js` and `subscribe.js` have in common: each is one file with the elements that a page shows first, and
 * with the data that these elements need first. A page loads a page script in place of `vezne.js` or beside it. If a
 * page loads two scripts for the same kind of elements, the first script defines them and the second does nothing
 * (`scripts/build/page-scripts.ts`).
 */

import {type ElementClass, define, diagnoseMissingFile} from './core/define.ts';
import {SCRIPT_TAG, type ScriptTag} from './core/script-tag.ts';
import {ProblemEvent} from './core/vezne-element.ts';
import {type Bundle, type ElementKind, RETRY_MS, watchPage} from './loader.ts';

interface PageScriptOptions {
  readonly kind: ElementKind;
  /** The data that the Worker has written into the script. */
  readonly data: Pick<ScriptTag, 'banks' | 'offer' | 'terms'>;
  /** The elements that a page shows first. */
  readonly elements: readonly ElementClass[];
  /** The other elements of the kind. */
  readonly bundles: readonly Bundle[];
}

const SCRIPT_URL = import.meta.url;

/** Defines the elements of a page script, and loads the other elements of its kind when a page needs them. */
export function startPageScript({kind, data, elements, bundles}: PageScriptOptions): void {
  const page = globalThis as {[SCRIPT_TAG]?: ScriptTag};
  const script = (page[SCRIPT_TAG] ??= {api: new URL('.', SCRIPT_URL).href, kinds: new Set()});
  script.kinds?.add(kind);
  Object.assign(script, data);
  define(...elements);

  const pending = new Set(bundles);
  const loadNeeded = () => {
    for (const bundle of pending) {
      const element = document.querySelector(bundle.tags);
      if (!element) continue;
      pending.delete(bundle);
      bundle.load().catch(() => {
        element.dispatchEvent(new ProblemEvent({code: 'network', retryable: true}));
        void diagnoseMissingFile();
        setTimeout(() => {
          pending.add(bundle);
          loadNeeded();
        }, RETRY_MS);
      });
    }
  };
  watchPage(loadNeeded);
}
