/** A short run of `npm run bench -- refund-notifications`. */

import {expect, inject, test} from 'vitest';
import {RefundDay} from './support/refund-day.ts';

test(
  'when calls fail and the Worker is killed, each refund result is reported once, and forged results change nothing',
  {timeout: 120_000},
  async () => {
    const figures = await RefundDay.run(inject('bundles'), {refunds: 60, kills: 1, faults: 0.15, forged: 60});
    expect(figures).toMatchObject({lost: 0, twice: 0, wrong: 0, changedByRepetition: 0, changedByForgery: 0});
  },
);
