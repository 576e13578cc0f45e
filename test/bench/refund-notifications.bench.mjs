// @ts-check
// Sends 10,000 refund results to a Worker. Meanwhile the Worker is killed 20 times, and 30 % of its calls to the
// platform fail. Then sends 10,000 forged results. Fails if a result that the Worker answered with `OK` is lost or
// applied twice, or if a repeated or forged result changes a refund.

import {RefundDay} from '../faults/support/refund-day.ts';
import {check, scaled, withBundles} from './support/bench.mjs';

const plan = {refunds: scaled(10_000, 60), kills: scaled(20, 1), faults: 0.3, forged: scaled(10_000, 60)};

const startedAt = performance.now();
const {answersToForgeries, ...figures} = await withBundles((_, bundles) => RefundDay.run(bundles, plan));
console.table({...plan, ...figures, minutes: ((performance.now() - startedAt) / 60_000).toFixed(1)});
console.table(answersToForgeries);
check('no result is lost or applied twice', figures.lost + figures.twice === 0);
check('each reported result is the platform’s', figures.wrong === 0);
check('repeated results change nothing', figures.changedByRepetition === 0);
check('forged results change nothing', figures.changedByForgery === 0);
