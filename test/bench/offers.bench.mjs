// @ts-check
// Makes 10,000 offers with the merchant API, and changes prices while shoppers buy: each opens a session,
// which says the price, and orders at this price. Fails if an order has another price than its page showed, or one that its offer did
// not have in the five seconds before. Then compares the sale of such an offer with that of a configured one. A test
// does the same with several isolates, which keep outdated prices (`offer-prices.test.ts`).

import {check, checkTime, quantile, scaled, withBundles} from './support/bench.mjs';
import {WorkerComparison} from './support/compare-workers.mjs';
import {serveWorkerd} from './support/workerd.mjs';

const OFFERS = scaled(10_000, 50);
const SHOPPERS = scaled(32, 4);
const SECONDS = scaled(60, 2);
/** Most shoppers want the same few offers. */
const HOT = 10;
const WINDOW_MS = 5_000;
const MIN_RATIO = 0.9;

const headers = {origin: 'https://shop.example', 'content-type': 'application/json'};
const title = {tr: 'Lamba', en: 'Lamp'};
/** The prices that each offer had: when the change was requested, and when the next one was answered. @type {Map<string, {amount: string, from: number, until: number}[]>} */
const prices = new Map();

/** @param {number} kurus */
const toAmount = (kurus) => `${Math.floor(kurus / 100)}.${String(kurus % 100).padStart(2, '0')}`;
/** @param {number} below */
const random = (below) => Math.floor(Math.random() * below);

/**
 * Each of several workers takes the next of the numbers.
 * @param {number} workers
 * @param {number} count
 * @param {(index: number) => Promise<void>} work
 */
const inParallel = async (workers, count, work) => {
  let next = 0;
  await Promise.all(
    Array.from({length: workers}, async () => {
      while (next < count) await work(next++);
    }),
  );
};

await withBundles(async (folder, bundles) => {
  const workerd = await serveWorkerd(folder, bundles.worker);
  const base = `http://127.0.0.1:${workerd.vezne}`;
  /** @param {string} path @param {string} method @param {object} [body] @param {Record<string, string>} [more] */
  const ask = async (path, method, body, more) => {
    const init = {method, headers: {...headers, ...more}, ...(body && {body: JSON.stringify(body)})};
    const response = await fetch(base + path, init);
    return {status: response.status, body: /** @type {any} */ (await response.json())};
  };
  let writes = 0;
  /** @param {string} id @param {string} amount */
  const put = async (id, amount) => {
    const known = prices.get(id) ?? [];
    const price = {amount, from: Date.now(), until: Infinity};
    prices.set(id, [...known, price]);
    const authorization = 'Bearer sandbox-merchant-api-key';
    const offer = {kind: 'payment', service: 'DEMO', amount, title};
    const {status, body} = await ask(`/merchant/v1/offers/${id}`, 'PUT', offer, {
      authorization,
      'idempotency-key': `w-${(writes += 1)}`,
      origin: '',
    });
    if (status !== 200) throw new Error(`PUT answered ${status}: ${JSON.stringify(body)}`);
    const before = known.at(-1);
    if (before) before.until = Date.now();
  };
  const comparison = new WorkerComparison({rounds: scaled(20, 1), requests: scaled(500, 20), maxConcurrency: 8});
  try {
    const startedAt = Date.now();
    await inParallel(16, OFFERS, (index) => put(`offer-${index}`, toAmount(10_000 + index)));
    console.log(`${OFFERS} offers made in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);

    const end = Date.now() + SECONDS * 1000;
    const counts = {sold: 0, changed: 0, busy: 0, wrong: 0, changes: 0};
    /** @type {number[]} */
    const times = [];
    const change = async () => {
      for (let kurus = 20_000; Date.now() < end; kurus += 1) {
        await put(`offer-${random(HOT)}`, toAmount(kurus));
        counts.changes += 1;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    };
    /** @param {unknown} _shopper @param {number} shopper */
    const buy = async (_shopper, shopper) => {
      for (let count = 0; Date.now() < end; count += 1) {
        const id = `offer-${random(5) > 0 ? random(Math.min(HOT, OFFERS)) : random(OFFERS)}`;
        const shown = (await ask('/v1/sessions', 'POST', {offer: id})).body.amount;
        const sentAt = Date.now();
        const attempt = `${shopper}-${count}-${'x'.repeat(22)}`;
        const address = {'cf-connecting-ip': `198.18.${shopper}.${count % 250}`};
        const {status, body} = await ask('/v1/order-code', 'POST', {offer: id, attempt, shown_amount: shown}, address);
        times.push(Date.now() - sentAt);
        if (body.code === 'price_changed') counts.changed += 1;
        else if (status === 503) counts.busy += 1;
        else if (status !== 200) throw new Error(`An order answered ${status}: ${JSON.stringify(body)}`);
        else {
          counts.sold += 1;
          const inForce = prices
            .get(id)
            ?.some(
              (price) => price.amount === body.amount && price.from <= Date.now() && price.until >= sentAt - WINDOW_MS,
            );
          if (body.amount !== shown || !inForce) counts.wrong += 1;
        }
      }
    };
    await Promise.all([change(), ...Array.from({length: SHOPPERS}, buy)]);
    console.log(JSON.stringify({...counts, p50: quantile(times, 0.5), p99: quantile(times, 0.99)}));
    check(
      `${counts.sold} orders at a price of their offer, ${counts.wrong} at another`,
      counts.sold > 0 && counts.wrong === 0,
    );
    check(`${counts.changes} changed prices`, counts.changes > 0);

    const open = {port: workerd.vezne, path: '/v1/sessions', method: 'POST', headers};
    const {ratio} = await comparison.compare(
      {...open, body: '{"offer":"offer-0"}'},
      {...open, body: '{"offer":"gold"}'},
    );
    checkTime(`${ratio.toFixed(2)} of a configured offer’s sessions, at least ${MIN_RATIO}`, ratio >= MIN_RATIO);
  } finally {
    comparison.close();
    await workerd.stop();
  }
});
