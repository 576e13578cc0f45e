// @ts-check
// Measures how soon a page shows its money while another system of the merchant gets many transfers on the same service,
// which every search of the Worker lists too.

import {setTimeout as wait} from 'node:timers/promises';
import {Page} from '../faults/support/page.ts';
import {SandboxControls} from '../faults/support/sandbox-controls.ts';
import {planSandbox, planWorker} from '../faults/support/worker-plans.ts';
import {Workerd} from '../faults/support/workerd.ts';
import {checkTime, median, quantile, scaled, withBundles} from './support/bench.mjs';

/** Transfers a second that are not ours. */
const RATES = [100, 200];
const MAX_P95_S = 5;
const PARTS_OF_SECOND = 5;
const POLL_MS = 250;
/** A page that shows its money later counts as this. */
const MAX_WAIT_S = 60;
const seconds = scaled(60, 4);
const strangers = scaled(100, 4);

/**
 * @param {import('../faults/support/bundles.ts').Bundles} bundles
 * @param {number} rate
 * @returns {Promise<number[]>} For each of our payments, the seconds until its page showed it.
 */
async function measure(bundles, rate) {
  const sandbox = await Workerd.start([planSandbox('sandbox', bundles)]);
  const platform = new SandboxControls(sandbox.url('sandbox'));
  const other = await Workerd.start([planWorker('other', bundles, sandbox.url('sandbox'))]);
  /** @type {string[]} */
  const theirs = [];
  for (let index = 0; index < strangers; index += 1) theirs.push((await new Page(other.url('other')).openOrder()).code);
  await other.stop();
  const worker = await Workerd.start([planWorker('worker', bundles, sandbox.url('sandbox'))]);
  const page = new Page(worker.url('worker'));
  try {
    const ours = [];
    for (let index = 0; index < seconds / 2; index += 1) ours.push(await page.openOrder());
    const startedAt = performance.now();
    const isOver = () => performance.now() - startedAt > seconds * 1000;
    const flood = async () => {
      for (let part = 0; !isOver(); part += 1) {
        const order_code = theirs[part % theirs.length];
        const count = Math.round(rate / PARTS_OF_SECOND);
        await platform.control('transfers', {order_code, bank: 'teb', amount: '1.00', count});
        await wait(Math.max(0, startedAt + ((part + 1) * 1000) / PARTS_OF_SECOND - performance.now()));
      }
    };
    const seen = ours.map(async ({session, code}, index) => {
      await page.readPayment(session);
      await wait(((index + 0.5) * seconds * 1000) / ours.length);
      await platform.pay(code);
      const paidAt = performance.now();
      const waited = () => (performance.now() - paidAt) / 1000;
      while (waited() < MAX_WAIT_S && (await page.readPayment(session)).body.state !== 'paid') await wait(POLL_MS);
      return waited();
    });
    const [, times] = await Promise.all([flood(), Promise.all(seen)]);
    return times;
  } finally {
    await worker.stop();
    await sandbox.stop();
  }
}

await withBundles(async (_folder, bundles) => {
  for (const rate of RATES) {
    const times = await measure(bundles, rate);
    const [middle, p95] = [median(times), quantile(times, 0.95)];
    checkTime(
      `${rate} transfers a second of another system: a page shows its money after ${middle.toFixed(1)} s, p95 ` +
        `${p95.toFixed(1)} s of ${MAX_P95_S} s`,
      p95 <= MAX_P95_S,
    );
  }
});
