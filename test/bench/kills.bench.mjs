// @ts-check
// Shoppers order, pay and get refunds through a relay while the Worker is killed ten times and the relay four times.
// Afterwards the sandbox, the events and the merchant API must agree that nothing was lost and nothing was done twice.
// The smallest run does not wait for refunds of which nobody knows whether they were sent before a kill.

import {randomUUID} from 'node:crypto';
import {createServer} from 'node:http';
import {setTimeout as wait} from 'node:timers/promises';
import {freePort} from '../../cli/ports.mjs';
import {mapConcurrent} from '../../worker/lib/async.ts';
import {ORIGIN, planSandbox, planWorker} from '../faults/support/worker-plans.ts';
import {Workerd} from '../faults/support/workerd.ts';
import {runRelay} from '../relay/support/relay-process.ts';
import {check, scaled, withBundles} from './support/bench.mjs';
import {listen} from './support/listen.mjs';
import {readRecords} from './support/sandbox-records.mjs';

const KEY = 'sandbox-merchant-api-key';
const RELAY_SECRET = 'sandbox-relay-secret-that-is-long-enough';
const CONTACT = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
const CONCURRENCY = 12;
/** A refund that was not sent before a kill counts as not done after twelve minutes, and is asked for again. */
const REFUND_ATTEMPTS = scaled(1_200, 30);
const MAX_ATTEMPTS = 1_200;
/** The relay is killed with the first and then every third kill of the Worker. */
const RELAY_EVERY = 3;
const orders = scaled(240, 12);
const kills = scaled(10, 1);

/** The events that the shop got: how often each id came, by type and order. @type {Map<string, Set<string>>} */
const told = new Map();
let repeated = 0;
/** The orders whose refund nobody knows. @type {Set<string>} */
const unknown = new Set();
const shop = createServer(async (request, response) => {
  const {id, type, data} = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const ids = told.get(`${type} ${data.order}`) ?? new Set();
  if (ids.has(id)) repeated += 1;
  told.set(`${type} ${data.order}`, ids.add(id));
  response.writeHead(204).end();
});

/**
 * Whether these are the rows of all orders, one for each.
 * @param {readonly {order: string | null}[]} rows @param {readonly string[]} all
 */
const onceEach = (rows, all) =>
  rows.length === all.length && all.every((order) => rows.some((row) => row.order === order));

