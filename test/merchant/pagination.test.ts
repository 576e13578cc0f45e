/** Tests how the client reads a search or the list of events to its end. */

import {expect, test} from 'vitest';
import {connect, failureOf, newOrder, pay, service} from './support/live-worker.ts';
import {problem, startStub} from './support/stub-server.ts';

const page = (items: readonly object[], next: string | null, more: object = {total: 5}) => ({
  status: 200,
  body: {items, next_cursor: next, ...more},
});
const ids = (...numbers: number[]) => numbers.map((id) => ({id: String(id)}));

/** Collects all items. */
async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

test('a search returns every transaction over several pages, and each page contains the total', async () => {
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

test('an item that is on two pages, because money was booked between two calls, is returned once', async () => {
  const stub = await startStub(page(ids(1, 2), 'a'), page(ids(2, 3), 'b'), page(ids(4), null));
  const search = stub.connect().charges.search({service, limit: 2});
  expect((await all(search)).map(({id}) => id)).toEqual(['1', '2', '3', '4']);
  const input = {service, limit: 2};
  expect(stub.requests.map(({body}) => JSON.parse(body) as unknown)).toEqual([
    input,
    {...input, cursor: 'a'},
    {...input, cursor: 'b'},
  ]);
});

test('a search sends no request until it is read, and fetches no more pages than are read', async () => {
  const stub = await startStub(page(ids(1, 2), 'a'), page(ids(3), 'b'));
  const search = stub.connect().messages.search({service});
  expect(stub.requests).toHaveLength(0);
  for await (const {id} of search) if (id === '3') break;
  expect(stub.requests).toHaveLength(2);
});

test('a search ends at a page whose next cursor is the cursor of the same page', async () => {
  const stub = await startStub(page(ids(1), 'a'), page(ids(2), 'a'));
  expect((await all(stub.connect().charges.search({service}))).map(({id}) => id)).toEqual(['1', '2']);
});

test('a search without results returns no items', async () => {
  const stub = await startStub(page([], null));
  expect(await all(stub.connect().subscriptions.search({service}))).toEqual([]);
});

test('when a page fails, the search returns the items of the earlier pages and then fails with the error', async () => {
  const stub = await startStub(
    page(ids(1), 'a'),
    problem('quota_exhausted', 429, {retryable: true, headers: {'retry-after': '3600'}}),
  );
  const seen: string[] = [];
  const error = await failureOf(
    (async () => {
      for await (const {id} of stub.connect().charges.search({service})) seen.push(id);
    })(),
  );
  expect([seen, error.message]).toEqual([['1'], 'quota_exhausted: A stub problem.']);
});

test('an aborted signal ends a search', async () => {
  const stub = await startStub(page(ids(1), 'a'));
  const caller = new AbortController();
  const reason = new Error('The caller stopped.');
  const readAll = async () => {
    for await (const _ of stub.connect().charges.search({service}, {signal: caller.signal})) caller.abort(reason);
  };
  expect(await failureOf(readAll())).toBe(reason);
  expect(stub.requests).toHaveLength(1);
});

test('a read of the list of events ends at the newest event, with a cursor for the next read', async () => {
  const stub = await startStub(page(ids(1, 2), 'a', {more: true}), page(ids(3), 'b', {more: false}));
  const pages = await all(stub.connect().events.list({cursor: 'z'}).pages());
  expect(pages.map(({next_cursor: next}) => next)).toEqual(['a', 'b']);
  expect(stub.requests.map(({path}) => path)).toEqual(['/merchant/v1/events?cursor=z', '/merchant/v1/events?cursor=a']);
});
