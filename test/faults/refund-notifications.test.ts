/** A short run of `npm run bench -- refund-notifications`. */

import {expect, inject, test} from 'vitest';
import {RefundDay} from './support/refund-day.ts';

test(
  'none of 200 refund results is lost or reported twice although calls fail and the Worker is killed, and 200 forged results change nothing',
  {timeout: 240_000},
  async () => {
    const figures = await RefundDay.run(inject('bundles'), {refunds: 200, kills: 2, faults: 0.15, forged: 200});
    expect(figures).toMatchObject({lost: 0, twice: 0, wrong: 0, changedByRepetition: 0, changedByForgery: 0});
  },
);
