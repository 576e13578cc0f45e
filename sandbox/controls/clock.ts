import * as z from 'zod';
import type {Context} from '../context.ts';
import type {ControlInput} from './control-input.ts';
import {readInput} from './read-input.ts';

const TEN_YEARS_IN_SECONDS = 10 * 366 * 24 * 60 * 60;

const Advance = z.object({
  advance_seconds: z
    .number('is a number of seconds')
    .min(0, 'is not below 0: the clock does not go back')
    .max(TEN_YEARS_IN_SECONDS, 'is at most ten years'),
});

/** POST /_sandbox/clock */
export function advanceClock({body}: ControlInput, {clock}: Context) {
  const {advance_seconds} = readInput(Advance, body);
  clock.advance(Math.round(advance_seconds * 1000));
  return {now: clock.now()};
}
