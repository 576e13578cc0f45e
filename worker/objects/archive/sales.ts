/** Reads from the books what was sold. */

import type {Kurus} from '../../lib/money.ts';
import type {Sql} from '../object-storage.ts';
import {KEYS_PER_DAY} from './books-store.ts';

/** Orders of a day of the month, and the sum of their amounts. A type, because statements return it. */
export type SoldTotal = {
  readonly day: number;
  readonly offer: string;
  readonly campaign: string;
  readonly count: number;
  readonly amount: Kurus;
};

/** What was sold on these days of the month. */
export function salesOf(sql: Sql, fromDay: number, toDay: number): SoldTotal[] {
  return sql<SoldTotal>`
    SELECT CAST(key / ${KEYS_PER_DAY} AS INTEGER) AS day, sold_offer AS offer, sold_campaign AS campaign, count(*) AS count,
      coalesce(sum(due), 0) AS amount
    FROM bookings
    WHERE key >= ${fromDay * KEYS_PER_DAY} AND key < ${(toDay + 1) * KEYS_PER_DAY} AND sold_offer IS NOT NULL
    GROUP BY 1, 2, 3`;
}
