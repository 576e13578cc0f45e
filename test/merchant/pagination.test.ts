/** Searches and feeds are walked to their end. */

import {expect, test} from 'vitest';
import {connect, failure, newOrder, pay, service} from './support/live-worker.ts';
import {problem, startStub} from './support/stub-server.ts';

const page = (items: readonly object[], next: string | null, more: object = {total: 5}) => ({
  status: 200,
  body: {items, next_cursor: next, ...more},
});
const ids = (...numbers: number[]) => numbers.map((id) => ({id: String(id)}));

/** Everything it gives. */
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const given: T[] = [];
  for await (const item of items) given.push(item);
  return given;
}

test('every transfer is walked, over several pages, and each page shows how many there are', async () => {
  const vezne = connect();
  const {order_code: code} = await vezne.orderCodes.create({service, order: newOrder(), amount: '31.07'});
  const paid: string[] = [];
  for (let count = 0; count < 7; count += 1) paid.push(await pay(code, '31.07'));
  const search = vezne.transactions.search({service, amount: '31.07', limit: 3});

  expect((await all(search)).map(({id}) => id).toSorted()).toEqual(paid.toSorted());
  expect((await all(search.pages())).map(({items, total}) => [items.length, total])).toEqual([
    [3, 7],
    [3, 7],
    [1, 7],
  ]);
  const {items, next_cursor: cursor} = await search;
  const next = await vezne.transactions.search({service, amount: '31.07', limit: 3, cursor: cursor ?? ''});
  expect(new Set([...items, ...next.items].map(({id}) => id)).size).toBe(6);
});

test('what a booking in between shows twice is given once', async () => {
  const stub = await startStub(page(ids(1, 2), 'a'), page(ids(2, 3), 'b'), page(ids(4), null));
  const search = stub.connect().charges.search({service, limit: 2});
  expect((await all(search)).map(({id}) => id)).toEqual(['1', '2', '3', '4']);
  const first = {service, limit: 2};
  expect(stub.asked.map(({body}) => JSON.parse(body) as unknown)).toEqual([
    first,
    {...first, cursor: 'a'},
    {...first, cursor: 'b'},
  ]);
});

test('a search asks nothing before it is read, and no more than is read', async () => {
  const stub = await startStub(page(ids(1, 2), 'a'), page(ids(3), 'b'));
  const search = stub.connect().messages.search({service});
  expect(stub.asked).toHaveLength(0);
  for await (const {id} of search) if (id === '3') break;
  expect(stub.asked).toHaveLength(2);
});

test('a cursor that leads to itself ends the walk', async () => {
  const stub = await startStub(page(ids(1), 'a'), page(ids(2), 'a'));
  expect((await all(stub.connect().charges.search({service}))).map(({id}) => id)).toEqual(['1', '2']);
});

test('nothing found is walked too', async () => {
  const stub = await startStub(page([], null));
  expect(await all(stub.connect().subscriptions.search({service}))).toEqual([]);
});

test('a page that fails ends the walk with its error, after what came before', async () => {
  const stub = await startStub(
    page(ids(1), 'a'),
    problem('quota_exhausted', 429, {retryable: true, headers: {'retry-after': '3600'}}),
  );
  const seen: string[] = [];
  const error = await failure(
    (async () => {
      for await (const {id} of stub.connect().charges.search({service})) seen.push(id);
    })(),
  );
  expect([seen, error.message]).toEqual([['1'], 'quota_exhausted: What is wrong.']);
});

test('a walk ends with its signal', async () => {
  const stub = await startStub(page(ids(1), 'a'));
  const caller = new AbortController();
  const reason = new Error('Enough.');
  const walk = async () => {
    for await (const _ of stub.connect().charges.search({service}, {signal: caller.signal})) caller.abort(reason);
  };
  expect(await failure(walk())).toBe(reason);
  expect(stub.asked).toHaveLength(1);
});

test('a feed is read until there is no more for now, and gives the place to go on from', async () => {
  const stub = await startStub(page(ids(1, 2), 'a', {more: true}), page(ids(3), 'b', {more: false}));
  const pages = await all(stub.connect().events.list({after: 'z'}).pages());
  expect(pages.map(({next_cursor: next}) => next)).toEqual(['a', 'b']);
  expect(stub.asked.map(({path}) => path)).toEqual(['/merchant/v1/events?after=z', '/merchant/v1/events?after=a']);
});
