// @ts-check
// Measures the response time of POST /v1/pins for a fresh, a subscribed and a blacklisted number, while the platform
// takes 20, 300 or 900 ms. Fails if the medians of these nine combinations, of 300 requests each, differ by more than 5
// ms. The bench sends a request every 30 ms without waiting for the answer to the request before. All limits are off,
// except the fixed response time, which has its default.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundle} from '../faults/support/bundles.ts';
import {timePins} from '../faults/support/pin-attacks.ts';

const MAX_DIFFERENCE_MS = 5;
const requestsEach = Math.max(5, Math.round(300 * Number(process.env['VEZNE_BENCH_SCALE'] ?? 1)));

/** @param {readonly number[]} sorted @param {number} share */
const quantile = (sorted, share) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-pin-time-'));
try {
  const {times, repeated} = await timePins(await bundle(folder), {requestsEach, everyMs: 30});
  const rows = times.map(({number, platformMs, tookMs}) => ({
    number,
    platformMs,
    p1: quantile(tookMs, 0.01),
    median: quantile(tookMs, 0.5),
    p99: quantile(tookMs, 0.99),
  }));
  console.table(
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [
          name,
          typeof value === 'number' ? Number(value.toFixed(1)) : value,
        ]),
      ),
    ),
  );
  if (repeated > 0) console.log(`${repeated} requests got 503 and were repeated`);
  const medians = rows.map(({median}) => median);
  const difference = Math.max(...medians) - Math.min(...medians);
  const hasFailed = difference > MAX_DIFFERENCE_MS;
  console.log(
    `the medians of ${requestsEach} requests for each row differ by ${difference.toFixed(2)} ms${hasFailed ? '   FAILED' : ''}`,
  );
  if (hasFailed) process.exitCode = 1;
} finally {
  rmSync(folder, {recursive: true, force: true});
}
