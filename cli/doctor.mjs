// @ts-check
// `vezne doctor [--url https://pay.merchant.example] [--page …]`: lets a Worker check its own set-up, and prints what to do
// about each problem. With --page, also examines this page of the shop. Without --url, the command
// uses the domain in the shop's settings. It is safer to pass the key in MERCHANT_API_KEY than in --key, because other
// users of the machine can see a command line. What servers and pages answer is read within bounds, and never printed raw.

import path from 'node:path';
import process from 'node:process';
import {parseArgs} from 'node:util';
import {addressOf, readEdited, readOwn} from './configuration.mjs';
import {readKey, requireCall} from './key-address.mjs';
import {findMisplaced} from './mistakes.mjs';
import {print, toLine} from './print.mjs';
import {hasOwnFile, isClone, secretsFile, shown, UserError} from './project.mjs';
import {offersOf, readOfferState} from './web/element-check.mjs';
import {examinePage} from './web/page-check.mjs';
import {readText, toJson} from './web/read-text.mjs';
import {tagsOf} from './web/tags.mjs';

const USAGE = `${shown('doctor')}${isClone ? ' --' : ''} --url https://pay.merchant.example [--key …] [--page …], or set MERCHANT_API_KEY`;
/** @type {Readonly<Record<string, string>>} */
const MARKS = {ok: 'ok     ', warning: 'WARNING', failed: 'FAILED ', skipped: '-      '};

/** @param {Check} check */
function printCheck({name, state, message, action}) {
  const mark = Object.hasOwn(MARKS, String(state)) ? MARKS[String(state)] : toLine(state);
  print(`${mark}  ${toLine(name).padEnd(14)} ${toLine(message)}`);
  if (action) print(`${' '.repeat(25)}→ ${toLine(action)}`);
}

/** Texts of a server, which may have other types. @typedef {{name: unknown, state: unknown, message: unknown, action?: unknown}} Check */
/** @typedef {Partial<Record<'name' | 'value' | 'counts' | 'per' | 'window' | 'above', unknown>>} Limit */

/** A server that is not the Worker may answer with more. */
const MAX_LINES = 200;

