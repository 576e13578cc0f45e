// @ts-check
// Reads and writes files of secrets: JSON, or lines of `NAME=value`.

import {randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {hasOwnFile, secretsFile, UserError} from './project.mjs';

/** @typedef {Record<string, any>} Raw */

/** The shop's secrets. @returns {Record<string, string>} */
export const readOwnSecrets = () => (hasOwnFile() && existsSync(secretsFile()) ? readSecrets(secretsFile()) : {});

/**
 * Writes a file that only its owner may read, from its first byte: a new file, which then takes the name. The mode of an
 * existing file would stay, and a link would be followed.
 * @param {string} file - Its folder is made, if it does not exist.
 * @param {string} text
 */
export function writePrivateFile(file, text) {
  mkdirSync(path.dirname(file), {recursive: true});
  const unfinished = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(unfinished, text, {flag: 'wx', mode: 0o600});
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, {force: true});
    throw error;
  }
}

const EMPTY_LINE = /[^\S\n]*(?:#.*)?(?:\n|$)/y;
const SECRET =
  /[^\S\n]*(?:export[^\S\n]+)?(\w+)[^\S\n]*=[^\S\n]*(?:(['"`])([^]*?)\2|([^\s'"`#][^\n#]*?)?)[^\S\n]*(?:(?<=[\s=])#.*)?(?:\n|$)/y;

/**
 * Reads what all readers of such files agree on, and refuses the rest: a secret that is cut would be deployed so. No error
 * repeats the text.
 * @param {string} file - A JSON file, or lines of `NAME=value`.
 * @returns {Raw}
 */
export function readSecrets(file) {
  const text = readFileSync(file, 'utf8').replaceAll('\r\n', '\n');
  if (text.trimStart().startsWith('{'))
    try {
      return JSON.parse(text);
    } catch {
      throw new UserError(`${path.basename(file)} is not valid JSON.`);
    }
  /** @type {Raw} */
  const secrets = {};
  for (let at = 0; at < text.length;) {
    EMPTY_LINE.lastIndex = SECRET.lastIndex = at;
    const [line, name = '', quote, quoted, bare = ''] = EMPTY_LINE.exec(text) ?? SECRET.exec(text) ?? [''];
    // A quote that is not closed takes the next lines.
    if (line === '' || /\n\s*(?:export\s+)?[A-Z_]{3,}\s*=/.test(quoted ?? ''))
      throw new UserError(
        `${path.basename(file)}, line ${text.slice(0, at).split('\n').length}: This is not NAME=value. ` +
          'Put a value that contains # or line breaks between two quotes which it does not contain.',
      );
    const value = quote === '"' ? quoted?.replaceAll('\\n', '\n') : quoted;
    if (name) secrets[name] = value ?? bare;
    at += line.length;
  }
  return secrets;
}

/** @param {Raw} secrets */
export const toDotenv = (secrets) =>
  Object.entries(secrets)
    .map(([name, value]) => {
      const quote = ["'", '`'].find((mark) => !String(value).includes(mark)) ?? '"';
      return `${name}=${quote}${value}${quote}\n`;
    })
    .join('');
