// @ts-check
// Measures an outage of the platform: how many calls the Worker makes, how many calls are needed for the requests of
// pages and for the sweeps, and how long the pages take to recover. Fails unless the Worker makes at most 1.1 times the
// calls that are needed, and every page recovers within 20 s.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {bundle} from '../faults/support/bundles.ts';
import {openFaultStack} from '../faults/support/fault-stack.ts';
import {retryUntil} from '../faults/support/page.ts';

const MAX_CALL_RATIO = 1.1;
const MAX_RECOVERY_S = 20;

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const outageSeconds = Math.max(20, Math.round(60 * scale));
/** The number of shoppers who open a page during the outage, one after another, and keep it open. */
const shoppers = Math.max(40, Math.round(200 * scale));
/** The number of pages that wait for a transfer during the outage. */
const waitingPages = 10;

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

/** @param {number[]} sorted @param {number} share */
const quantile = (sorted, share) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
try {
  const bundles = await bundle(folder);
  console.log(
    `${outageSeconds} s of outage, ${shoppers} new pages that retry after the Retry-After delay, ${waitingPages} pages that wait for money`,
  );
  console.log('fault         needed     calls  ratio   recovery:   first s    p50 s   last s');
  for (const fault of /** @type {const} */ (['reset-before', 'reset-after', 'truncated', 'silent'])) {
    const {needed, calls, recovery} = await measure(bundles, fault);
    const ratio = calls / needed;
    const last = quantile(recovery, 1);
    const hasFailed = ratio > MAX_CALL_RATIO || last > MAX_RECOVERY_S;
    const cells = [
      fault.padEnd(14),
      String(needed).padStart(5),
      String(calls).padStart(9),
      ratio.toFixed(3).padStart(6),
      (recovery[0] ?? 0).toFixed(1).padStart(20),
      quantile(recovery, 0.5).toFixed(1).padStart(8),
      last.toFixed(1).padStart(8),
    ];
    console.log(cells.join(' ') + (hasFailed ? '   FAILED' : ''));
    if (hasFailed) process.exitCode = 1;
  }
} finally {
  rmSync(folder, {recursive: true, force: true});
}
