// @ts-check
// Measures an outage of the platform: how many calls the Worker makes, how many calls are needed for the requests of
// pages and for the sweeps, and how long the pages take to recover. Fails unless the Worker makes at most 1.1 times the
// calls that are needed, and every page recovers within 20 s.

import {setTimeout as wait} from 'node:timers/promises';
import {mapConcurrent} from '../../worker/lib/async.ts';
import {openFaultStack} from '../faults/support/fault-stack.ts';
import {retryUntil} from '../faults/support/page.ts';
import {check, checkTime, isSmallest, median, scaled, withBundles} from './support/bench.mjs';

const MAX_CALL_RATIO = 1.1;
const MAX_RECOVERY_S = 20;

const FAULTS = /** @type {const} */ (['reset-before', 'reset-after', 'truncated', 'silent']);

const outageSeconds = scaled(60, 6);
/** The number of shoppers who open a page during the outage, one after another, and keep it open. */
const shoppers = scaled(200, 12);
/** The number of pages that wait for a transfer during the outage. */
const waitingPages = scaled(10, 2);

/**
 * @typedef {import('../support/fault-proxy.ts').Fault} Fault
 * @typedef {{fault: Fault, needed: number, calls: number, recovery: number[]}} Outage `recovery`: the pages' recovery times in seconds, sorted.
 */

/**
 * @param {import('../faults/support/bundles.ts').Bundles} bundles
 * @param {Fault} fault
 * @returns {Promise<Outage>}
 */
async function measure(bundles, fault) {
  const stack = await openFaultStack(bundles);
  const {page, line, platform} = stack;
  try {
    /** @type {Awaited<ReturnType<typeof page.openOrder>>[]} */
    const waiting = [];
    for (let index = 0; index < waitingPages; index += 1) waiting.push(await page.openOrder());
    for (const {session} of waiting) await page.readPayment(session);
    const sessions = await Promise.all(Array.from({length: shoppers}, () => page.openSession()));

    const before = {calls: line.attempts(), sweeps: countSweeps(stack)};
    let requests = 0;
    let endedAt = Infinity;
    await line.set(fault);
    const recovered = sessions.map(async (session, index) => {
      await wait((index / shoppers) * outageSeconds * 1000);
      await retryUntil(() => {
        if (endedAt === Infinity) requests += 1;
        return page.requestOrderCode(session);
      });
      return performance.now();
    });
    await wait(outageSeconds * 500);
    for (const {code} of waiting) await platform.pay(code);
    await wait(outageSeconds * 500);
    const needed = requests + countSweeps(stack) - before.sweeps;
    const calls = line.attempts() - before.calls;

    await line.set(null);
    endedAt = performance.now();
    const paid = waiting.map(async ({session}) => {
      await retryUntil(
        () => page.readPayment(session),
        ({body}) => body.state === 'paid',
      );
      return performance.now();
    });
    const times = await Promise.all([...recovered, ...paid]);
    const orders = await platform.orders();
    if (orders.length !== shoppers + waitingPages)
      throw new Error(`${orders.length} orders at the platform for ${shoppers + waitingPages} shoppers`);
    return {fault, needed, calls, recovery: times.map((time) => (time - endedAt) / 1000).sort((a, b) => a - b)};
  } finally {
    await stack.stop();
  }
}

/** @param {import('../faults/support/fault-stack.ts').FaultStack} stack */
const countSweeps = ({logLines}) => logLines('sweep').length + logLines('sweep_failed').length;

console.log(
  `${outageSeconds} s of outage, ${shoppers} new pages that retry after the Retry-After delay, ${waitingPages} pages that wait for money`,
);
const outages = await withBundles((_, bundles) =>
  mapConcurrent(1, isSmallest ? FAULTS.slice(0, 1) : FAULTS, (fault) => measure(bundles, fault)),
);
console.table(
  outages.map(({fault, needed, calls, recovery}) => ({
    fault,
    'calls needed': needed,
    'calls made': calls,
    ratio: (calls / needed).toFixed(3),
    'back after: first s': recovery[0]?.toFixed(1),
    'median s': median(recovery).toFixed(1),
    'last s': recovery.at(-1)?.toFixed(1),
  })),
);
for (const {fault, needed, calls, recovery} of outages) {
  check(`${fault}: at most ${MAX_CALL_RATIO} times the calls that are needed`, calls <= needed * MAX_CALL_RATIO);
  checkTime(
    `${fault}: the last page is back within ${MAX_RECOVERY_S} s`,
    (recovery.at(-1) ?? Infinity) <= MAX_RECOVERY_S,
  );
}
