/** Reads which release of a script a page can pin. */

import type {Script} from './elements.ts';
import type {Pin} from './snippet.ts';

interface Releases {
  readonly current: string;
  readonly releases: readonly {readonly version: string; readonly files: Readonly<Record<string, string>>}[];
}

let releases: Promise<Releases> | undefined;

/** The current release of a script; undefined if the Worker has none. */
export async function readPin(script: Script): Promise<Pin | undefined> {
  try {
    releases ??= fetch('/vezne/releases.json').then((answer) => answer.json() as Promise<Releases>);
    const {current, releases: all} = await releases;
    const integrity = all.find(({version}) => version === current)?.files[`${script}.js`];
    return integrity === undefined ? undefined : {version: current, integrity};
  } catch {
    return undefined;
  }
}
