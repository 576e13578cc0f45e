/**
 * What the scripts of the kinds have in common: each is one file with the elements that a page shows first. `checkout.js`
 * and `subscribe.js` also contain the data that these elements need first. A page loads such a script itself, or with
 * `vezne.js`. If a page loads two scripts for the same kind of elements, the first script defines them and the second
 * does nothing (`scripts/build/hand-over.ts`).
 */

import {type ElementClass, define, loadFile} from './core/define.ts';
import {joinPage, type ScriptName, type ScriptTag} from './core/script-tag.ts';
import {loadWhenNeeded} from './loader.ts';

const SCRIPT_URL = import.meta.url;

/**
 * Loads the script of the tracker, which is beside the page's script. If the page has a tag of it too, both are the same
 * module. The name is no literal, so that the build does not look for the file.
 */
// oxlint-disable-next-line no-useless-concat -- the build resolves a literal
export const loadTracker = () => import(/* @vite-ignore */ './activity' + '.js');

/**
 * Defines the elements that a page shows first, and loads the other elements when a page needs them.
 * @param later - The files of the other elements, by the tags of these elements.
 */
export function startPageScript(
  name: ScriptName,
  elements: readonly ElementClass[],
  later: Parameters<typeof loadWhenNeeded<() => Promise<unknown>>>[0],
  data: Pick<ScriptTag, 'banks' | 'offer' | 'terms'>,
): void {
  const script = joinPage(SCRIPT_URL);
  const start = (isAll: boolean) => loadWhenNeeded(later, loadFile, isAll);
  script.scripts.set(name, start);
  // The elements call the Worker of the page's first script, so they must not show data of another Worker.
  if (SCRIPT_URL.startsWith(script.api)) Object.assign(script, data);
  define(...elements);
  start(/[?&#]all\b/.test(SCRIPT_URL));
}
