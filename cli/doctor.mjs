// @ts-check
// `vezne doctor [--url https://pay.merchant.example] [--page …]`: lets a Worker check its own set-up, and prints what to do
// about each problem. With --page, also examines this page of the shop. Without --url, the command
// uses the domain in the shop's settings. It is safer to pass the key in MERCHANT_API_KEY than in --key, because other
// users of the machine can see a command line.

import path from 'node:path';
import process from 'node:process';
import {parseArgs} from 'node:util';
import {addressOf, readEdited, readOwn} from './configuration.mjs';
import {findMisplaced} from './mistakes.mjs';
import {examinePage} from './page-check.mjs';
import {hasOwnFile, isClone, secretsFile, shown, UserError} from './project.mjs';
import {readOwnSecrets} from './secrets.mjs';

const USAGE = `${shown('doctor')}${isClone ? ' --' : ''} --url https://pay.merchant.example [--key …] [--page …], or set MERCHANT_API_KEY`;
const MARKS = {ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ', skipped: '-      '};

/** @param {{name: string, state: keyof typeof MARKS, message: string, action?: string | null}} check */
function print({name, state, message, action}) {
  console.log(`${MARKS[state] ?? state}  ${name.padEnd(14)} ${message}`);
  if (action) console.log(`${' '.repeat(25)}→ ${action}`);
}

/** @typedef {{name: string, state: keyof typeof MARKS, message: string, action: string | null}} Check */
/**
 * @typedef {{name: string, settable: boolean, value: number | null, counts: string, per: string, window: string,
 *   above: string}} Limit
 */

/** @param {readonly string[]} args */
export async function doctor(args) {
  const own = readOwnFile();
  const call = readCall(args, own.address);
  // If the shop's settings name another host, the Worker may have other settings.
  const isOwnWorker = own.address === undefined || new URL(own.address).host === call.address.host;
  for (const mistake of own.misplaced)
    console.log(`${isOwnWorker ? MARKS.failed : MARKS.warning}  ${'configuration'.padEnd(14)} ${mistake}`);
  const diagnosis = await requestDiagnosis(call);
  for (const check of diagnosis.checks) print(check);
  const isSiteFine = await examineSite(call);
  const limits = diagnosis.limits ?? [];
  if (limits.length > 0) console.log('\nLimits, what they count, and what happens above them (* LIMITS can set it):');
  for (const {name, settable, value, counts, per, window, above} of limits) {
    const shownName = `${settable ? '*' : ' '} ${name.padEnd(36)} ${String(value ?? 'none').padStart(6)}`;
    console.log(`${shownName}  ${counts}, by ${per}, ${window} → ${above}`);
  }
  const isCorrect = diagnosis.healthy && isSiteFine && (own.misplaced.length === 0 || !isOwnWorker);
  console.log(isCorrect ? '\nThe set-up is correct.' : '\nThe set-up is not correct yet.');
  if (!isCorrect) process.exitCode = 1;
}

/**
 * Reads the command line. Error messages never repeat an argument, because the operator may have put the key in the
 * wrong place.
 * @param {readonly string[]} args
 * @param {string | undefined} ownAddress
 */
function readCall(args, ownAddress) {
  const given = readArguments(args);
  const {url = ownAddress, page} = given;
  const key = given.key ?? process.env['MERCHANT_API_KEY'] ?? readOwnSecrets()['MERCHANT_API_KEY'] ?? '';
  if (url === undefined || !URL.canParse(url)) throw new UserError(`Usage: ${USAGE}`);
  if (key === '') throw new UserError('The key is missing: set MERCHANT_API_KEY or pass --key.');
  const {protocol, username, password} = new URL(url);
  if (!/^https?:$/.test(protocol) || username || password)
    throw new UserError(
      '--url must be the URL of the Worker, such as https://pay.merchant.example, without a user name or password.',
    );
  // A header can carry only these characters. For any other character, `fetch` throws an error that quotes the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UserError(
      'The key contains a space, a line break or a non-ASCII character. A correct key has none of these: copy it again.',
    );
  return {address: new URL('/merchant/v1/doctor', url), key, page};
}

