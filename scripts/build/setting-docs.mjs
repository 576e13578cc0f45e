// @ts-check
// Writes the tables of settings and secrets in docs/deploy.md from the table of settings.

import {UserError} from '../lib/repo.mjs';

/**
 * What this file reads of a row.
 * @typedef {object} Setting
 * @property {string} [kind]
 * @property {boolean} [rotates]
 * @property {unknown} [default]
 * @property {string} [from]
 * @property {string} [for]
 * @property {string} doc
 */

/**
 * The import has no types, because the Worker's need those of workerd instead of Node.
 * @type {{SETTINGS: Readonly<Record<string, Setting>>}}
 */
export const {SETTINGS} = await import(new URL('../../worker/config/settings.ts', import.meta.url).href);

/** What a setting is if it is absent, as one writes it; empty if it is empty or a table. @param {Setting} row */
function defaultOf({default: value}) {
  if (typeof value === 'number') return ` Default ${value}`;
  const text = value instanceof Set ? [...value].join(' ') : value;
  return typeof text === 'string' && text !== '' ? ` Default \`${text}\`` : '';
}

/** @param {string[]} cells */
const line = (cells) => `| ${cells.join(' | ')} |\n`;

/** @param {[name: string, row: Setting]} setting */
function describe([name, row]) {
  const byDefault = defaultOf(row);
  return {...row, name: `\`${name}\``, doc: `${row.doc}${byDefault && `.${byDefault}`}`};
}

/** @param {string} text - The text of docs/deploy.md. */
export function settingDocs(text) {
  const rows = Object.entries(SETTINGS).map(describe);
  const secrets = rows.filter(({kind}) => kind === 'secret');
  const others = rows.filter(({kind}) => kind !== 'secret');
  const tables = {
    'name | meaning': others.filter((row) => !row.for).map(({name, doc}) => [name, doc]),
    'name | for | meaning': others.flatMap(({name, for: user, doc}) => (user ? [[name, user, doc]] : [])),
    'name | from | for': secrets.map(({name, rotates, from, doc}) => [
      name,
      from ?? (rotates ? 'you' : 'the platform'),
      doc,
    ]),
  };
  return Object.entries(tables).reduce((written, [header, cells]) => {
    const columns = `| ${header} |\n|${header.replaceAll(/[^|]+/g, '---')}|\n`;
    const [before = '', after, ...more] = written.split(columns);
    if (after === undefined || more.length > 0)
      throw new UserError(`docs/deploy.md needs one table with the columns \`${header}\`.`);
    return `${before}${columns}${cells.map(line).join('')}${after.replace(/^(?:\|.*\n)+/, '')}`;
  }, text);
}
