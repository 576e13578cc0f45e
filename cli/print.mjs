// @ts-check
// The only place where the commands print text that may come from outside: from a server, a page, npm or an operator's
// file.

import {inspect} from 'node:util';

/** Colors, which some tools write even into a pipe. */
const COLOR = new RegExp(`${String.fromCharCode(27)}\\[[\\d;]*m`, 'g');
/** Characters that a terminal may obey, except tab and line feed, and those that change the direction of text. */
const CONTROL = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/** @param {string} text */
export const toPrintable = (text) => text.replaceAll(COLOR, '').replaceAll(CONTROL, '');

/** @param {string} [text] */
export const print = (text = '') => console.log(toPrintable(text));

/** @param {string} text */
export const printWarning = (text) => console.warn(toPrintable(text));

/** Prints the message of an error for the user. Any other error is a bug, so its stack trace is printed. @param {unknown} error */
export function printError(error) {
  // wrangler's errors have this name too.
  const isForUser = error instanceof Error && error.name === 'UserError';
  console.error(toPrintable(isForUser ? error.message : typeof error === 'string' ? error : inspect(error)));
}

/**
 * A value from outside as one short line, so that it cannot look like other lines.
 * @param {unknown} value
 */
export const toLine = (value) => toPrintable(String(value).slice(0, 1000)).replaceAll(/\s+/g, ' ');
