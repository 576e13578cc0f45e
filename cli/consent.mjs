// @ts-check
// Asks the user in a terminal.

import process from 'node:process';
import {createInterface} from 'node:readline/promises';
import {UserError} from './project.mjs';

/**
 * Throws unless the user agrees: in a terminal with `y`, elsewhere with `--yes`.
 * @param {string} what
 * @param {boolean} isAgreed - Whether the command has `--yes`.
 * @param {{input: NodeJS.ReadableStream & {isTTY?: boolean}, output: NodeJS.WritableStream}} terminal
 */
export async function requireConsent(what, isAgreed, terminal = {input: process.stdin, output: process.stdout}) {
  if (isAgreed) return;
  if (!terminal.input.isTTY) throw new UserError(`Nothing has changed. With --yes the command goes on.`);
  const lines = createInterface(terminal);
  const answer = await lines.question(`${what}? [y/N] `);
  lines.close();
  if (!/^y/i.test(answer)) throw new UserError('Nothing has changed.');
}
