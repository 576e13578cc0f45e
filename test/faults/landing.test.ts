/** A short run of `npm run bench -- landing-activities`. */

import {expect, inject, test} from 'vitest';
import {sendActivities} from './support/activity-run.ts';

test('9 activities reach the platform in sequence although calls fail and the Worker is killed', async () => {
  const {lost, repeated, unanswered, interrupted, outOfOrder} = await sendActivities(inject('bundles'), {
    activities: 9,
    kills: 1,
    faults: 0.2,
  });
  expect([lost, outOfOrder]).toEqual([0, 0]);
  expect(repeated).toBeLessThanOrEqual(unanswered + interrupted);
});
