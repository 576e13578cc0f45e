/**
 * Searches the books of a month with very many rows. `npm run bench -- books` measures a million. The time of few rows
 * says nothing on a busy machine; `books.test.ts` proves that no search scans them.
 */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, inject, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth, formatPlatformDay} from '../../../../worker/lib/time.ts';
import {type DatedBooking, NO_DETAILS} from '../../../../worker/objects/archive/booking.ts';
import type {BooksQuery} from '../../../../worker/objects/archive/books-store.ts';
import {freshWorker} from '../../support/fresh-worker.ts';

freshWorker();

const BOOKED = inject('scale') === 1 ? 10_000 : 2_000;
const COPIES = inject('scale') === 1 ? 100 : 1;
const ROWS = BOOKED * COPIES;
const MAX_MS = 100;
const GIVEN = ['mehmet', 'ayşe', 'ipek', 'şükrü', 'çağla', 'özgür', 'gül', 'ılgaz', 'ümit', 'deniz'];

/** One name in 25 is a Mehmet, as in Turkey; family names are rarer. */
const nameOf = (index: number) =>
  `${index % 25 === 0 ? GIVEN[0] : `${GIVEN[index % 10]}${index % 37}`} soyad${index % 5_000}`;

const queries: Record<string, Partial<BooksQuery>> = {
  'the newest': {},
  'a whole name': {sender: 'MEHMET SOYAD25'},
  'a frequent name': {sender: 'mehmet soyad'},
  'the beginning of a frequent name': {sender: 'meh'},
  'a frequent name and an amount': {sender: 'mehmet', amount: 14_990},
  'an amount that half of the orders have': {amount: 14_990},
  'an amount on one day': {amount: 14_990, fromDay: 7, toDay: 7},
  'a user': {user: 'u-777'},
  'a code': {code: '881200000777'},
  'a transaction': {id: '777'},
  'an order': {order: 'S-777'},
  'a state that half of the rows have': {state: 'paid'},
  'a state that no row has': {state: 'expired'},
  'a state that no row has, and a frequent amount': {state: 'expired', amount: 14_990},
  'a type that no row has': {types: ['refund.settled']},
  'a bank that no row has': {bank: 'x'},
  'a bank that no row has, and a frequent type': {bank: 'x', types: ['money.arrived']},
  'a frequent type and a frequent state that never meet': {types: ['order.placed'], state: 'paid'},
  'unpaid orders of an amount, if all are paid': {amount: 14_990, types: ['order.placed'], unpaid: true},
};

/** Copies the booked rows and their tokens, in few statements, because a million calls take an hour. */
function copyRows(sql: SqlStorage): void {
  const columns = sql.exec<{name: string}>(`SELECT name FROM pragma_table_info('bookings')`).toArray();
  const values = columns.map(({name}) =>
    name === 'key' ? `key + ? * ${BOOKED}` : name === 'subject' ? `subject || '-' || ?` : `"${name}"`,
  );
  // All copies have the same names and the frequent amount. What else they are found by is their own.
  sql.exec('CREATE TABLE tokens (key INTEGER, token TEXT, own INTEGER)');
  sql.exec(
    `INSERT INTO tokens SELECT found_by.rowid, value, substr(value, 1, 1) IN ('o', 'c', 'd', 'u', 'i') OR value LIKE 'a%' AND value <> 'a14990'
     FROM found_by, json_each('["' || replace(tokens, ' ', '","') || '"]') WHERE found_by.rowid >= 0`,
  );
  sql.exec('CREATE INDEX tokens_key ON tokens (key)');
  sql.exec('CREATE TABLE originals AS SELECT * FROM bookings');
  for (let copy = 1; copy < COPIES; copy += 1) {
    sql.exec(`INSERT INTO bookings SELECT ${values.join(', ')} FROM originals`, copy, copy);
    sql.exec(
      `INSERT INTO found_by (rowid, tokens)
       SELECT key + ? * ${BOOKED}, (SELECT group_concat(iif(own, token || '_45_' || ?, token), ' ') FROM tokens WHERE tokens.key = originals.key)
       FROM originals`,
      copy,
      copy,
    );
  }
}

test(
  `the books of a month with ${ROWS} rows answer every search${COPIES > 1 ? ` within ${MAX_MS} ms` : ''}`,
  {timeout: 3_600_000},
  async ({annotate}) => {
    const month = formatMonth(Date.now());
    const today = Number(formatPlatformDay(Date.now()).slice(8));
    const books = contextOf(env).objects.books('DEMO', month);
    await runInDurableObject(books, (object, {storage}) => {
      const rows: DatedBooking[] = [];
      for (let number = 0; number < BOOKED / 2; number += 1) {
        const common = {
          ...NO_DETAILS,
          at: Date.now(),
          day: formatPlatformDay(Date.now()),
          corrects: null,
          order: `S-${number}`,
        };
        const due = number % 2 === 0 ? 14_990 : number;
        rows.push({
          ...common,
          id: 'placed',
          type: 'order.placed',
          state: 'waiting',
          due,
          userId: `u-${number}`,
          code: String(881_200_000_000 + number),
        });
        const money = {
          amount: due,
          bank: 'Garanti BBVA',
          method: 'transfer',
          sender: nameOf(number),
          transaction: String(number),
        } as const;
        rows.push({...common, ...money, id: 'in', type: 'money.arrived', state: 'paid', due});
      }
      object.book(month, rows);
      if (COPIES > 1) copyRows(storage.sql);
    });
    const times: Record<string, number> = {};
    const measure = async (name: string, read: () => Promise<unknown>) => {
      const measured: number[] = [];
      for (let count = 0; count < 5; count += 1) {
        const startedAt = performance.now();
        await read();
        measured.push(performance.now() - startedAt);
      }
      times[name] = Math.round(measured.toSorted((a, b) => a - b)[2] ?? 0);
    };
    for (const [name, query] of Object.entries(queries))
      await measure(name, () => books.findBookings(month, {fromDay: 1, toDay: 31, limit: 100, ...query}));
    const slow = Object.entries(times).filter(([, ms]) => ms > MAX_MS);
    await measure('the sums of a day with all rows', () => books.sumsOf(today));
    await annotate(JSON.stringify(times));
    if (COPIES > 1) expect(slow).toEqual([]);
    const copy = Array.from({length: BOOKED / 2}, (_, index) => nameOf(index)).toReversed();
    const names = Array.from({length: COPIES}, () => copy).flat();
    for (const name of ['mehmet soyad', 'meh', 'mehmet soyad25']) {
      const {rows} = await books.findBookings(month, {fromDay: 1, toDay: 31, limit: 50, sender: name});
      expect(rows.map(({sender}) => sender)).toEqual(names.filter((each) => each.startsWith(name)).slice(0, 50));
    }
  },
);
