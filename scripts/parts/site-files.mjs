// @ts-check
// The files of a built site with the headers that Cloudflare's assets would give them: types by name, and what `_headers` says.

import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';

/** @typedef {{path: string, etag: string, headers: Record<string, string>}} SiteFile */

/** @type {Readonly<Record<string, string>>} */
const TYPES = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** @param {string} folder @returns {Record<string, SiteFile>} By the path they are asked for. */
export function siteFiles(folder) {
  const names = readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map(({parentPath, name}) => path.relative(folder, path.join(parentPath, name)).split(path.sep).join('/'))
    .filter((name) => name !== '_headers')
    .sort();
  const rules = readRules(readFileSync(path.join(folder, '_headers'), 'utf8'));
  return Object.fromEntries(names.map((name) => [`/${name}`, describe(folder, name, rules)]));
}

/** @param {string} folder @param {string} name @param {Rule[]} rules @returns {SiteFile} */
function describe(folder, name, rules) {
  const etag = `"${createHash('sha256')
    .update(readFileSync(path.join(folder, name)))
    .digest('hex')
    .slice(0, 32)}"`;
  const ruled = rules.filter(({matches}) => matches(`/${name}`)).map(({headers}) => headers);
  const type = TYPES[path.extname(name)] ?? 'application/octet-stream';
  return {
    path: name,
    etag,
    headers: Object.assign({'content-type': type, 'cache-control': 'public, max-age=0, must-revalidate'}, ...ruled),
  };
}

/** @typedef {{matches: (pathname: string) => boolean, headers: Record<string, string>}} Rule */

/** Paths begin a line, their headers stand below them; `*` at a path's end is anything. @param {string} text @returns {Rule[]} */
function readRules(text) {
  /** @type {Rule[]} */
  const rules = [];
  for (const line of text.split('\n')) {
    const [, name, value] = /^\s+([\w-]+):\s*(.*)$/.exec(line) ?? [];
    const last = rules.at(-1);
    if (name && last) last.headers[name.toLowerCase()] = value ?? '';
    else if (line.startsWith('/')) {
      const pattern = line.trim();
      const start = pattern.replace(/\*$/, '');
      rules.push({
        matches: (pathname) => (start === pattern ? pathname === pattern : pathname.startsWith(start)),
        headers: {},
      });
    }
  }
  return rules;
}