/** @param {readonly string[]} args */
export async function doctor(args) {
  const own = readOwnFile();
  const call = readCall(args, own.address);
  // If the shop's settings name another host, the Worker may have other settings.
  const isOwnWorker = own.address === undefined || new URL(own.address).host === call.address.host;
  for (const mistake of own.misplaced)
    print(`${isOwnWorker ? MARKS.failed : MARKS.warning}  ${'configuration'.padEnd(14)} ${mistake}`);
  const diagnosis = await requestDiagnosis(call);
  for (const check of diagnosis.checks) printCheck(check);
  const isSiteFine = await examineSite(call);
  const {limits} = diagnosis;
  if (limits.length > 0) print('\nLimits, what they count, and what happens above them (LIMITS sets them):');
  for (const {name, value, counts, per, window, above} of limits) {
    const shownName = `  ${toLine(name).padEnd(36)} ${toLine(value ?? 'none').padStart(6)}`;
    print(`${shownName}  ${toLine(`${counts}, by ${per}, ${window} → ${above}`)}`);
  }
  const isCorrect = diagnosis.healthy && isSiteFine && (own.misplaced.length === 0 || !isOwnWorker);
  print(isCorrect ? '\nThe set-up is correct.' : '\nThe set-up is not correct yet.');
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
  const {key, folder} = readKey(given.key);
  return {...requireCall(url, key, folder, '/merchant/v1/doctor', USAGE), page};
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

/**
 * Prints the Worker's release, and what is wrong with a page. Returns false if something is.
 * @param {{address: URL, page?: string | undefined}} call
 */
async function examineSite({address, page}) {
  const known = toReleases(await readText(new URL('/vezne/releases.json', address)).then(toJson, () => null));
  if (known) printCheck({name: 'release', state: 'ok', message: `The Worker is of release ${known.current}.`});
  if (page === undefined) return true;
  const answer = await readPage(page);
  if (typeof answer === 'string') {
    printCheck({
      name: 'page',
      state: 'warning',
      message: `The page of --page cannot be read: ${answer}.`,
      action: 'Give its whole address.',
    });
    return true;
  }
  const url = new URL(answer.url);
  const banks = await readText(new URL('/v1/banks', address), {headers: {origin: url.origin}}).catch(() => null);
  const {names, omitted} = offersOf([...tagsOf(answer.text)], url, address);
  const offers = await readOffers(names, address);
  const read = {url, headers: answer.headers, html: answer.text};
  const found = [...examinePage(read, address, known, banks?.status !== 403, offers), ...omitted];
  for (const finding of found) printCheck(finding);
  const isFine = found.every(({state}) => state !== 'failed');
  if (isFine && !found.some(({name}) => name === 'page'))
    printCheck({name: 'page', state: 'ok', message: 'The page can use the Worker.'});
  return isFine;
}

/** What the Worker says of these offers. @param {readonly string[]} names @param {URL} worker */
async function readOffers(names, worker) {
  /** @type {Map<string, import('./web/element-check.mjs').OfferState>} */
  const offers = new Map();
  for (const offer of names) {
    const answer = await readText(new URL(`/p/${encodeURIComponent(offer)}`, worker)).catch(() => null);
    const state = answer ? readOfferState(answer.status, answer.text) : undefined;
    if (state) offers.set(offer, state);
  }
  return offers;
}

/** @param {string} page @returns {Promise<import('./web/read-text.mjs').Answer | string>} A page, or why there is none. */
async function readPage(page) {
  if (!URL.canParse(page) || !/^https?:$/.test(new URL(page).protocol)) return 'it is no URL';
  return readText(new URL(page)).then(
    (answer) => (answer.ok ? answer : `HTTP ${answer.status}`),
    (/** @type {Error} */ {message}) => message,
  );
}

/** @param {any} json @returns {{current: string, releases: {version: string}[]} | null} */
function toReleases(json) {
  if (typeof json?.current !== 'string') return null;
  const releases = Array.isArray(json.releases) ? json.releases : [];
  return {current: json.current, releases: releases.map((/** @type {any} */ one) => ({version: String(one?.version)}))};
}

/**
 * @param {{address: URL, key: string}} call
 * @returns {Promise<{healthy: boolean, checks: Check[], limits: Limit[]}>}
 */
async function requestDiagnosis({address, key}) {
  const answer = await readText(address, {
    headers: {authorization: `Bearer ${key}`},
    // A redirect would carry the key elsewhere.
    redirect: 'manual',
    timeoutMs: 60_000,
  }).catch((/** @type {Error} */ {message}) => {
    throw new UserError(`${address.origin} does not answer (${message}).`);
  });
  if (answer.status === 401)
    throw new UserError(
      'The Worker rejects this key: it is not one of MERCHANT_API_KEY, MERCHANT_API_KEY_PREVIOUS and the API keys.\n' +
        `Write MERCHANT_API_KEY, at least 16 characters, into ${path.basename(secretsFile())} and run \`${shown('deploy')}\`, or use the deployed key here.`,
    );
  if (answer.status === 403) throw new UserError('This key lacks the scope `read`, which the doctor needs.');
  const diagnosis = toJson(answer);
  if (!answer.ok || !Array.isArray(diagnosis?.checks))
    throw new UserError(
      `The server at ${address.origin} is not a Worker of this version (HTTP ${answer.status}). ` +
        'Give the URL of the Worker, not of your shop or the platform.',
    );
  return {healthy: diagnosis.healthy === true, checks: toRows(diagnosis.checks), limits: toRows(diagnosis.limits)};
}

/** @param {unknown} list */
const toRows = (list) =>
  Array.isArray(list) ? list.filter((row) => typeof row === 'object' && row !== null).slice(0, MAX_LINES) : [];
