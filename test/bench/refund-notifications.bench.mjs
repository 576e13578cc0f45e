// @ts-check
// Sends 10,000 refund results to a Worker. Meanwhile the Worker is killed 20 times, and 30 % of its calls to the
// platform fail. Then sends 10,000 forged results. Fails if a result that the Worker answered with `OK` is lost or
// applied twice, or if a repeated or forged result changes a refund.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundle} from '../faults/support/bundles.ts';
import {RefundDay} from '../faults/support/refund-day.ts';

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const plan = {
  refunds: Math.round(10_000 * scale),
  kills: Math.ceil(20 * scale),
  faults: 0.3,
  forged: Math.round(10_000 * scale),
};

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-refund-day-'));
try {
  const startedAt = performance.now();
  const {answersToForgeries, ...figures} = await RefundDay.run(await bundle(folder), plan);
  console.table({...plan, ...figures, minutes: ((performance.now() - startedAt) / 60_000).toFixed(1)});
  console.table(answersToForgeries);
  const {lost, twice, wrong, changedByRepetition, changedByForgery} = figures;
  if (lost + twice + wrong + changedByRepetition + changedByForgery > 0) process.exitCode = 1;
} finally {
  rmSync(folder, {recursive: true, force: true});
}