/**
 * What the shop's settings say: the Worker's domain, which may be missing, and the settings that have no effect.
 * @returns {{address?: string | undefined, misplaced: string[]}}
 */
function readOwnFile() {
  if (!hasOwnFile()) return {misplaced: []};
  return {address: addressOf(readOwn() ?? {}), misplaced: findMisplaced(readEdited())};
}

/** @param {readonly string[]} args @returns {{url?: string, key?: string, page?: string}} */
function readArguments(args) {
  try {
    const text = /** @type {const} */ ({type: 'string'});
    return parseArgs({args: [...args], options: {url: text, key: text, page: text}}).values;
  } catch {
    throw new UserError(`Usage: ${USAGE}`);
  }
}

/** @param {string | URL} url @param {Record<string, string>} [headers] */
function read(url, headers = {}) {
  return fetch(url, {headers, signal: AbortSignal.timeout(10_000)}).catch(() => null);
}

/**
 * Prints the Worker's release, and what is wrong with a page. Returns false if something is.
 * @param {{address: URL, page?: string | undefined}} call
 */
async function examineSite({address, page}) {
  const known = await (await read(new URL('/vezne/releases.json', address)))?.json().catch(() => null);
  if (known?.current) print({name: 'release', state: 'ok', message: `The Worker is of release ${known.current}.`});
  if (page === undefined) return true;
  const answer = URL.canParse(page) ? await read(page) : null;
  if (!answer?.ok) {
    print({
      name: 'page',
      state: 'warning',
      message: 'The page of --page cannot be read.',
      action: 'Give its whole address.',
    });
    return true;
  }
  const url = new URL(answer.url);
  const banks = await read(new URL('/v1/banks', address), {origin: url.origin});
  const found = examinePage(
    {url, headers: answer.headers, html: await answer.text()},
    address,
    known,
    banks?.status !== 403,
  );
  for (const finding of found) print(finding);
  const isFine = found.every(({state}) => state !== 'failed');
  if (isFine && !found.some(({name}) => name === 'page'))
    print({name: 'page', state: 'ok', message: 'The page can use the Worker.'});
  return isFine;
}

/**
 * @param {{address: URL, key: string}} call
 * @returns {Promise<{healthy: boolean, checks: Check[], limits?: Limit[]}>}
 */
async function requestDiagnosis({address, key}) {
  const response = await fetch(address, {
    headers: {authorization: `Bearer ${key}`},
    redirect: 'manual',
    signal: AbortSignal.timeout(60_000),
  }).catch((error) => {
    throw new UserError(`${address.origin} does not answer (${reasonOf(error)}).`);
  });
  if (response.status === 401)
    throw new UserError(
      'The Worker rejects this key: it is not one of MERCHANT_API_KEY, MERCHANT_API_KEY_PREVIOUS and the API keys.\n' +
        `Write MERCHANT_API_KEY, at least 16 characters, into ${path.basename(secretsFile())} and run \`${shown('deploy')}\`, or use the deployed key here.`,
    );
  if (response.status === 403) throw new UserError('This key lacks the scope `read`, which the doctor needs.');
  const diagnosis = await response.json().catch(() => null);
  if (!response.ok || !Array.isArray(diagnosis?.checks))
    throw new UserError(
      `The server at ${address.origin} is not a Worker of this version (HTTP ${response.status}). ` +
        'Give the URL of the Worker, not of your shop or the platform.',
    );
  return diagnosis;
}

/** The system's error code, such as ECONNREFUSED. @param {unknown} error */
function reasonOf(error) {
  if (!(error instanceof Error)) return 'no connection';
  const code = error.cause instanceof Error && 'code' in error.cause ? String(error.cause.code) : '';
  return error.name === 'TimeoutError' ? 'no answer within a minute' : code || 'no connection';
}
