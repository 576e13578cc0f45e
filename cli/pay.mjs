// @ts-check
// `vezne pay <order code>`: sends money for an order in the sandbox, as the shopper's bank would.

import {parseArgs} from 'node:util';
import {portFromEnv, readPort} from './ports.mjs';
import {print, toLine} from './print.mjs';
import {shown, UserError} from './project.mjs';
import {readText, toJson} from './web/read-text.mjs';

/** An order of the sandbox: what it costs and what has arrived, as decimal text. @typedef {{order_code: string, order: string, amount: string, arrived: string}} SandboxOrder */

/** Orders beyond these are old. */
const MAX_ORDERS = 1000;

/** @param {string[]} args */
export async function pay(args) {
  const {code, amount, bank, sender, port} = readArguments(args);
  const controls = `http://localhost:${port}/_sandbox`;
  const {orders} = await call(controls, `orders?limit=${MAX_ORDERS}`);
  const order = /** @type {SandboxOrder[]} */ (orders).find((each) => each.order_code === code);
  if (!order)
    throw new UserError(
      `The sandbox has no order with the code ${code}.${describeWaiting(/** @type {any} */ (orders))}`,
    );
  const missing = toMinorUnits(order.amount) - toMinorUnits(order.arrived);
  if (amount === undefined && missing <= 0n)
    throw new UserError(`The order ${code} has its ${order.amount} TRY. Send more with --amount.`);
  const sent = amount ?? fromMinorUnits(missing);
  await call(controls, 'transfers', {order_code: code, bank, amount: sent, ...(sender !== undefined && {sender})});
  print(
    `Sent ${toLine(sent)} TRY with the code ${code}. The page shows it within seconds, a closed page's order later.`,
  );
}

/** @param {string[]} args */
function readArguments(args) {
  const text = /** @type {const} */ ({type: 'string'});
  const options = {amount: text, bank: text, sender: text, 'sandbox-port': text};
  const usage = `\`${shown('pay')} --help\` says how.`;
  /** @type {{values: Record<string, string | undefined>, positionals: string[]}} */
  let given;
  try {
    given = parseArgs({args, options, allowPositionals: true});
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n${usage}`);
  }
  const {amount, bank = 'garanti', sender, 'sandbox-port': port} = given.values;
  // Pages show a code in groups.
  const code = given.positionals.join('').replaceAll(/[\s-]/g, '');
  if (code === '') throw new UserError(`The order code is missing. ${usage}`);
  if (!/^[A-Za-z0-9]{1,64}$/.test(code)) throw new UserError(`This is no order code: ${toLine(code)}`);
  if (amount !== undefined && !/^\d{1,12}(?:\.\d{1,2})?$/.test(amount))
    throw new UserError('--amount: Expected decimal text with at most two places, such as "149.90".');
  return {code, amount, bank, sender, port: readPort(port, '--sandbox-port') ?? portFromEnv('SANDBOX_PORT', 8790)};
}

/** @param {readonly SandboxOrder[]} orders */
function describeWaiting(orders) {
  const waiting = orders.filter(({amount, arrived}) => toMinorUnits(arrived) < toMinorUnits(amount)).slice(0, 5);
  return waiting.length === 0
    ? ' No order waits for money.'
    : ` These wait: ${waiting.map((each) => `${toLine(each.order_code)} (${toLine(each.amount)} TRY)`).join(', ')}.`;
}

/** @param {string} amount - `149.90`, as the sandbox writes it. */
const toMinorUnits = (amount) => BigInt(amount.replace('.', ''));

/** @param {bigint} minor */
const fromMinorUnits = (minor) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;

/**
 * @param {string} controls
 * @param {string} name
 * @param {object} [body]
 * @returns {Promise<Record<string, unknown>>}
 */
async function call(controls, name, body) {
  const options = body && {method: 'POST', headers: {'content-type': 'application/json'}, body: JSON.stringify(body)};
  const answer = await readText(new URL(`${controls}/${name}`), options).catch(() => {
    throw new UserError(
      `No sandbox answers at ${new URL(controls).origin}: run \`${shown('dev')}\`, or name its port with --sandbox-port.`,
    );
  });
  const json = toJson(answer);
  if (!answer.ok || typeof json !== 'object' || json === null)
    throw new UserError(`The sandbox refused it: ${toLine(json?.error ?? `HTTP ${answer.status}`)}`);
  return json;
}
