// @ts-check
// `npm run doctor -- --url https://pay.merchant.example [--key …]`: asks a Worker whether its set-up is right, and says what to
// do where it is not. The key may stand in MERCHANT_API_KEY instead: a command line is seen by others on the machine.

import process from 'node:process';
import {parseArgs} from 'node:util';
import {UserError} from './lib/repo.mjs';

const USAGE = 'npm run doctor -- --url https://pay.merchant.example [--key …], or the key in MERCHANT_API_KEY';
const MARKS = {ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ', skipped: '-      '};

/** @typedef {{name: string, state: keyof typeof MARKS, message: string, action: string | null}} Check */

const call = readCall();
const answer = await ask(call);
if (answer.status === 401) {
  throw new UserError(
    'The Worker does not take this key: it is not its MERCHANT_API_KEY, nor MERCHANT_API_KEY_PREVIOUS, or it has none.\n' +
      'Set one of at least 16 characters with `npx wrangler secret put MERCHANT_API_KEY`, and give the same here.',
  );
}
const diagnosis = /** @type {{healthy: boolean, checks: Check[]} | null} */ (await answer.json().catch(() => null));
if (!answer.ok || !Array.isArray(diagnosis?.checks))
  throw new UserError(
    `What answers at ${call.address.origin} is not a Worker of this version (HTTP ${answer.status}). Give the address of the Worker, not of your shop or the platform.`,
  );

for (const {name, state, message, action} of diagnosis.checks) {
  console.log(`${MARKS[state] ?? state}  ${name.padEnd(14)} ${message}`);
  if (action) console.log(`${' '.repeat(25)}→ ${action}`);
}
console.log(diagnosis.healthy ? '\nThe set-up is right.' : '\nThe set-up is not right yet.');
process.exitCode = diagnosis.healthy ? 0 : 1;

/** What is refused here is not repeated: a key may stand in the wrong place. */
function readCall() {
  const {url, key = process.env['MERCHANT_API_KEY'] ?? ''} = readArguments();
  if (url === undefined || !URL.canParse(url)) throw new UserError(`Usage: ${USAGE}`);
  if (key === '') throw new UserError('No key: set MERCHANT_API_KEY or give --key.');
  const {protocol, username, password} = new URL(url);
  if (!/^https?:$/.test(protocol) || username || password)
    throw new UserError(
      '--url is the address of the Worker, such as https://pay.merchant.example, without a name or password in it.',
    );
  // No header carries anything else, and what `fetch` says of one that cannot be sent quotes it.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UserError(
      'The key holds a space, a line break or a letter beyond ASCII, which no MERCHANT_API_KEY does: copy it again.',
    );
  return {address: new URL('/merchant/v1/doctor', url), key};
}

/** @returns {{url?: string, key?: string}} */
function readArguments() {
  try {
    return parseArgs({args: process.argv.slice(3), options: {url: {type: 'string'}, key: {type: 'string'}}}).values;
  } catch {
    throw new UserError(`Usage: ${USAGE}`);
  }
}

/** @param {{address: URL, key: string}} call */
async function ask({address, key}) {
  try {
    return await fetch(address, {
      headers: {authorization: `Bearer ${key}`},
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
    });
  } catch (error) {
    throw new UserError(`Nothing answers at ${address.origin} (${reasonOf(error)}).`);
  }
}

/** The system's word for it, such as ECONNREFUSED. @param {unknown} error */
function reasonOf(error) {
  if (!(error instanceof Error)) return 'no connection';
  const code = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : '';
  return error.name === 'TimeoutError' ? 'no answer within a minute' : code || 'no connection';
}
