/** Tests the books of a month: what is booked once, when a day closes, and how rows are found. */

import {evictDurableObject, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {foldedWords} from '../../../../worker/lib/names.ts';
import {formatPlatformDay, startOfDay} from '../../../../worker/lib/time.ts';
import {type Booking, book, NO_DETAILS} from '../../../../worker/objects/archive/booking.ts';
import {matchOf} from '../../../../worker/objects/archive/books-index.ts';
import {type BookedRow, type BooksQuery, statementOf} from '../../../../worker/objects/archive/books-store.ts';
import {advance, DAY, HOUR, MINUTE} from '../../support/clock.ts';
import {isStored, storedIn} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';

freshWorker();

const objects = () => contextOf(env).objects;
const monthOf = (day: string) => day.slice(0, 7);
const dayBefore = (day: string) => formatPlatformDay(startOfDay(day) - DAY);
const today = () => formatPlatformDay(Date.now());
const send = (...bookings: Booking[]) => book(objects(), 'DEMO', bookings);
const WHOLE = {fromDay: 1, toDay: 31, limit: 100};
const booksOf = (day: string) => objects().books('DEMO', monthOf(day));
const find = async (query: Partial<BooksQuery> = {}, day = today()): Promise<readonly BookedRow[]> =>
  (await booksOf(day).findBookings(monthOf(day), {...WHOLE, ...query})).rows;
const rowsOf = async (day: string): Promise<readonly BookedRow[]> =>
  find({fromDay: Number(day.slice(8)), toDay: Number(day.slice(8))}, day);

const money = (transaction: string, change: Partial<Booking> = {}): Booking => ({
  ...NO_DETAILS,
  id: `in ${transaction}`,
  type: 'money.arrived',
  at: Date.now(),
  order: `S-${transaction}`,
  amount: 14990,
  bank: 'Garanti BBVA',
  method: 'transfer',
  transaction,
  ...change,
});

/** Sets the clock to a time of day in Turkey, on the first of the next month. */
async function toFirstOfMonth(hours: number): Promise<string> {
  let day = formatPlatformDay(Date.now() + DAY);
  while (!day.endsWith('-01')) day = formatPlatformDay(startOfDay(day) + DAY);
  await advance(startOfDay(day) + hours * HOUR - Date.now());
  return day;
}

test('a booking that is sent again, also after the object was evicted, is one row', async () => {
  const row = money('7001', {sender: 'Ayşe Yılmaz'});
  await send(row, row);
  await evictDurableObject(booksOf(today()));
  await send(row);
  expect(await find()).toMatchObject([
    {day: today(), number: 1, corrects: null, order: 'S-7001', sender: 'Ayşe Yılmaz'},
  ]);
});

test('a day closes at 09:00: until then, what happened before midnight is a row of the day, and later of the next, which names it', async () => {
  const first = await toFirstOfMonth(-1);
  const last = dayBefore(first);
  const early = money('7001');
  await send(early);
  await advance(9 * HOUR);
  await send(money('7002', {at: startOfDay(first) - MINUTE}));
  const closed = await rowsOf(last);
  expect(closed.map(({transaction}) => transaction)).toEqual(['7002', '7001']);
  await advance(HOUR + MINUTE);
  const late = money('7003', {at: startOfDay(first) - MINUTE});
  await send(late, early);
  // The answer of the first call was lost, and the day on which it was booked has closed, too.
  await advance(3 * DAY);
  await send(late);
  expect(await rowsOf(last)).toEqual(closed);
  expect(await find({}, first)).toMatchObject([{day: first, transaction: '7003', corrects: last}]);
});

test('within a month, too, a later correction is a row of its own day', async () => {
  const first = await toFirstOfMonth(12);
  await advance(2 * DAY);
  await send(money('7001', {at: startOfDay(first) + HOUR}));
  await advance(2 * DAY);
  await send(money('7001', {at: startOfDay(first) + HOUR}));
  expect(await find()).toMatchObject([{day: formatPlatformDay(startOfDay(first) + 2 * DAY), corrects: first}]);
});

test('the time of a bank whose clock is fast is booked today, also at the end of a month', async () => {
  const first = await toFirstOfMonth(-1);
  await send(money('7001', {at: startOfDay(first) + HOUR}));
  expect(await rowsOf(dayBefore(first))).toMatchObject([{transaction: '7001', corrects: null}]);
});

test('the sums of a day are those of its rows', async () => {
  await send(
    money('7001', {state: 'paid', due: 14990}),
    money('7002', {amount: 10, bank: 'Akbank'}),
    money('7003', {amount: 5, bank: 'Akbank'}),
  );
  const {totals} = await booksOf(today()).sumsOf(Number(today().slice(8)));
  expect(totals.map(({bank, state, count, amount, due}) => [bank, state, count, amount, due])).toEqual([
    ['Akbank', null, 2, 15, 0],
    ['Garanti BBVA', 'paid', 1, 14990, 14990],
  ]);
});

test('an order that reaches a state twice on a day counts once, with its last amount', async () => {
  const paid = (turn: number, due: number) =>
    send(money(`700${turn}`, {order: 'S-7001', state: 'paid', due}), money(`710${turn}`, {order: 'S-7001'}));
  await paid(1, 14990);
  await send(money('7009', {type: 'money.withdrawn', order: 'S-7001', state: 'waiting', due: 14990}));
  await paid(2, 20000);
  await send(money('7003', {state: 'paid', due: 5000}));
  const {orders} = await booksOf(today()).sumsOf(Number(today().slice(8)));
  expect(orders).toEqual([
    {state: 'paid', count: 2, due: 25000},
    {state: 'waiting', count: 1, due: 14990},
  ]);
});

test.each([
  ['İpek YILDIZ', ['ipek', 'yildiz']],
  ['ipek yıldız', ['ipek', 'yildiz']],
  ['ŞÜKRÜ ÇAĞLAYAN-Öz', ['sukru', 'caglayan', 'oz']],
  ['Kâmil', ['kamil']],
  ['  ', []],
])('the name %j is searched as %j', (name, words) => {
  expect(foldedWords(name)).toEqual(words);
});

const people = ['İpek Yıldız', 'IPEK YILMAZ', 'Mehmet Yıldırım', 'Ayşe Nur Öztürk'];

test.each([
  [{sender: 'yıldız ipek'}, [0]],
  [{sender: 'YIL'}, [2, 1, 0]],
  [{sender: 'ipek yil'}, [1, 0]],
  [{sender: 'ozturk ayse'}, [3]],
  [{sender: 'ek'}, []],
  [{sender: 'yi'}, []],
  [{sender: 'nur öz'}, []],
  [{amount: 102}, [2]],
  [{amount: 102, sender: 'mehm'}, [2]],
  [{amount: 102, sender: 'ipek'}, []],
  [{id: '7001'}, [1]],
  [{order: 'S-7003'}, [3]],
  [{order: 'S-7003', sender: 'ipek'}, []],
  [{bank: 'Akbank'}, [2]],
  [{state: 'partial'}, [1]],
  [{types: ['refund.settled']}, []],
  [{work: 'late'}, [0]],
] satisfies [Partial<BooksQuery>, number[]][])('the search %j finds the rows %j', async (query, expected) => {
  for (const [index, sender] of people.entries())
    await send(
      money(`700${index}`, {
        sender,
        amount: 100 + index,
        late: index === 0,
        ...(index === 1 && {state: 'partial'}),
        ...(index === 2 && {bank: 'Akbank'}),
      }),
    );
  expect((await find(query)).map(({transaction}) => transaction)).toEqual(expected.map((index) => `700${index}`));
});

test('an order is found by its code and by the user, and all its rows by its reference', async () => {
  const placed = {
    ...NO_DETAILS,
    id: 'placed',
    type: 'order.placed',
    at: Date.now(),
    order: 'S-7001',
    due: 14990,
  } as const;
  await send({...placed, code: '881200450017', userId: 'u-7'}, money('7001'));
  for (const query of [{code: '881200450017'}, {user: 'u-7'}, {amount: 14990, types: ['order.placed' as const]}])
    expect(await find(query)).toMatchObject([{type: 'order.placed', order: 'S-7001', userId: 'u-7'}]);
  expect(await booksOf(today()).bookingsOf(monthOf(today()), 'S-7001')).toMatchObject([
    {type: 'order.placed'},
    {type: 'money.arrived'},
  ]);
});

/** Books the money of 20 orders. */
const send20 = async (from: number) => {
  for (let number = from; number < from + 20; number += 1) await send(money(String(number), {sender: 'Deniz Örnek'}));
};

test('pages end where the next one begins, and rows that come in between move nothing', async () => {
  await send20(100);
  const seen: (string | null)[] = [];
  const query = {...WHOLE, limit: 6, sender: 'deniz'};
  for (let next: number | null | undefined; next !== null;) {
    const page = await booksOf(today()).findBookings(monthOf(today()), {...query, before: next});
    seen.push(...page.rows.map(({transaction}) => transaction));
    next = page.next;
    if (seen.length === 6) await send20(200);
  }
  expect(seen).toEqual(Array.from({length: 20}, (_, index) => String(119 - index)));
});

test('no search scans a table, whatever its conditions are', async () => {
  await send(money('7001'));
  const conditions: Partial<BooksQuery>[] = [{}, {sender: 'ipek'}, {sender: 'ipek yil'}, {user: 'u-7'}, {amount: 1}];
  conditions.push({code: '1'}, {order: 'S-1'}, {id: '1'}, {work: 'late'}, {amount: 1, sender: 'ipek'});
  conditions.push({amount: 1, sender: 'ipek yil'}, {order: 'S-1', sender: 'ipek', amount: 1}, {before: 7, bank: 'x'});
  conditions.push({user: 'u-7', amount: 1, code: '1', after: 7}, {bank: 'x'}, {state: 'paid'}, {state: 'expired'});
  conditions.push({types: ['money.arrived']}, {types: ['refund.settled'], bank: 'x'}, {codeBeginning: '8812'});
  await runInDurableObject(booksOf(today()), (_object, {storage}) => {
    for (const condition of conditions) {
      const {text: sql, values} = statementOf({...WHOLE, ...condition});
      const plan = storage.sql.exec<{detail: string}>(`EXPLAIN QUERY PLAN ${sql}`, ...values).toArray();
      const steps = plan.map(({detail}) => detail);
      // The index sorts what it finds, and finds only keys of the asked days.
      const index = /^SCAN found_by VIRTUAL TABLE INDEX \d+:[<>=]*M/;
      expect(steps[0], sql).toMatch(matchOf(condition) === null ? /^SEARCH bookings USING INTEGER PRIMARY KEY/ : index);
      expect(steps.slice(1).join('\n'), sql).toMatch(/^(SEARCH bookings USING INTEGER PRIMARY KEY .*)?$/);
    }
  });
});

test('a person is forgotten: the rows and sums of the order stay, without name and user', async () => {
  const placed = {
    ...NO_DETAILS,
    id: 'placed',
    type: 'order.placed',
    at: Date.now(),
    order: 'S-7001',
    userId: 'u-7',
  } as const;
  await send(placed, money('7001', {sender: 'Ayşe Yılmaz'}), money('7002', {sender: 'Ayşe Yılmaz'}));
  const books = booksOf(today());
  expect(await books.ordersOfUser('u-7', 10)).toEqual(['S-7001']);
  expect(await books.forgetPersons('names', ['S-7001'], [])).toBe(1);
  // A repeated request finds the order again until everything else is done.
  expect(await books.ordersOfUser('u-7', 10)).toEqual(['S-7001']);
  expect(await books.forgetPersons('user', ['S-7001'], [])).toBe(1);
  expect(await books.forgetPersons('names', ['S-7001'], [])).toBe(0);
  expect((await find({sender: 'yilmaz'})).map(({transaction}) => transaction)).toEqual(['7002']);
  expect(await find({user: 'u-7'})).toEqual([]);
  expect(await find({id: '7001'})).toMatchObject([{amount: 14990, sender: null, userId: null}]);
});

test('who sent the money of a person is forgotten, also of the rows while it had no order or another one', async () => {
  const unmatched = {id: 'unmatched 7001', type: 'money.unmatched', order: null, sender: 'Ayşe Yılmaz'} as const;
  await send(
    money('7001', {...unmatched, description: 'lamba'}),
    money('7001', {...unmatched, id: 'matched 7001', type: 'money.matched'}),
    money('7001', {order: 'S-7000', sender: 'Ayşe Yılmaz'}),
    money('7001', {sender: 'Ayşe Yılmaz'}),
    money('7002', {...unmatched, id: 'unmatched 7002'}),
  );
  const books = booksOf(today());
  expect(await books.transactionsOf(['S-7001'])).toEqual(['7001']);
  expect(await books.forgetPersons('names', ['S-7001'], ['7001'])).toBe(4);
  expect((await find()).map(({transaction, sender}) => [transaction, sender])).toEqual([
    ['7002', 'Ayşe Yılmaz'],
    ['7001', null],
    ['7001', null],
    ['7001', null],
    ['7001', null],
  ]);
});

// Each call adds a part to the index, which merges parts from time to time.
test.each([0, 3, 30])(
  'no part of the index keeps a word of a person who was forgotten, after %i more calls',
  async (calls) => {
    const placed = {...NO_DETAILS, id: 'placed', type: 'order.placed', at: Date.now(), order: 'S-1'} as const;
    await send({...placed, userId: 'zubeyde.k'}, money('1', {sender: 'Zübeyde Karaçalı'}));
    for (let number = 2; number < calls + 2; number += 1) await send(money(String(number), {sender: 'Deniz Örnek'}));
    const books = booksOf(today());
    const stored = async () => JSON.stringify(await storedIn(books));
    for (const word of ['zubeyde', 'karacali', 'Zübeyde', 'zubeyde.k', 'zubeyde_46_k'])
      expect(await stored()).toContain(word);
    expect(await books.forgetPersons('names', ['S-1'], [])).toBe(1);
    expect(await books.forgetPersons('user', ['S-1'], [])).toBe(1);
    for (const word of ['zubeyde', 'karacal', 'Zübeyde', 'Karaçal']) expect(await stored()).not.toContain(word);
    expect(await stored()).toContain('S-1');
  },
);

test('the books of a month are erased 400 days after its end', async () => {
  await send(money('7001'));
  const books = booksOf(today());
  vi.setSystemTime(Date.now() + 434 * DAY);
  await runDurableObjectAlarm(books);
  expect(await isStored(books)).toBe(false);
});
