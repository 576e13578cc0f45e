/** Tests the pages of a search that covers several months. */

import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../../worker/context.ts';
import {book, NO_DETAILS} from '../../../../../worker/objects/archive/booking.ts';
import {type MonthStart, searchMonths} from '../../../../../worker/routes/merchant/books.ts';
import {advance, DAY} from '../../../support/clock.ts';
import {freshWorker} from '../../../support/fresh-worker.ts';

freshWorker();

/** How many rows each month has, oldest first. */
const MONTHS = [2, 0, 3, 1, 0, 0, 2, 0, 4, 1, 0];

test('pages of every length have each row of all months once, newest first', async () => {
  const {objects} = contextOf(env);
  const sent: string[] = [];
  for (const count of MONTHS) {
    for (let index = 0; index < count; index += 1) {
      const transaction = String(7000 + sent.length);
      const money = {...NO_DETAILS, id: `in ${transaction}`, type: 'money.arrived' as const, amount: 100, transaction};
      await book(objects, 'DEMO', [{...money, at: Date.now()}]);
      sent.unshift(transaction);
    }
    await advance(31 * DAY);
  }
  for (const pageLength of [1, 2, 3, 5, sent.length, 100]) {
    const found: (string | null)[] = [];
    let at: MonthStart | null = null;
    let pages = 0;
    do {
      const {rows, next} = await searchMonths(objects, 'DEMO', {query: {types: ['money.arrived']}, at, pageLength});
      expect(rows.length).toBeLessThanOrEqual(pageLength);
      found.push(...rows.map(({transaction}) => transaction));
      at = next as MonthStart | null;
      pages += 1;
    } while (at !== null);
    expect(found, `pages of ${pageLength}`).toEqual(sent);
    expect(pages).toBeLessThanOrEqual(Math.ceil(sent.length / pageLength) + 1);
  }
});
