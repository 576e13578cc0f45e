/**
 * With a sandbox, `checkout.js` and `subscribe.js` load this file: it names in the console the elements of the page that are
 * misspelt, and those that no script of the page defines when all have run.
 */

import {ELEMENT_SCRIPTS} from '../worker/contract/readers/element-scripts.ts';
import type {ScriptName, ScriptTag} from './core/script-tag.ts';

const known: Readonly<Record<string, ScriptName | undefined>> = ELEMENT_SCRIPTS;
/** The script that loads this file has created it. The build must not share a module with other files. */
const {scripts} = (globalThis as unknown as Readonly<Record<symbol, ScriptTag>>)[Symbol.for('vezne')] as ScriptTag;

const undefinedTags = () => new Set([...document.querySelectorAll(':not(:defined)')].map(({localName}) => localName));

const tell = (text: string) => console.error(`Vezne: ${text}`);

function check(): void {
  for (const tag of undefinedTags()) {
    const script = known[tag];
    if (!script && tag.startsWith('vezne-'))
      tell(`there is no element ${tag}. There are ${Object.keys(known).join(', ')}.`);
    // The other scripts load that of the tracker.
    if (script && script !== 'activity' && !scripts.has('vezne') && !scripts.has(script))
      tell(`no script of this page defines ${tag}. Add ${script}.js, or vezne.js.`);
  }
}

if (document.readyState === 'complete') check();
else addEventListener('load', check);
