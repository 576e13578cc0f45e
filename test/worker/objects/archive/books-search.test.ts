/** Compares searches of the books with a plain filter of all rows, for random bookings and conditions. */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {BOOKING_TYPES} from '../../../../worker/contract/booking-types.ts';
import {foldedWords} from '../../../../worker/lib/names.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {type Booking, book, NO_DETAILS} from '../../../../worker/objects/archive/booking.ts';
import type {BooksConditions} from '../../../../worker/objects/archive/books-index.ts';
import type {BookedRow, BooksPage} from '../../../../worker/objects/archive/books-store.ts';
import {freshWorker} from '../../support/fresh-worker.ts';

freshWorker();

const WHOLE = {fromDay: 1, toDay: 31};
const ORDERS = ['S-1', 's-1', 'S 2', 'S"3', 'Ş-1', 'S-1 OR S-2'];
const USERS = ['u-7', 'U-7', 'u_45_7', 'u 7', '"', '*', '👤', 'NOT u'];
const CODES = ['881200450017', '881200450018', '8812'];
/** Names, and what the language of the index would read as its own words. */
const NAMES = [
  'İpek YILDIZ',
  'ipek yıldız-öz',
  'Mehmet Yıldırım',
  'MEHMET ÖZ',
  'Çağla Öztürk',
  'Ali OR Veli',
  '"mehmet" NEAR(oz)',
  'meh* ^ali : {found_by}',
];
const WORDS = [
  ...NAMES,
  'ipek',
  'yıl',
  'mehmet y',
  'öz',
  'meh',
  'veli ali',
  'ipek yildi',
  'ipe yil',
  'oz mehmet',
  'or',
];
const BANKS = ['Garanti BBVA', 'garanti bbva', 'Akbank'];
const IDS = ['7', '70', 'A7'];
const AMOUNTS = [0, 14_990, 1_499];
const STATES = ['waiting', 'paid', 'expired'] as const;

const orNull = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), {nil: null});

const bookings = fc.record({
  type: fc.constantFrom(...BOOKING_TYPES),
  order: orNull(ORDERS),
  userId: orNull(USERS),
  code: orNull(CODES),
  sender: orNull(NAMES),
  bank: orNull(BANKS),
  transaction: orNull(IDS),
  refund: orNull(IDS),
  receipt: orNull(IDS),
  amount: orNull(AMOUNTS),
  due: orNull(AMOUNTS),
  state: orNull(STATES),
  late: fc.boolean(),
});
const conditions = fc.record({
  sender: fc.constantFrom(...WORDS),
  user: fc.constantFrom(...USERS),
  amount: fc.constantFrom(...AMOUNTS),
  bank: fc.constantFrom(...BANKS),
  state: fc.constantFrom(...STATES),
  types: fc.subarray([...BOOKING_TYPES], {minLength: 1, maxLength: 2}),
  code: fc.constantFrom(...CODES),
  codeBeginning: fc.constantFrom('881200', '88120045001', '8812004500170'),
  order: fc.constantFrom(...ORDERS),
  id: fc.constantFrom(...IDS),
  work: fc.constantFrom('late' as const, 'unmatched' as const),
} satisfies Record<keyof BooksConditions, unknown>);
/** Few conditions at once, because many fit no row. */
const queries = conditions.chain((all) =>
  fc
    .subarray(Object.entries(all), {minLength: 1, maxLength: 2})
    .map((kept) => Object.fromEntries(kept) as BooksConditions),
);

/** Whether the sender has these words. The last one may be a beginning of three letters or more. */
function isSentBy(name: string, {sender}: BookedRow): boolean {
  const [words, own] = [foldedWords(name), foldedWords(sender ?? '')];
  const last = words.pop() ?? '';
  const hasLast = own.some((word) => (last.length >= 3 ? word.startsWith(last) : word === last));
  return hasLast && words.every((word) => own.includes(word));
}

