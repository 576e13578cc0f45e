/**
 * Attacks on a landing page, and a short run of `npm run bench -- landing-activities`. The limits on attacks that use many numbers or many IP addresses are
 * tested in `test/worker/routes/browser/pins.test.ts`.
 */

import {expect, inject, test} from 'vitest';
import {sendActivities} from './support/activity-run.ts';
import {sendForged} from './support/forged-requests.ts';
import {guessPin} from './support/pin-attacks.ts';

const OPTIONS = {timeout: 120_000};

test('at most ten of 100 PIN guesses from 50 IP addresses reach the platform', OPTIONS, async () => {
  const {reached, answers} = await guessPin(inject('bundles'), {guesses: 100, addresses: 50});
  expect(reached).toBeLessThanOrEqual(10);
  expect(Object.keys(answers).filter((answer) => !/^(422 pin_(wrong|blocked)|429 rate_limited)$/.test(answer))).toEqual(
    [],
  );
});

test(
  'the Worker refuses 90 requests with a wrong origin, return URL or price, without a platform call',
  OPTIONS,
  async () => {
    // Each kind of request with each kind of forgery.
    expect(await sendForged(inject('bundles'), 90)).toMatchObject({accepted: 0, calls: 0});
  },
);

test('9 activities reach the platform in sequence although calls fail and the Worker is killed', OPTIONS, async () => {
  const {lost, repeated, unanswered, interrupted, outOfOrder} = await sendActivities(inject('bundles'), {
    activities: 9,
    kills: 1,
    faults: 0.2,
  });
  expect([lost, outOfOrder]).toEqual([0, 0]);
  expect(repeated).toBeLessThanOrEqual(unanswered + interrupted);
});
