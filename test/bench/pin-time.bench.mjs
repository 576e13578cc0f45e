// @ts-check
// How long POST /v1/pins takes for a fresh, a subscribed and a blacklisted number while the platform takes 20, 300 and 900 ms. Promise: the medians
// of all nine differ by at most 5 ms, 300 requests each. They wait rather than work, so one comes every 30 ms;
// all limits are off but the time an answer takes, which is the one that is shipped.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundle} from '../faults/support/bundles.ts';
import {timePins} from '../faults/support/pin-attacks.ts';

const MOST_APART_MS = 5;
const each = Math.max(5, Math.round(300 * Number(process.env['VEZNE_BENCH_SCALE'] ?? 1)));

/** @param {readonly number[]} sorted @param {number} share */
const at = (sorted, share) => sorted[Math.ceil(sorted.length * share) - 1] ?? 0;

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-pin-time-'));
try {
  const {timed, cut} = await timePins(await bundle(folder), {each, everyMs: 30});
  const rows = timed.map(({number, platformMs, tookMs}) => ({
    number,
    platformMs,
    least: at(tookMs, 0.01),
    median: at(tookMs, 0.5),
    p99: at(tookMs, 0.99),
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
  if (cut > 0) console.log(`${cut} requests were cut off and sent again`);
  const medians = rows.map(({median}) => median);
  const apart = Math.max(...medians) - Math.min(...medians);
  console.log(
    `medians of ${each} requests each are ${apart.toFixed(2)} ms apart${apart > MOST_APART_MS ? '   BROKEN' : ''}`,
  );
  if (apart > MOST_APART_MS) process.exitCode = 1;
} finally {
  rmSync(folder, {recursive: true, force: true});
}