await withBundles(async (_folder, bundles) => {
  const {origin: shopUrl, stop: stopShop} = await listen(shop);
  const [port, relayPort] = await Promise.all([freePort(), freePort()]);
  const sandbox = await Workerd.start([planSandbox('sandbox', bundles)]);
  const platform = sandbox.url('sandbox');
  const startRelay = () => runRelay({RELAY_SECRET, PHS_URL: `${platform}/phs`, RELAY_LISTEN: `127.0.0.1:${relayPort}`});
  let relay = await startRelay();
  const settings = {
    MERCHANT_API_KEY: KEY,
    EGRESS: 'relay',
    RELAY_URL: relay.url,
    RELAY_SECRET,
    WEBHOOK_URL: `${shopUrl}/`,
    WEBHOOK_SECRET: 'sandbox-webhook-secret-that-is-long-enough',
  };
  const worker = await Workerd.start([{...planWorker('worker', bundles, platform, settings), port}]);
  const progress = {isDone: false, steps: 0, worker: 0, relay: 0};

  /**
   * Asks the Worker with the same key until it knows the outcome. Null if nobody knows it after so many attempts; an
   * answer that nothing was sent is no outcome.
   * @param {string} path @param {object} [body] @param {string} [token] @param {number} [attempts]
   * @returns {Promise<any>}
   */
  async function ask(path, body, token = KEY, attempts = MAX_ATTEMPTS) {
    /** @type {Record<string, string>} */
    const headers = {
      authorization: `Bearer ${token}`,
      ...(token === KEY ? {'idempotency-key': randomUUID()} : {origin: ORIGIN}),
      ...(body && {'content-type': 'application/json'}),
    };
    let last = '';
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      try {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: body ? 'POST' : 'GET',
          headers,
          ...(body && {body: JSON.stringify(body)}),
        });
        last = `${answer.status} ${await answer.text()}`;
        if (answer.ok) return JSON.parse(last.slice(4));
        // A session changes nothing, and a command that was not done may be repeated, but both only with another key.
        if (path.endsWith('/sessions') || last.includes('"not_done"')) headers['idempotency-key'] = randomUUID();
        if (attempts < MAX_ATTEMPTS && attempt >= attempts && last.includes('"outcome_unknown"')) return null;
      } catch (error) {
        last = String(error);
      }
      await wait(1_000);
    }
    throw new Error(`${path}: ${last}`);
  }

  /** @param {number} number */
  async function buy(number) {
    const terms = {service: 'DEMO', order: `S-${number}`, amount: `${(100 + number).toFixed(2)}`};
    const {token} = await ask('/merchant/v1/sessions', {kind: 'payment', origin: ORIGIN, hours: 72, ...terms});
    const {order_code} = await ask('/v1/order-code', {}, token);
    const paid = {bank: 'garanti', amount: terms.amount, order_code};
    await fetch(`${platform}/_sandbox/transfers`, {method: 'POST', body: JSON.stringify(paid)});
    while ((await ask('/v1/payment', undefined, token)).state !== 'paid') await wait(1_000);
    if (!(await ask('/merchant/v1/refunds', {...terms, contact: CONTACT}, KEY, REFUND_ATTEMPTS)))
      unknown.add(terms.order);
    progress.steps += 1;
  }

  async function killBoth() {
    for (let kill = 1; kill <= kills && !progress.isDone; kill += 1) {
      const until = (orders * kill) / (kills + 1);
      while (progress.steps < until) await wait(50);
      await worker.kill();
      progress.worker += 1;
      if (kill % RELAY_EVERY === 1) {
        await relay.end('SIGKILL');
        progress.relay += 1;
        relay = await startRelay();
      }
      await worker.restart();
    }
  }

  try {
    const killing = killBoth();
    await mapConcurrent(
      CONCURRENCY,
      Array.from({length: orders}, (_, number) => number),
      buy,
    );
    progress.isDone = true;
    await killing;
    const kinds = ['payment.received', 'refund.requested'];
    const references = Array.from({length: orders}, (_, number) => `S-${number}`);
    const refunded = references.filter((order) => !unknown.has(order));
    const expected = (/** @type {string} */ kind) => (kind.startsWith('refund.') ? refunded : references);
    const missing = () => kinds.flatMap((kind) => expected(kind).filter((order) => !told.has(`${kind} ${order}`)));
    for (let second = 0; second < 180 && missing().length > 0; second += 1) await wait(1_000);

    const records = readRecords(sandbox.folder);
    const once = (/** @type {string} */ kind) =>
      expected(kind).filter((order) => told.get(`${kind} ${order}`)?.size === 1);
    // What nobody knows may be done, but only once.
    const known = records.refunds.filter(({order}) => !unknown.has(String(order)));
    const others = records.refunds.filter(({order}) => unknown.has(String(order)));
    check(
      `the Worker was killed ${progress.worker} times, the relay ${progress.relay} times`,
      progress.worker === kills,
    );
    check(`${records.orders.length} codes, one for each order`, onceEach(records.orders, references));
    check(`${records.money.length} transfers`, onceEach(records.money, references));
    check(`${known.length} refunds, one for each order whose refund is known`, onceEach(known, refunded));
    check(
      `${others.length} refunds of ${unknown.size} orders whose refund is unknown`,
      new Set(others.map(({order}) => order)).size === others.length,
    );
    for (const kind of kinds)
      check(
        `${once(kind).length} events ${kind}, one for each order; ${repeated} deliveries repeated`,
        once(kind).length === expected(kind).length,
      );
    const more = [...told.keys()].filter((key) => !kinds.includes(key.split(' ')[0] ?? ''));
    check(
      `no other event: ${more.join(', ')}`,
      more.every((key) => key.startsWith('command.')),
    );
    const {items} = await ask('/merchant/v1/commands?state=unknown');
    check(`${items.length} refunds with an unknown outcome`, items.length <= unknown.size);
    const twice = references.filter((order) => (told.get(`refund.requested ${order}`)?.size ?? 0) > 1);
    check(`no refund is told twice: ${twice.join(', ')}`, twice.length === 0);
  } finally {
    await worker.stop();
    await relay.end('SIGKILL');
    await sandbox.stop();
    await stopShop();
  }
});
