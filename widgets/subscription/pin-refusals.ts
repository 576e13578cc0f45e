/** What a refusal means for the PIN and the number with which the shopper tries to subscribe. */

import type {Problem, ProblemCode} from '../core/problem.ts';

const PIN_ENDING = /pin_(expired|blocked)/;

const FINAL: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'not_eligible',
  'already_subscribed',
  'billing_cap_reached',
  'daily_cap_reached',
  'test_mode',
  'landing_not_found',
  'unknown_offer',
]);

/** Whether the current PIN can no longer be used after this problem. */
export function endsPin({code}: Problem): boolean {
  return PIN_ENDING.test(code);
}

/**
 * Whether no PIN can subscribe this number after this problem. After some of these problems, the shopper can use
 * another number.
 */
export function isFinal({code, endsSession}: Problem): boolean {
  return endsSession || FINAL.has(code);
}

/** The codes with which an attempt may have succeeded although it seems to have failed. */
const UNCLEAR = /outcome|internal|network|timeout|unreadable|offline/;

/** Whether the outcome of the attempt is unknown. */
export function isUnclear({code}: Problem): boolean {
  return UNCLEAR.test(code);
}
