// @ts-check
// Sends 5,000 activities of a landing page while 30 % of the calls to the platform fail and the Worker is killed ten
// times. Fails if an activity is lost, or if more activities are repeated than answers may have been lost.

import {sendActivities} from '../faults/support/activity-run.ts';
import {check, scaled, withBundles} from './support/bench.mjs';

const plan = {activities: scaled(5_000, 9), kills: scaled(10, 1), faults: 0.3};

const startedAt = performance.now();
const figures = await withBundles((_, bundles) => sendActivities(bundles, plan));
console.table({...plan, ...figures, seconds: Math.round((performance.now() - startedAt) / 1000)});
const {lost, repeated, unanswered, interrupted} = figures;
check('no activity is lost', lost === 0);
check('no more activities are repeated than answers may have been lost', repeated <= unanswered + interrupted);
