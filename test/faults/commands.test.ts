/** A short run of `npm run bench -- commands`. */

import {expect, inject, test} from 'vitest';
import {CommandDay} from './support/command-day.ts';

const COMMANDS = 40;

test(
  'when answers are lost and the Worker is killed, each command is done at most once, and unknown outcomes are listed',
  {timeout: 120_000},
  async () => {
    const figures = await CommandDay.run(inject('bundles'), {
      commands: COMMANDS,
      kills: 1,
      faults: 0.15,
      patienceMs: 0,
    });
    expect(figures).toMatchObject({reused: 0, twice: 0, wrong: 0, unlisted: 0, other: {}});
    expect(figures.doneAtFirst + figures.unknownAtFirst).toBe(COMMANDS);
    expect(figures.doneLater + figures.notDone + figures.listed).toBe(figures.unknownAtFirst);
  },
);
