/**
 * A Vite plugin that lists the files which a release keeps, with their digests, in `vezne/<version>/release.json`, and
 * adds the files of earlier releases: those in `releases/`, if the folder exists, and in the folder that VEZNE_RELEASES
 * names. `vezne/releases.json` lists all of them.
 */

import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import process from 'node:process';
import type {Plugin, Rolldown} from 'vite';
import {version} from './assets.ts';

interface Release {
  readonly version: string;
  /** The digest of each file for the attribute `integrity`, by the file's path in `/vezne/<version>/`. */
  readonly files: Readonly<Record<string, string>>;
}

const FOLDERS = [resolve(import.meta.dirname, '../../releases'), process.env['VEZNE_RELEASES'] ?? ''];

const integrityOf = (content: string | Uint8Array) => `sha384-${createHash('sha384').update(content).digest('base64')}`;

/** All releases, with their folders. */
const readReleases = (): readonly {readonly folder: string; readonly release: Release}[] =>
  FOLDERS.filter((folder) => existsSync(folder)).flatMap((folder) =>
    readdirSync(folder).map((name) => ({
      folder: join(folder, name),
      release: JSON.parse(readFileSync(join(folder, name, 'release.json'), 'utf8')) as Release,
    })),
  );

/** The files of this version that a release keeps: all but the templates, which only the Worker of this version reads. */
function ownRelease(bundle: Rolldown.OutputBundle): Release {
  const folder = `vezne/${version}/`;
  const files = Object.values(bundle).flatMap((file) =>
    file.type === 'asset' && file.fileName.startsWith(folder) && !file.fileName.startsWith(`${folder}single/`)
      ? [[file.fileName.slice(folder.length), integrityOf(file.source)] as const]
      : [],
  );
  return {version, files: Object.fromEntries(files.sort(([a], [b]) => a.localeCompare(b)))};
}

export function releases(): Plugin {
  return {
    name: 'releases',
    generateBundle(_options, bundle) {
      const emit = (fileName: string, source: string | Buffer) => {
        // A released file never changes. If this version is released, its files replace those of this build.
        const built = bundle[fileName];
        if (built?.type === 'asset') built.source = source;
        else this.emitFile({type: 'asset', fileName, source});
      };
      const emitJson = (fileName: string, content: object) => emit(fileName, `${JSON.stringify(content, null, 1)}\n`);
      const kept = readReleases();
      for (const {folder, release} of kept) {
        for (const [file, integrity] of Object.entries(release.files)) {
          const content = readFileSync(join(folder, file));
          if (integrityOf(content) !== integrity)
            this.error(`${join(folder, file)} was changed. Pages refuse it: restore it.`);
          emit(`vezne/${release.version}/${file}`, content);
        }
        emitJson(`vezne/${release.version}/release.json`, release);
      }
      const all = kept.map(({release}) => release);
      if (!all.some((release) => release.version === version)) {
        const own = ownRelease(bundle);
        emitJson(`vezne/${version}/release.json`, own);
        all.push(own);
      }
      all.sort((a, b) => b.version.localeCompare(a.version, 'en', {numeric: true}));
      emitJson('vezne/releases.json', {current: version, releases: all});
    },
  };
}
