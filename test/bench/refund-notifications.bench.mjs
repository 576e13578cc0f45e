// @ts-check
// 10,000 refund results told over a line of which 30 % fails to a Worker that is killed 20 times, then 10,000 forged ones. Promises: none of
// those answered `OK` is lost, none applied twice, none changed by a repetition or a forgery.

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
  const began = performance.now();
  const {answersToForgeries, ...figures} = await RefundDay.run(await bundle(folder), plan);
  console.table({...plan, ...figures, minutes: ((performance.now() - began) / 60_000).toFixed(1)});
  console.table(answersToForgeries);
  const {lost, twice, wrong, changedByRepetition, changedByForgery} = figures;
  if (lost + twice + wrong + changedByRepetition + changedByForgery > 0) process.exitCode = 1;
} finally {
  rmSync(folder, {recursive: true, force: true});
}