function fits(row: BookedRow, all: readonly BookedRow[], query: BooksConditions): boolean {
  const {type, order, transaction} = row;
  const isOfMoney = (each: BookedRow) => each.transaction === transaction && each.order === order;
  const isMatched = all.some((each) => each.type === 'money.matched' && isOfMoney(each) && each.number > row.number);
  const isWork = {
    late: row.late && type === 'money.arrived' && row.amount !== null,
    unmatched: type === 'money.unmatched' && !isMatched,
  };
  const isOfOrder = type === 'order.placed' || type === 'order.amended';
  const checks: Record<keyof BooksConditions, boolean> = {
    sender: query.sender === undefined || isSentBy(query.sender, row),
    user: query.user === undefined || row.userId === query.user,
    amount: query.amount === undefined || (row.amount ?? row.due) === query.amount,
    bank: query.bank === undefined || row.bank === query.bank,
    state: query.state === undefined || row.state === query.state,
    types: query.types === undefined || query.types.includes(type),
    code: query.code === undefined || row.code === query.code,
    codeBeginning:
      query.codeBeginning === undefined || (isOfOrder && (row.code?.startsWith(query.codeBeginning) ?? false)),
    order: query.order === undefined || order === query.order,
    id: query.id === undefined || [transaction, row.refund, row.receipt].includes(query.id),
    work: query.work === undefined || isWork[query.work],
  };
  return Object.values(checks).every((each) => each);
}

const histories = fc.record({
  batches: fc.array(fc.array(bookings, {minLength: 1, maxLength: 8}), {minLength: 1, maxLength: 5}),
  forgottenOrders: fc.array(fc.constantFrom(...ORDERS), {maxLength: 2}),
  forgottenMoney: fc.array(fc.constantFrom(...IDS), {maxLength: 1}),
  searches: fc.array(queries, {minLength: 20, maxLength: 20}),
});
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

const numbersOf = (rows: readonly BookedRow[]) => rows.map(({number}) => number);

test('a search finds exactly the rows that fit all its conditions, also after rows were matched and forgotten', async () => {
  const {objects} = contextOf(env);
  const month = formatMonth(Date.now());
  let services = 0;
  const check = async ({batches, forgottenOrders, forgottenMoney, searches}: History) => {
    services += 1;
    const service = `DEMO-${services}`;
    const books = objects.books(service, month);
    let sent = 0;
    const send = (batch: History['batches'][number] = []) => {
      const at = Date.now();
      const all = batch.map((each): Booking => ({...NO_DETAILS, ...each, id: String((sent += 1)), at}));
      return book(objects, service, all);
    };
    for (const batch of batches) await send(batch);
    await books.forgetPersons('names', forgottenOrders, forgottenMoney);
    await books.forgetPersons('user', forgottenOrders, []);
    await send(batches[0]);
    const {rows: all} = await books.findBookings(month, {...WHOLE, limit: 1_000});
    expect(all).toHaveLength(sent);
    for (const search of searches) {
      const expected = numbersOf(all.filter((row) => fits(row, all, search)));
      const found: number[] = [];
      for (let next: number | null | undefined; next !== null;) {
        const page: BooksPage = await books.findBookings(month, {...WHOLE, ...search, limit: 7, before: next});
        found.push(...numbersOf(page.rows));
        next = page.next;
      }
      expect(found, JSON.stringify(search)).toEqual(expected);
      const {rows} = await books.findBookings(month, {...WHOLE, ...search, limit: 1_000, after: -1});
      expect(numbersOf(rows), JSON.stringify(search)).toEqual(expected.toReversed());
    }
    await runInDurableObject(books, (_object, {storage}) => {
      storage.sql.exec(`INSERT INTO found_by (found_by) VALUES ('integrity-check')`);
    });
  };
  await fc.assert(fc.asyncProperty(histories, check), {numRuns: 20});
});
