/** Sends activities of landing pages while calls fail and the Worker is killed; `npm run bench -- landing-activities`: 5,000. */

import process from 'node:process';
import {expect, inject, test} from 'vitest';
import {sendActivities} from './support/activity-run.ts';

const isBench = process.env['VEZNE_BENCH_SCALE'] === '1';
const PLAN = isBench ? {activities: 5_000, kills: 10, faults: 0.3} : {activities: 9, kills: 1, faults: 0.2};

test(`${PLAN.activities} activities reach the platform although calls fail and the Worker is killed`, async ({
  annotate,
}) => {
  const figures = await sendActivities(inject('bundles'), PLAN);
  await annotate(JSON.stringify(figures));
  const {lost, repeated, unanswered, interrupted, outOfOrder} = figures;
  expect(lost).toBe(0);
  expect(repeated).toBeLessThanOrEqual(unanswered + interrupted);
  // The bench counts the order, and does not judge it.
  if (!isBench) expect(outOfOrder).toBe(0);
});
