/** Writes the files of a release: `write-release.ts <folder> <date>`. */

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import process from 'node:process';
import {version} from './assets.ts';
import {releaseFiles} from './page-scripts.ts';
import {integrityOf, type Release} from './releases.ts';

const [, , folder = '', date = ''] = process.argv;
const license = readFileSync(new URL('../../node_modules/lit/LICENSE', import.meta.url), 'utf8');
const files = [...(await releaseFiles()), ['lit-licence.txt', license] as const].sort(([a], [b]) => a.localeCompare(b));
const digests = Object.fromEntries(files.map(([file, content]) => [file, integrityOf(content)]));
for (const [file, content] of [
  ...files,
  ['release.json', `${JSON.stringify({version, date, files: digests} satisfies Release, null, 1)}\n`] as const,
]) {
  mkdirSync(dirname(join(folder, file)), {recursive: true});
  writeFileSync(join(folder, file), content);
}
