/** The faults that `npm run sim -- --mutations` plants. */

import {readFileSync} from 'node:fs';
import type {Edit} from './world.ts';

/** The faults to plant. Each has a file and a name, lines of the file and the lines that replace them. */
export function mutations(): {readonly name: string; readonly edit: Edit}[] {
  const patches = readFileSync(new URL('mutations.diff', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n\n');
  return patches.map((patch) => {
    const [title = '', ...lines] = patch.split('\n');
    const [file = '', name = ''] = title.split(': ');
    const side = (sign: string) => lines.flatMap((line) => (line.startsWith(sign) ? line.slice(1) : [])).join('\n');
    return {name, edit: {file, find: side('-'), replace: side('+')}};
  });
}
