// @ts-check
// `vezne orders [--day 2026-11-21]`: prints the orders of a day, and who bought. The key goes to the Worker as with
// `vezne doctor`. The list is printed here and written nowhere, because it names persons.

import {parseArgs} from 'node:util';
import {addressOf, readOwn} from './configuration.mjs';
import {SANDBOX_SERVICE} from './dev-settings.mjs';
import {readKey, requireCall} from './key-address.mjs';
import {runningDev} from './leftovers.mjs';
import {print, toLine} from './print.mjs';
import {isClone, shown, UserError} from './project.mjs';
import {readText, toJson} from './web/read-text.mjs';

const USAGE = `${shown('orders')}${isClone ? ' --' : ''} [--day 2026-11-21] [--service DEMO] [--url https://pay.merchant.example] [--key …]`;
/** How many requests run at once. */
const TOGETHER = 10;

/** The answer of a server, which may have other types. @typedef {any} Json */

/** @param {readonly string[]} args */
export async function orders(args) {
  const given = readArguments(args);
  const settings = readOwn() ?? {};
  const {key, folder} = readKey(given.key);
  const ownUrl = given.url ?? addressOf(settings);
  const url = ownUrl ?? runningDev()[0];
  const day = given.day ?? today();
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw new UserError(`Usage: ${USAGE}`);
  const call = requireCall(url, key, folder, `/merchant/v1/orders/days/${day}`, USAGE);
  const own = ownUrl === undefined ? [SANDBOX_SERVICE] : servicesOf(settings);
  const services = given.service === undefined ? own : [given.service];
  if (services.length === 0) throw new UserError('Which service? Give its code with --service.');
  let count = 0;
  for (const service of services) count += await printDay(call, service);
  print(count === 0 ? `No orders on ${day}.` : `\n${count} ${count === 1 ? 'order' : 'orders'} on ${day}.`);
}

/** @param {readonly string[]} args @returns {{day?: string, service?: string, url?: string, key?: string}} */
function readArguments(args) {
  try {
    const text = /** @type {const} */ ({type: 'string'});
    return parseArgs({args: [...args], options: {day: text, service: text, url: text, key: text}}).values;
  } catch {
    throw new UserError(`Usage: ${USAGE}`);
  }
}

/** The day in Turkey. */
const today = () => new Intl.DateTimeFormat('sv-SE', {timeZone: 'Europe/Istanbul'}).format(new Date());

/** The codes of the services in the settings, where they may be a table or JSON. @param {Json} settings */
function servicesOf({vars}) {
  const {SERVICES: services = {}} = vars ?? {};
  return Object.keys(typeof services === 'string' ? JSON.parse(services) : services);
}

/** @typedef {{address: URL, key: string}} Call */

/** @param {Call} call @param {string} service @returns {Promise<number>} How many orders it printed. */
async function printDay({address, key}, service) {
  let count = 0;
  for (let cursor = ''; ;) {
    const page = await read({address, key}, address.pathname, {service, ...(cursor && {cursor})});
    const items = /** @type {Json[]} */ (Array.isArray(page.items) ? page.items : []);
    for (let first = 0; first < items.length; first += TOGETHER) {
      const found = items.slice(first, first + TOGETHER);
      const details = await Promise.all(
        found.map(({order}) => read({address, key}, '/merchant/v1/orders', {service, order: String(order)})),
      );
      for (const [index, item] of found.entries()) print(lineOf(item, details[index]?.buyer));
    }
    count += items.length;
    if (typeof page.next_cursor !== 'string') return count;
    cursor = page.next_cursor;
  }
}

/** @param {Json} order @param {Json} buyer */
function lineOf({order, state, amount, paid}, buyer) {
  const {name, email, phone, address, own, marketing} = buyer ?? {};
  const {line, district, province, postal_code: code} = address ?? {};
  const place = [line, district, [code, province].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  const ticks = Object.entries(own ?? {}).map(([id, value]) => `${id}=${value}`);
  const who = [name, email, phone, place, ...ticks, marketing && 'marketing'].filter(Boolean);
  const money = paid === amount ? amount : `${paid} of ${amount}`;
  return `${toLine(order)}  ${toLine(state)}  ${toLine(money)} TRY  ${who.length > 0 ? toLine(who.join(' · ')) : '-'}`;
}

/** @param {Call} call @param {string} pathname @param {Record<string, string>} fields @returns {Promise<Json>} */
async function read({address, key}, pathname, fields) {
  const url = new URL(`${pathname}?${new URLSearchParams(fields)}`, address);
  // A redirect would carry the key elsewhere.
  const answer = await readText(url, {headers: {authorization: `Bearer ${key}`}, redirect: 'manual'}).catch(
    (/** @type {Error} */ {message}) => {
      throw new UserError(`${address.origin} does not answer (${message}).`);
    },
  );
  const body = toJson(answer);
  if (answer.ok && body) return body;
  const reason =
    answer.status === 403 ? 'this key lacks the scope `read`' : toLine(body?.title ?? `HTTP ${answer.status}`);
  throw new UserError(`${address.origin} does not list the orders: ${reason}`);
}
