// @ts-check
// Sends 10,000 commands (refunds of transfers, refunds of charges, cancellations) through the relay. 30 % of the
// answers are lost: either the platform executes the command, and then the connection is reset or stays silent, or a
// kept-alive connection to the relay breaks. The Worker is killed 20 times and runs in a workerd that repeats GET
// requests. Fails if a command is done twice, sent twice or sent on a used connection, if the Worker reports a wrong
// outcome or another error, or if a command with an unknown outcome is not listed. A run of at least a tenth of the
// commands also fails unless this list is empty within 15 minutes.

import {CommandDay} from '../faults/support/command-day.ts';
import {installWorkerdNext} from '../faults/support/workerd-next.ts';
import {check, scaled, withBundles} from './support/bench.mjs';

const commands = scaled(10_000, 40);
const plan = {commands, kills: scaled(20, 1), faults: 0.3, patienceMs: commands < 1_000 ? 0 : 15 * 60_000};

installWorkerdNext();
const startedAt = performance.now();
const {other, ...figures} = await withBundles((_, bundles) => CommandDay.run(bundles, plan));
console.table({...plan, ...figures, minutes: ((performance.now() - startedAt) / 60_000).toFixed(1)});
const {reused, twice, wrong, unlisted, listed} = figures;
check('no command is done or sent twice, or on a used connection', twice + reused === 0);
check('each reported outcome is true', wrong === 0);
check('each command with an unknown outcome is listed', unlisted === 0);
check(`no other errors: ${JSON.stringify(other)}`, Object.keys(other).length === 0);
if (plan.patienceMs > 0) check(`${listed} commands with an unknown outcome after 15 minutes`, listed === 0);
