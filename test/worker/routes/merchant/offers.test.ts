/** Tests the endpoints of offers. `routes/browser/offers.test.ts` tests what pages buy. */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {Scope} from '../../../../worker/contract/merchant/scopes.ts';
import type {Offers, StoredOffer} from '../../../../worker/objects/offers.ts';
import {DAY, wireTime} from '../../support/clock.ts';
import {call, expectProblem, fieldsOf, newOrder, read} from './support/merchant-server.ts';

const LAMP = {kind: 'payment', service: 'DEMO', amount: '149.9', title: {tr: 'Lamba', en: 'Lamp'}} as const;
const CLUB = {
  kind: 'subscription' as const,
  product: 77,
  price: '12',
  period: 'weekly',
  title: {tr: 'Kulüp', en: 'Club'},
  terms: {tr: 'Koşullar', en: 'Terms'},
  operators: [{id: 1, name: 'Telemavi'}],
};
const HINT = 'PATCH /merchant/v1/order-codes changes the amount.';
const FIELDS = {seller: {name: 'Fener'}, expires_at: '2099-01-01T00:00:00+03:00', theme: {accent: '#0b5cad'}} as const;
const keyWith = async (...scopes: Scope[]) => {
  const {key} = await read('createKey', {name: scopes.join(' '), scopes});
  return {headers: {authorization: `Bearer ${key}`}};
};
const put = (id: string, offer: object = {}) => read('putOffer', {id, ...LAMP, ...offer});

test('an offer is made with a link and a QR code, is read and listed, and the same offer again changes nothing', async () => {
  const {qr, ...made} = await put('lamp', FIELDS);
  expect(made).toEqual({
    ...LAMP,
    ...FIELDS,
    amount: '149.90',
    hours: 72,
    uses: 'many',
    order: null,
    id: 'lamp',
    name: 'lamp',
    url: 'https://pay.example/p/lamp',
    created_at: wireTime(),
    changed_at: wireTime(),
  });
  expect(qr).toMatch(/^<svg .*viewBox="0 0 (\d+) \1".*<\/svg>$/);
  // The colors of the page's own icons do not reach a path that has colors itself.
  expect(String(qr).match(/<(?!svg)\w+ (?:\w+="(?:#\w+|none)" )*/g)).toEqual([
    '<path fill="#fff" stroke="none" ',
    '<path fill="#000" stroke="none" ',
  ]);
  const sameTime = {...FIELDS, expires_at: '2098-12-31T21:00:00.520Z'};
  expect(await put('lamp', sameTime)).toEqual({...made, qr});
  expect(await read('getOffer', {id: 'lamp'})).toEqual({...made, qr});
  const club = await read('putOffer', {id: 'club-2', ...CLUB});
  expect(club).toMatchObject({...CLUB, price: '12.00', url: 'https://pay.example/p/club-2'});
  expect((await read('listOffers', {})).items).toMatchObject([{id: 'club-2'}, made]);
});

test('a deleted offer is not found, and can be made again', async () => {
  await put('gone');
  expect(await read('deleteOffer', {id: 'gone'})).toEqual({id: 'gone', state: 'deleted'});
  for (const name of ['getOffer', 'deleteOffer'] as const)
    expectProblem(await call(name, {id: 'gone'}), 'unknown_offer');
  expect(await put('gone')).toMatchObject({id: 'gone'});
});

test('the offers of the configuration cannot be read, replaced or deleted', async () => {
  expectProblem(await call('putOffer', {id: 'gold', ...LAMP}), 'offer_configured');
  for (const name of ['getOffer', 'deleteOffer'] as const)
    expectProblem(await call(name, {id: 'gold'}), 'offer_configured');
  const broken = {bindings: {OFFERS: {broken: {kind: 'payment'}}}};
  expectProblem(await call('putOffer', {id: 'broken', ...LAMP}, broken), 'offer_configured');
});

test('a list has pages, and an expired offer is listed for 400 days', async () => {
  const offers = contextOf(env).objects.offers();
  const row = {...LAMP, amount: '149.90', hours: 72};
  for (let number = 100; number < 202; number += 1) await offers.put(`p-${number}`, row);
  const {items, next_cursor: cursor, total} = await read('listOffers', {});
  expect([items.at(0)?.id, items.at(-1)?.id, items.length, total]).toEqual(['p-100', 'p-199', 100, null]);
  const rest = await read('listOffers', {cursor: cursor ?? ''});
  expect([rest.items.map(({id}) => id), rest.next_cursor]).toEqual([['p-200', 'p-201'], null]);
  await put('p-100', {expires_at: new Date(Date.now() - 401 * DAY).toISOString()});
  await put('p-101', {expires_at: new Date(Date.now() - 399 * DAY).toISOString()});
  await put('p-202');
  expect((await read('listOffers', {})).items.at(0)).toMatchObject({id: 'p-101'});
});

