/** A small part of `npm run bench -- landing`; what many numbers get from many addresses is counted in `test/worker/routes/browser/pins.test.ts`. */

import {expect, inject, test} from 'vitest';
import {sendActivities} from './support/activity-run.ts';
import {sendForged} from './support/forged-requests.ts';
import {guessPin} from './support/pin-attacks.ts';

const PATIENCE = {timeout: 120_000};

test('of 300 guesses at a PIN from 100 addresses ten at most reach the platform', PATIENCE, async () => {
  const {reached, answers} = await guessPin(inject('bundles'), {guesses: 300, addresses: 100});
  expect(reached).toBeLessThanOrEqual(10);
  expect(Object.keys(answers).filter((answer) => !/^(422 pin_(wrong|blocked)|429 rate_limited)$/.test(answer))).toEqual(
    [],
  );
});

test('of 100 requests with altered origins, return addresses and prices none is accepted', PATIENCE, async () => {
  expect(await sendForged(inject('bundles'), 100)).toMatchObject({accepted: 0, asked: 0});
});

test('of 15 activities over a failing line, by a Worker that is killed, none is lost', PATIENCE, async () => {
  const {lost, repeated, unanswered, cutOff, disordered} = await sendActivities(inject('bundles'), {
    activities: 15,
    kills: 1,
    faults: 0.3,
  });
  expect([lost, disordered]).toEqual([0, 0]);
  expect(repeated).toBeLessThanOrEqual(unanswered + cutOff);
});
