// @ts-check
// 10,000 refunds, refunds of charges and cancellations by the relay, over lines that lose the answers of 30 % of them (carried out and reset, carried
// out and silent, reset on a connection to the relay that was used before), to a Worker that is killed 20 times, in a workerd that repeats GETs.
// Promises: none is done or sent twice, none is sent on a used connection, what is told of each is true, and what is not known stands on the list; a
// quarter of an hour later (in runs of a tenth or more) nothing stands there.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundle} from '../faults/support/bundles.ts';
import {CommandDay} from '../faults/support/command-day.ts';
import {installWorkerdNext} from '../faults/support/workerd-next.ts';

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const plan = {
  commands: Math.round(10_000 * scale),
  kills: Math.ceil(20 * scale),
  faults: 0.3,
  patienceMs: scale < 0.1 ? 0 : 15 * 60_000,
};

installWorkerdNext();
const folder = mkdtempSync(path.join(tmpdir(), 'vezne-commands-'));
try {
  const began = performance.now();
  const {other, ...figures} = await CommandDay.run(await bundle(folder), plan);
  console.table({...plan, ...figures, minutes: ((performance.now() - began) / 60_000).toFixed(1)});
  if (Object.keys(other).length > 0) console.table(other);
  const forgotten = plan.patienceMs > 0 ? figures.listed : 0;
  if (figures.reused + figures.twice + figures.wrong + figures.lost + forgotten + Object.keys(other).length > 0)
    process.exitCode = 1;
} finally {
  rmSync(folder, {recursive: true, force: true});
}