describe('a bill', () => {
  test('keeps its link and its order when it is changed', async () => {
    const bill = await put('bill', {uses: 'one'});
    const {order = ''} = bill as {readonly order?: string};
    expect(bill).toMatchObject({uses: 'one', order: expect.stringMatching(/^VZ[0-9A-Z]{16}$/) as string});
    expect(bill.name).toMatch(/^bill\.[\w-]{30}$/);
    expect(bill.url).toBe(`https://pay.example/p/${bill.name}`);
    const {qr: _, ...same} = {...bill, amount: '10.00'};
    expect(await put('bill', {uses: 'one', amount: '10'})).toMatchObject(same);
    const message = 'A bill keeps its order and service until it is deleted. Choose another id.';
    const other = await call('putOffer', {id: 'bill', ...LAMP, order: 'S-1'});
    expectProblem(other, 'order_exists', {fields: [{path: 'order', message}]});
    expect(await put('bill', {order})).toMatchObject({uses: 'one', order, name: bill.name});
    expect((await put('other', {uses: 'one'})).name.slice(-30)).not.toBe(bill.name.slice(-30));
  });

  test('keeps its link and its order in each sequence of writes, until it is deleted', async () => {
    const lamp = {...LAMP, amount: '149.90', hours: 72};
    const writes = {
      one: {...lamp, uses: 'one' as const},
      named: {...lamp, order: 'S-1'},
      plain: lamp,
      club: {...CLUB, price: '12.00'},
      deleted: null,
    };
    const kinds = Object.keys(writes) as (keyof typeof writes)[];
    const sequences = kinds.flatMap((a) => kinds.flatMap((b) => kinds.flatMap((c) => kinds.map((d) => [a, b, c, d]))));
    const offers = contextOf(env).objects.offers();
    const ends = await runInDurableObject(offers as DurableObjectStub<Offers>, (object) =>
      sequences.flatMap((sequence, index) => {
        const id = `x-${index}`;
        let bill: StoredOffer | null = null;
        return sequence.map((kind, at) => {
          const before: StoredOffer | null = bill;
          const write = writes[kind];
          const answer = write ? object.put(id, {...write, title: {tr: `${at}`, en: 'x'}}) : object.remove(id, null);
          const found = object.find(id);
          bill = found?.order ? found : null;
          const isBill = kind === 'one' || kind === 'named';
          const kept = bill && before && [before.secret, before.order];
          return {sequence: sequence.slice(0, at + 1).join(), kind, isBill, before, bill, answer, kept};
        });
      }),
    );
    for (const {sequence, kind, isBill, before, bill, answer, kept} of ends) {
      const end = [bill !== null, bill && kept && [bill.secret, bill.order], typeof answer === 'string' && answer];
      const isOther = kind === 'named' && before?.order !== 'S-1' ? 'order' : false;
      const refusal = before !== null && kind !== 'deleted' && (isBill ? isOther : 'uses');
      expect([sequence, ...end]).toEqual([sequence, isBill || refusal !== false, kept, refusal]);
    }
    const secrets = ends.flatMap(({before, bill}) => (bill && !before ? [bill.secret] : []));
    const fresh = ends.filter(({sequence}) => /deleted,(one|named)$/.test(sequence));
    expect(fresh.every(({bill}) => bill && secrets.indexOf(bill.secret) === secrets.lastIndexOf(bill.secret))).toBe(
      true,
    );
  });

  test('does not get another amount than its order has', async () => {
    const order = newOrder();
    await put('ordered', {order});
    await read('createOrderCode', {service: 'DEMO', order, amount: '149.90'});
    const refused = await call('putOffer', {id: 'ordered', ...LAMP, order, amount: '150.00'});
    expectProblem(refused, 'order_exists', {
      fields: [{path: 'amount', message: `The order has the amount 149.90. ${HINT}`}],
    });
    expect(await put('ordered', {order, title: {tr: 'Yeni', en: 'New'}})).toMatchObject({order});
    await read('updateOrderCode', {service: 'DEMO', order, amount: '150.00'});
    expect(await put('ordered', {order, amount: '150.00'})).toMatchObject({amount: '150.00'});
  });

  test('of an order that a key names needs the scope `sessions`, and only a key that reads orders learns the amount', async () => {
    const order = newOrder();
    const {id: _, ...bill} = {id: '', ...LAMP, order};
    await read('createOrderCode', {service: 'DEMO', order, amount: '317.45'});
    const offers = await keyWith('offers', 'read', 'money', 'webhooks');
    for (const named of [order, newOrder()])
      expectProblem(await call('putOffer', {id: 'probe', ...bill, order: named}, offers), 'sessions_scope_missing');
    expect(await contextOf(env).objects.offers().find('probe')).toBeNull();
    const wrong = {...LAMP, origin: 'http://localhost:5173', order};
    for (const [scopes, known] of [
      [['offers', 'sessions'], 'another amount'],
      [['offers', 'sessions', 'read'], 'the amount 317.45'],
    ] as const) {
      const as = await keyWith(...scopes);
      const problem = {fields: [{path: 'amount', message: `The order has ${known}. ${HINT}`}]};
      expectProblem(await call('putOffer', {id: 'probe', ...bill}, as), 'order_exists', problem);
      expectProblem(await call('createSession', wrong, as), 'order_exists', problem);
    }
    await put('kept', {uses: 'one'});
    expect((await call('putOffer', {id: 'kept', ...LAMP, uses: 'one', amount: '5'}, offers)).status).toBe(200);
  });

  test('keeps the service of its order', async () => {
    const bindings = {SERVICES: {DEMO: {}, OTHER: {}}};
    const bill = {id: 'kept', ...LAMP, order: newOrder()};
    await put('kept', bill);
    const refused = await call('putOffer', {...bill, service: 'OTHER'}, {bindings});
    const message = 'A bill keeps its order and service until it is deleted. Choose another id.';
    expectProblem(refused, 'order_exists', {fields: [{path: 'service', message}]});
    const other = {...bill, service: 'OTHER', order: newOrder()};
    expectProblem(await call('putOffer', other, {bindings}), 'order_exists', {fields: [{path: 'order', message}]});
    await read('deleteOffer', {id: 'kept'});
    expect(await read('putOffer', other, {bindings})).toMatchObject({service: 'OTHER'});
  });
});

