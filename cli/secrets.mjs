// @ts-check
// Reads and writes files of secrets: JSON, or lines of `NAME=value`.

import {existsSync, readFileSync} from 'node:fs';
import {hasOwnFile, secretsFile} from './project.mjs';

/** @typedef {Record<string, any>} Raw */

/** The shop's secrets. @returns {Record<string, string>} */
export const readOwnSecrets = () => (hasOwnFile() && existsSync(secretsFile()) ? readSecrets(secretsFile()) : {});

/** @param {string} file - A JSON file, or lines of `NAME=value`. @returns {Raw} */
export function readSecrets(file) {
  const text = readFileSync(file, 'utf8');
  if (text.trimStart().startsWith('{')) return JSON.parse(text);
  return Object.fromEntries(
    [...text.matchAll(/^\s*([\w]+)\s*=\s*["']?(.*?)["']?\s*$/gm)].map(([, name, value]) => [name, value]),
  );
}

/** @param {Raw} secrets */
export const toDotenv = (secrets) =>
  Object.entries(secrets)
    .map(([name, value]) => (String(value).includes("'") ? `${name}="${value}"\n` : `${name}='${value}'\n`))
    .join('');
