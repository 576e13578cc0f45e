// @ts-check
// `npm run doctor -- --url https://pay.merchant.example [--key …]`: asks a Worker whether its set-up is right, and says what to
// do where it is not. The key may stand in MERCHANT_API_KEY instead: a command line is seen by others on the machine.
import process from 'node:process';
import {parseArgs} from 'node:util';
import {Refusal} from './parts/house.mjs';

const USAGE = 'npm run doctor -- --url https://pay.merchant.example [--key …], or the key in MERCHANT_API_KEY';
const MARKS = {ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ', skipped: '-      '};

/** @typedef {{name: string, state: keyof typeof MARKS, message: string, action: string | null}} Check */

const {values} = parseArgs({args: process.argv.slice(3), options: {url: {type: 'string'}, key: {type: 'string'}}, strict: false});
const url = String(values['url'] ?? '');
const key = String(values['key'] ?? process.env['MERCHANT_API_KEY'] ?? '');
if (!URL.canParse(url) || key === '') throw new Refusal(`Usage: ${USAGE}`);

const answer = await ask(new URL('/merchant/v1/doctor', url));
if (answer.status === 401) {
  throw new Refusal(
    'The Worker does not take this key: it is not its MERCHANT_API_KEY, nor MERCHANT_API_KEY_PREVIOUS, or it has none.\n' +
      'Set one of at least 16 characters with `npx wrangler secret put MERCHANT_API_KEY`, and give the same here.',
  );
}
const diagnosis = /** @type {{healthy: boolean, checks: Check[]} | null} */ (await answer.json().catch(() => null));
if (!answer.ok || !Array.isArray(diagnosis?.checks)) throw new Refusal(`What answers at ${url} is not a Worker of this version (HTTP ${answer.status}). Give the address of the Worker, not of your shop or the platform.`);

for (const {name, state, message, action} of diagnosis.checks) {
  console.log(`${MARKS[state] ?? state}  ${name.padEnd(14)} ${message}`);
  if (action) console.log(`${' '.repeat(25)}→ ${action}`);
}
console.log(diagnosis.healthy ? '\nThe set-up is right.' : '\nThe set-up is not right yet.');
process.exitCode = diagnosis.healthy ? 0 : 1;

/** @param {URL} address */
async function ask(address) {
  try {
    return await fetch(address, {headers: {authorization: `Bearer ${key}`}, redirect: 'manual', signal: AbortSignal.timeout(60_000)});
  } catch (error) {
    const {cause} = /** @type {Error} */ (error);
    throw new Refusal(`Nothing answers at ${address.origin}: ${cause instanceof Error ? cause.message : String(error)}.`);
  }
}
