/**
 * What the scripts of the kinds have in common: each is one file with the elements that a page shows first. `checkout.js`
 * and `subscribe.js` also contain the data that these elements need first. A page loads such a script itself, or with
 * `vezne.js`. If a page loads two scripts for the same kind of elements, the first script defines them and the second
 * does nothing (`scripts/build/page-scripts.ts`).
 */

import {type ElementClass, define, diagnoseMissingFile} from './core/define.ts';
import {joinPage, type ElementKind, type ScriptTag} from './core/script-tag.ts';
import {type Bundle, loadWhenNeeded} from './loader.ts';

interface PageScriptOptions {
  readonly kind: ElementKind;
  /** The data that the Worker has written into the script. */
  readonly data?: Pick<ScriptTag, 'banks' | 'offer' | 'terms'>;
  /** The elements that a page shows first. */
  readonly elements: readonly ElementClass[];
  /** The other elements of the kind. */
  readonly bundles?: readonly Bundle[];
}

const SCRIPT_URL = import.meta.url;

/** Defines the elements of a page script, and loads the other elements of its kind when a page needs them. */
export function startPageScript({kind, data, elements, bundles = []}: PageScriptOptions): void {
  const script = joinPage(SCRIPT_URL);
  script.kinds.add(kind);
  Object.assign(script, data);
  define(...elements);
  loadWhenNeeded(SCRIPT_URL, bundles, diagnoseMissingFile);
}
