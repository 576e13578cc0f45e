/**
 * A Vite plugin that copies the files of each release in `releases/` into the site. `/vezne/releases.json` lists the
 * releases with the digests of their files.
 */

import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import type {Plugin} from 'vite';
import {version} from './assets.ts';

export interface Release {
  readonly version: string;
  readonly date: string;
  /** The digest of each file for the attribute `integrity`, by the file's path in `/vezne/<version>/`. */
  readonly files: Readonly<Record<string, string>>;
}

const RELEASES = resolve(import.meta.dirname, '../../releases');
export const integrityOf = (content: string | Buffer) =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`;

/** All releases, the newest first. */
function readReleases(): readonly Release[] {
  return readdirSync(RELEASES)
    .sort((a, b) => b.localeCompare(a, 'en', {numeric: true}))
    .map((name) => JSON.parse(readFileSync(join(RELEASES, name, 'release.json'), 'utf8')) as Release);
}

/** @throws If the file is not as released: pages with its digest would refuse it. */
function readReleased(release: Release, file: string): Buffer {
  const content = readFileSync(join(RELEASES, release.version, file));
  if (integrityOf(content) !== release.files[file])
    throw new Error(`releases/${release.version}/${file} was changed. A released file never changes: restore it.`);
  return content;
}

export function releases(): Plugin {
  return {
    name: 'releases',
    generateBundle(_options, bundle) {
      const all = readReleases();
      for (const release of all) {
        for (const file of Object.keys(release.files)) {
          const fileName = `vezne/${release.version}/${file}`;
          const source = readReleased(release, file);
          // This build has the same file if nothing has changed since the release.
          if (!(fileName in bundle)) this.emitFile({type: 'asset', fileName, source});
        }
      }
      const source = `${JSON.stringify({current: version, releases: all}, null, 1)}\n`;
      this.emitFile({type: 'asset', fileName: 'vezne/releases.json', source});
    },
  };
}
