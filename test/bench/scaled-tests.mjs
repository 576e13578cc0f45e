// @ts-check
// Questions that tests answer. `npm run bench` runs these tests with all their cases; `npm test` runs a few of the cases,
// so `npm run bench -- --smallest` leaves them out.

/** Tests of sweeps whose number of searches, or of cases, grows with the scale. */
const SWEEPS = [
  'three searches per sweep',
  'with the readings',
  'of a future day',
  'of one day get',
  'rows of a page \\(',
];

/** The arguments of `npm test`, but for `sim`. @type {Readonly<Record<string, readonly [step: string, ...args: string[]]>>} */
export const SCALED_TESTS = {
  'books-size': ['worker', 'test/worker/objects/archive/books-size'],
  'day-cost': ['worker', 'test/worker/objects/cost/day-cost', 'test/worker/objects/cost/payment-cost'],
  'fault-matrix': ['faults', 'test/faults/operation-matrix'],
  'generated-requests': ['merchant-api', 'generated', 'input-properties', '--retry', '0'],
  'landing-activities': ['faults', 'test/faults/landing'],
  'offer-prices': ['worker', 'test/worker/routes/browser/offer-prices'],
  'order-limits': ['worker', 'test/worker/objects/cost/stranger-cost'],
  sim: ['sim'],
  sweep: ['worker', 'test/worker/objects/sweep', '-t', SWEEPS.join('|')],
  webhooks: ['worker', 'test/worker/objects/events/connection-limit', '-t', 'reach a receiver'],
};
