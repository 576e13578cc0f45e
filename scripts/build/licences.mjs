// @ts-check
// The licence notices of the packages whose code is in a bundle. Licences such as MIT ask to keep them with the code.

import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {UserError} from '../lib/repo.mjs';

/** The file beside a bundle. */
export const LICENCES_FILE = 'licences.txt';

const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/;
const NOTICE_NAME = /^(?:licen[cs]e|notice|copying)(?:\.|$)/i;

/**
 * @param {Iterable<string>} modules - The absolute paths of all modules in the bundle.
 * @returns {string} All notices; '' if the bundle has only code of this repository.
 */
export function licenceNotices(modules) {
  const folders = new Set([...modules].flatMap((module) => PACKAGE_FOLDER.exec(module) ?? []));
  return [...folders]
    .sort()
    .map(noticeOf)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

/** @param {string} folder */
function noticeOf(folder) {
  /** @type {{name: string, version: string, license: string}} */
  const {name, version, license} = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => NOTICE_NAME.test(file));
  if (files.length === 0) throw new UserError(`${name} is bundled, but has no file with its licence.`);
  const texts = files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim());
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

/**
 * A Vite plugin that writes the notices.
 * @param {{fileName?: string, more?: ReadonlySet<string>}} [options] - `more` has the modules of builds inside this one.
 * @returns {import('vite').Plugin}
 */
export function licences({fileName = LICENCES_FILE, more = new Set()} = {}) {
  return {
    name: 'licences',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
      const source = licenceNotices([...more, ...chunks.flatMap(modulesIn)]);
      if (source) this.emitFile({type: 'asset', fileName, source});
    },
  };
}

/** The modules of which a chunk has any code. @param {import('vite').Rolldown.OutputChunk} chunk */
export const modulesIn = ({modules}) =>
  Object.entries(modules).flatMap(([id, {renderedLength}]) => (renderedLength > 0 ? [id] : []));
