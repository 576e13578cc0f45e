// @ts-check
// Sends 10,000 commands (refunds of transfers, refunds of charges, cancellations) through the relay. 30 % of the
// answers are lost: either the platform executes the command, and then the connection is reset or stays silent, or a
// kept-alive connection to the relay breaks. The Worker is killed 20 times and runs in a workerd that repeats GET
// requests. Fails if a command is done twice, sent twice or sent on a used connection, if the Worker reports a wrong
// outcome or another error, or if a command with an unknown outcome is not listed. A run of at least a tenth of the
// commands also fails unless this list is empty within 15 minutes.

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
  const startedAt = performance.now();
  const {other, ...figures} = await CommandDay.run(await bundle(folder), plan);
  console.table({...plan, ...figures, minutes: ((performance.now() - startedAt) / 60_000).toFixed(1)});
  if (Object.keys(other).length > 0) console.table(other);
  const stillUnknown = plan.patienceMs > 0 ? figures.listed : 0;
  const {reused, twice, wrong, unlisted} = figures;
  if (reused + twice + wrong + unlisted + stillUnknown + Object.keys(other).length > 0) process.exitCode = 1;
} finally {
  rmSync(folder, {recursive: true, force: true});
}
