/** A part of `npm run bench -- commands`. */

import {expect, inject, test} from 'vitest';
import {CommandDay} from './support/command-day.ts';

const COMMANDS = 60;

test(
  'of refunds and cancellations whose answers get lost, by a relay, to a Worker that is killed, none is done twice and none is forgotten',
  {timeout: 120_000},
  async () => {
    const figures = await CommandDay.run(inject('bundles'), {commands: COMMANDS, kills: 1, faults: 0.3, patienceMs: 0});
    expect(figures).toMatchObject({reused: 0, twice: 0, wrong: 0, lost: 0, other: {}});
    expect(figures.doneAtOnce + figures.open).toBe(COMMANDS);
    expect(figures.doneLater + figures.notDone + figures.listed).toBe(figures.open);
  },
);
