/** A fiftieth of `npm run bench -- refund-notifications`. */

import {expect, inject, test} from 'vitest';
import {RefundDay} from './support/refund-day.ts';

test(
  'of 200 refunds told over a failing line to a Worker that is killed none is lost or told twice, and 200 forgeries change nothing',
  {timeout: 240_000},
  async () => {
    const figures = await RefundDay.run(inject('bundles'), {refunds: 200, kills: 2, faults: 0.15, forged: 200});
    expect(figures).toMatchObject({lost: 0, twice: 0, wrong: 0, changedByRepetition: 0, changedByForgery: 0});
  },
);
