// @ts-check
// An outage, from begin to recovery: how often the platform is asked against how often somebody wanted it asked, and how long after its
// end everybody has what they came for. Two promises: attempts ≤ 1.1 × what was asked, recovery ≤ 20 s.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {bundle} from '../faults/support/bundles.ts';
import {openFaultStack} from '../faults/support/fault-stack.ts';
import {retryUntil} from '../faults/support/page.ts';

const MOST_ATTEMPTS = 1.1;
const LONGEST_RECOVERY_S = 20;

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const outageSeconds = Math.max(20, Math.round(60 * scale));
/** Shoppers who come during the outage, one after the other, and stay. */
const shoppers = Math.max(40, Math.round(200 * scale));
/** Pages that wait for a transfer meanwhile. */
const waitingPages = 10;

/**
 * @typedef {import('../support/fault-proxy.ts').Fault} Fault
 * @typedef {{fault: Fault, asked: number, attempts: number, recovery: number[]}} Outage
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

    const before = {attempts: line.attempts(), sweeps: countSweeps(stack)};
    let requests = 0;
    let over = Infinity;
    await line.set(fault);
    const recovered = sessions.map(async (session, index) => {
      await wait((index / shoppers) * outageSeconds * 1000);
      await retryUntil(() => {
        if (over === Infinity) requests += 1;
        return page.requestOrderCode(session);
      });
      return performance.now();
    });
    await wait(outageSeconds * 500);
    for (const {code} of waiting) await platform.pay(code);
    await wait(outageSeconds * 500);
    const asked = requests + countSweeps(stack) - before.sweeps;
    const attempts = line.attempts() - before.attempts;

    await line.set(null);
    over = performance.now();
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
    return {fault, asked, attempts, recovery: times.map((time) => (time - over) / 1000).sort((a, b) => a - b)};
  } finally {
    await stack.stop();
  }
}

/** @param {import('../faults/support/fault-stack.ts').FaultStack} stack */
const countSweeps = ({logLines}) => logLines('sweep').length + logLines('sweep_failed').length;

/** @param {number[]} sorted @param {number} share */
const at = (sorted, share) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
try {
  const bundles = await bundle(folder);
  console.log(
    `${outageSeconds} s of outage, ${shoppers} shoppers come meanwhile and ask again when they are told to, ${waitingPages} pages wait for money`,
  );
  console.log('fault          asked  attempts  ratio   back after: first s    p50 s   last s');
  for (const fault of /** @type {const} */ (['reset-before', 'reset-after', 'truncated', 'silent'])) {
    const {asked, attempts, recovery} = await measure(bundles, fault);
    const ratio = attempts / asked;
    const last = at(recovery, 1);
    const broken = ratio > MOST_ATTEMPTS || last > LONGEST_RECOVERY_S;
    const cells = [
      fault.padEnd(14),
      String(asked).padStart(6),
      String(attempts).padStart(9),
      ratio.toFixed(3).padStart(6),
      (recovery[0] ?? 0).toFixed(1).padStart(20),
      at(recovery, 0.5).toFixed(1).padStart(8),
      last.toFixed(1).padStart(8),
    ];
    console.log(cells.join(' ') + (broken ? '   BROKEN' : ''));
    if (broken) process.exitCode = 1;
  }
} finally {
  rmSync(folder, {recursive: true, force: true});
}