const MISTAKES = [
  [{id: 'a.b'}, 'id'],
  [{id: 'x'.repeat(41)}, 'id'],
  [{amount: '0'}, 'amount'],
  [{amount: 149.9}, 'amount'],
  [{title: {tr: 'Lamba'}}, 'title.en'],
  [{title: {tr: 'x'.repeat(201), en: 'x'}}, 'title.tr'],
  [{hours: 0}, 'hours'],
  [{hours: 2161}, 'hours'],
  [{seller: {name: ''}}, 'seller.name'],
  [{expires_at: 'tomorrow'}, 'expires_at'],
  [{uses: 'few'}, 'uses'],
  [{uses: 'many', order: 'S-1'}, 'order'],
  [{order: ''}, 'order'],
  [{theme: {accent: 'red'}}, 'theme.accent'],
  [{theme: {font: 'x'}}, 'theme.font'],
  [{price: '1.00'}, 'price'],
] as const;

test('the mistake in an offer is named', async () => {
  for (const [mistake, path] of MISTAKES) {
    const refused = await call('putOffer', {id: 'wrong', ...LAMP, ...mistake});
    expect([refused.status, fieldsOf(refused)], refused.text).toEqual([422, [path]]);
  }
});

test('an offer that nothing here can sell is refused', async () => {
  expectProblem(await call('putOffer', {id: 'x', ...LAMP, service: 'NONE'}), 'unknown_service', {
    fields: [{path: 'service', message: 'SERVICES does not include this service.'}],
  });
  const bindings = {LANDING_URL: undefined, LANDING_AUTHORIZATION: undefined};
  expectProblem(await call('putOffer', {id: 'x', ...CLUB}, {bindings}), 'not_configured', {
    fields: [{path: 'kind', message: 'A subscription needs LANDING_URL and LANDING_AUTHORIZATION.'}],
  });
  expect(await contextOf(env).objects.offers().find('x')).toBeNull();
});
