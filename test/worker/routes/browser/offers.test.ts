/** Tests what pages buy with offers of the merchant API, and what strangers who name offers can do. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env, exports} from 'cloudflare:workers';
import {describe, expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {
  Handoff,
  NewPaymentSession,
  OrderCode,
  PlacedOrder,
  RedeemedSession,
} from '../../../../worker/contract/browser/answers.ts';
import {Offers} from '../../../../worker/objects/offers.ts';
import {IDS_PER_READ} from '../../../../worker/routes/offers.ts';
import {advance, DAY, HOUR, MINUTE, SECOND} from '../../support/clock.ts';
import {amendOrder, countObjectCalls, everythingStored, orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {openSocket} from '../../support/page-socket.ts';
import * as pages from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {callsDuring, countCalls, pay, setFault} from '../../support/sandbox.ts';

freshWorker();

/** Another isolate, which has read nothing. */
const otherIsolate = (bindings: object = {}) => ({isolate: {...env, ...bindings}});
type Isolate = ReturnType<typeof otherIsolate> | object;
const ask = (path: string, body: object, options: Isolate = {}) => pages.askAsPage('POST', path, {body, ...options});
const openSession = (offer: string, options?: Isolate) => ask('/v1/sessions', {offer}, options);
const place = (offer: string, shown_amount = '149.90', options?: Isolate) =>
  ask('/v1/order-code', {offer, attempt: crypto.randomUUID(), shown_amount}, options);
const sessionOf = (answer: pages.Answer) => pages.read(answer, NewPaymentSession, 201);
const codeOf = (answer: pages.Answer) => pages.read(answer, PlacedOrder);
/** The sweep finds money for the order. */
async function receive({order, order_code}: {order: string; order_code: string}, amount: string): Promise<void> {
  await runDurableObjectAlarm(orderObject(order));
  await pay({order_code, amount});
  await advance(3 * SECOND);
  await runSweep();
}
/** The order is deleted when its time has passed. */
async function forget(order: string, waitMs: number): Promise<void> {
  await advance(waitMs);
  await runDurableObjectAlarm(orderObject(order));
  expect(await orderObject(order).details()).toBeNull();
}
const CLUB = {
  product: 77,
  price: '12.00',
  period: 'weekly',
  service: undefined,
  terms: {tr: 'Koşullar', en: 'Terms'},
  operators: [{id: 1, name: 'Telemavi'}],
  amount: undefined,
};
const BILL = {kind: 'payment', service: 'DEMO', amount: '149.90', title: pages.TITLE, uses: 'one'} as const;
const prefillOf = async (token: string) => (await pages.askAsPage('GET', '/v1/payment-notices/prefill', {token})).body;
const remove = (id: string) => pages.askMerchant(`offers/${id}`, {}, undefined, 'DELETE');

test('an order keeps amount, title and seller of its offer when the offer is changed or deleted', async () => {
  await pages.putOffer('lamp', {product: 77});
  const {token, ...session} = sessionOf(await openSession('lamp'));
  const placed = codeOf(await place('lamp'));
  const other = {tr: 'Masa', en: 'Table'};
  await pages.putOffer('lamp', {amount: '10.00', title: other, seller: {name: 'Başkası'}});
  expect(session).toMatchObject({amount: '149.90', title: pages.TITLE});
  expect(pages.read(await ask('/v1/order-code', {session: token}), OrderCode)).toMatchObject({
    amount: '149.90',
    seller: pages.SELLER,
  });
  expectProblem(await place('lamp'), PROBLEMS.price_changed);
  expect(codeOf(await place('lamp', '10.00'))).toMatchObject({title: other, seller: {name: 'Başkası'}});
  expect((await remove('lamp')).status).toBe(200);
  expectProblem(await place('lamp', '10.00'), PROBLEMS.unknown_offer);
  await abortAllDurableObjects();
  await receive(placed, '149.90');
  expect(await pages.showPayment(placed.token)).toMatchObject({
    state: 'paid',
    paid: '149.90',
    title: pages.TITLE,
    seller: pages.SELLER,
  });
});

test('another isolate sees a new price after five seconds, and sells at no price that never was', async () => {
  const other = otherIsolate();
  const prices = async (amount: string) => [
    sessionOf(await openSession('chair')).amount,
    sessionOf(await openSession('chair', other)).amount,
    amount,
  ];
  await pages.putOffer('chair');
  expect(await prices('149.90')).toEqual(['149.90', '149.90', '149.90']);
  await pages.putOffer('chair', {amount: '120.00'});
  expect(await prices('120.00')).toEqual(['120.00', '149.90', '120.00']);
  expectProblem(await place('chair', '120.00', other), PROBLEMS.price_changed);
  await advance(5 * SECOND);
  expect(await prices('120.00')).toEqual(['120.00', '120.00', '120.00']);
});

test('a read of a payment asks for no offer, and an isolate asks once in five seconds', async () => {
  await pages.putOffer('desk');
  const isolate = otherIsolate();
  const calls = await countObjectCalls(async () => {
    for (let count = 0; count < 9; count += 1) sessionOf(await openSession('desk', isolate));
  });
  // `findNew` calls `find`.
  expect([calls['Offers.findNew'], calls['Offers.find']]).toEqual([1, 1]);
  const {token} = codeOf(await place('desk'));
  await advance(6 * SECOND);
  expect(await countObjectCalls(() => pages.showPayment(token))).not.toHaveProperty('Offers.find');
});

test('an offer that has expired is not sold, and its sessions and orders go on', async () => {
  const expires_at = new Date(Date.now() + MINUTE).toISOString();
  await pages.putOffer('sale', {expires_at, hours: 5});
  const {token} = sessionOf(await openSession('sale'));
  await advance(MINUTE);
  expectProblem(await openSession('sale'), PROBLEMS.offer_expired);
  expectProblem(await place('sale'), PROBLEMS.offer_expired);
  const {pay_until} = pages.read(await ask('/v1/order-code', {session: token}), OrderCode);
  expect(Date.parse(pay_until)).toBe(Date.now() + 5 * HOUR);
});

test('pages get the terms of a subscription, and an outdated consent has no texts', async () => {
  await pages.putOffer('club-2', {kind: 'subscription', ...CLUB});
  const session = await openSession('club-2');
  expect(session.body).toMatchObject({price: '12.00', terms: CLUB.terms, seller: pages.SELLER});
  const script = await pages.ask('/subscribe.js?offer=club-2', {headers: {origin: pages.ORIGIN}});
  expect(script.text).toContain('"id":"club-2"');
});

/** Names that strangers invent: of bills, and of other offers. */
const inventedBill = (number: number) => `bill.${btoa(`${number}`.padEnd(24, '~')).slice(0, 30)}`;
const invented = (number: number) => (number % 2 === 0 ? `x-${number}` : inventedBill(number));
const unlimited = {LIMITS: {address_sessions_per_minute: null}};

describe('strangers', () => {
  test('who name offers that do not exist wake the object once, and store nothing', async () => {
    const isolate = otherIsolate();
    const calls = await countObjectCalls(async () => {
      for (let count = 0; count < 9; count += 1)
        expectProblem(await openSession('none', isolate), PROBLEMS.unknown_offer);
      for (const name of ['', '.', 'a b', 'none.', '../x', 'x'.repeat(41), `${'x'.repeat(41)}.y`, 'a.b.c', '%2e'])
        await openSession(name, isolate);
    });
    const asked = Object.entries(calls).filter(([name]) => name.startsWith('Offers.'));
    expect(Object.fromEntries(asked)).toEqual({'Offers.findNew': 1, 'Offers.find': 1});
    expect(await everythingStored()).not.toContain('none');
  });

  test('who invent hundreds of names cost two calls, and first views of offers and bills succeed all the while', async () => {
    const names = ['lamp', 'vase'].map((id) => pages.putOffer(id));
    const bills = ['rug', 'bowl'].map((id) => pages.putOffer(id, {uses: 'one'}));
    const honest = await Promise.all([...names, ...bills]);
    const isolate = otherIsolate(unlimited);
    const calls = await countObjectCalls(async () => {
      for (let number = 0; number < 400; number += 1)
        expect((await openSession(invented(number), isolate)).status).toBe(404);
      for (const name of honest) sessionOf(await openSession(name, isolate));
    });
    expect(calls).toMatchObject({'Offers.findNew': 1, 'Offers.linkKey': 1, 'Offers.find': 1 + honest.length});
  });

  test('do not hide an offer that another isolate has just made for more than a second', async () => {
    const isolate = otherIsolate(unlimited);
    expectProblem(await openSession('x', isolate), PROBLEMS.unknown_offer);
    await pages.putOffer('new');
    const bill = await pages.putOffer('new-bill', {uses: 'one'});
    sessionOf(await openSession(bill, isolate));
    await advance(SECOND);
    sessionOf(await openSession('new', isolate));
  });

  test('of one site have a limit of their own for names that do not exist, also in scripts', async () => {
    const keys: string[] = [];
    const limit = ({key}: {key: string}) => Promise.resolve({success: keys.push(key) <= 1});
    const isolate = otherIsolate({ADDRESS_RATE: {limit}});
    await pages.putOffer('sofa');
    const view = (name: string, host: number) =>
      pages.ask(`/checkout.js?offer=${name}`, {headers: {'cf-connecting-ip': `2001:db8:7:${host}::1`}, ...isolate});
    for (let host = 0; host < 6; host += 1) await view(invented(host), host);
    expect(keys).toEqual(Array.from({length: 6}, () => 'offers 2001:db8:7::/48'));
    await advance(SECOND);
    expect((await view('sofa', 1)).text).toContain('"id":"sofa"');
    expect(keys).toHaveLength(6);
  });
});

/** Adds offers like `lamp`, of which each was changed `apart` ms after the last one. */
const fill = (from: number, count: number, apart = 10) =>
  runInDurableObject(contextOf(env).objects.offers(), (_object, {storage: {sql}}) => {
    sql.exec(
      `WITH RECURSIVE n(i) AS (SELECT CAST(? AS INTEGER) UNION ALL SELECT i + 1 FROM n WHERE i < ?)
       INSERT INTO offers SELECT 'o-' || i, offer, secret, NULL, NULL, created_at, changed_at + ? * i FROM offers, n WHERE id = 'lamp'`,
      from,
      from + count - 1,
      apart,
    );
  });

describe('the list of ids that an isolate keeps', () => {
  test('has all of thousands of offers after some questions', async () => {
    await pages.putOffer('lamp');
    await fill(0, 2 * IDS_PER_READ);
    const isolate = otherIsolate(unlimited);
    const readsOf = async (name: string) => {
      const calls = await countObjectCalls(async () => openSession(name, isolate));
      return calls['Offers.findNew'] ? 'list' : calls['Offers.find'] ? 'offer' : 'nothing';
    };
    const reads = [];
    for (const name of ['x-1', 'x-2', 'x-3', 'x-4', 'o-1', `o-${2 * IDS_PER_READ - 1}`])
      reads.push(await readsOf(name));
    expect(reads).toEqual(['list', 'list', 'list', 'nothing', 'offer', 'offer']);
    await fill(2 * IDS_PER_READ, 3);
    await advance(SECOND);
    expect([await readsOf('x-5'), await readsOf(`o-${2 * IDS_PER_READ + 1}`)]).toEqual(['list', 'offer']);
  });

  test('has all of thousands of offers that were changed at once, also when it is read again', async () => {
    await pages.putOffer('lamp');
    await fill(0, IDS_PER_READ + 2, 0);
    const isolate = otherIsolate(unlimited);
    const offers = [0, IDS_PER_READ + 1, Math.floor(IDS_PER_READ / 2)].map((number) => `o-${number}`);
    for (let round = 0; round < 2; round += 1) {
      const calls = await countObjectCalls(async () => {
        for (const name of ['x-1', 'x-2', 'x-3', 'x-4']) await openSession(name, isolate);
        for (const name of offers) sessionOf(await openSession(name, isolate));
      });
      expect(calls).toMatchObject({'Offers.findNew': 2, 'Offers.find': 2 + offers.length});
      await advance(6 * SECOND);
    }
  });

  test('is read again after a failure, and hides no offer after the clock was set back', async () => {
    const isolate = otherIsolate(unlimited);
    await pages.putOffer('lamp');
    const failing = vi.spyOn(Offers.prototype, 'findNew').mockImplementationOnce(() => {
      throw new Error('Out of memory');
    });
    expectProblem(await openSession('lamp', isolate), PROBLEMS.temporarily_unavailable);
    failing.mockRestore();
    sessionOf(await openSession('lamp', isolate));
    vi.setSystemTime(Date.now() - HOUR);
    await pages.putOffer('vase');
    for (const name of ['x', 'vase', 'lamp']) await openSession(name, isolate);
    sessionOf(await openSession('vase', isolate));
  });
});

describe('a bill', () => {
  test('is one order on every device and with every attempt, with one code', async () => {
    const name = await pages.putOffer('bill', {order: 'S-7'});
    const [first, second] = [codeOf(await place(name)), codeOf(await place(name, '149.90', otherIsolate()))];
    expect(first).toMatchObject({order: 'S-7', amount: '149.90', title: pages.TITLE, seller: pages.SELLER});
    const {token: _, ...same} = second;
    expect(first).toMatchObject(same);
    const session = sessionOf(await openSession(name));
    expect(session.order).toBe('S-7');
    expect(pages.read(await ask('/v1/order-code', {session: session.token}), OrderCode).order_code).toBe(
      first.order_code,
    );
    expect(await countCalls('/orderToReference/create')).toBe(1);
  });

  test('is found only by its whole name, which no order stores', async () => {
    const name = await pages.putOffer('invoice', {uses: 'one'});
    const {order} = codeOf(await place(name));
    const wrong = `${name.slice(0, -1)}${name.endsWith('A') ? 'B' : 'A'}`;
    for (const guess of ['invoice', `${name}A`, name.slice(0, -1), wrong, `Invoice${name.slice(7)}`])
      expectProblem(await openSession(guess), PROBLEMS.unknown_offer);
    expect(await orderObject(order).details()).toMatchObject({offer: 'invoice'});
  });

  test('opens after a rotation of the secret, on an isolate that could not read the key at first', async () => {
    const name = await pages.putOffer('kept', {uses: 'one'});
    const isolate = otherIsolate({SESSION_SECRET: 'another secret of thirty-two or more characters'});
    const failing = vi.spyOn(Offers.prototype, 'linkKey').mockImplementationOnce(() => {
      throw new Error('Out of memory');
    });
    expectProblem(await openSession(name, isolate), PROBLEMS.temporarily_unavailable);
    failing.mockRestore();
    expect(sessionOf(await openSession(name, isolate)).order).toBe(sessionOf(await openSession(name)).order);
  });

  test('made after the storage of all offers was lost opens on isolates that knew the former key, and they hand out links that open', async () => {
    const [seller, shopper] = [otherIsolate(), otherIsolate(unlimited)];
    const headers = {authorization: 'Bearer sandbox-merchant-api-key', 'content-type': 'application/json'};
    const put = async (id: string, isolate: Isolate) => {
      const write = {method: 'PUT', headers: {...headers, 'idempotency-key': id}, body: JSON.stringify(BILL)};
      return ((await pages.ask(`/merchant/v1/offers/${id}`, {...write, ...isolate})).body as {name: string}).name;
    };
    const lost = await put('lost', seller);
    sessionOf(await openSession(lost, shopper));
    await runInDurableObject(contextOf(env).objects.offers(), (_object, {storage}) => storage.deleteAll());
    await abortAllDurableObjects();
    await advance(5 * SECOND);
    const name = await put('new', otherIsolate());
    const calls = await countObjectCalls(async () => {
      expect(sessionOf(await openSession(name, shopper)).amount).toBe(BILL.amount);
      for (let number = 1; number < 40; number += 2) await openSession(inventedBill(number), shopper);
      expectProblem(await openSession(lost, shopper), PROBLEMS.unknown_offer);
    });
    expect(calls).toMatchObject({'Offers.linkKey': 1});
    sessionOf(await openSession(await put('newer', seller), shopper));
  });

  test('keeps its link and its order when an offer of many orders or a subscription is put over it', async () => {
    const name = await pages.putOffer('stays', {uses: 'one'});
    const {order} = codeOf(await place(name));
    for (const over of [{}, {uses: 'many'}, {kind: 'subscription', ...CLUB}]) {
      const body = {kind: 'payment', service: 'DEMO', amount: '149.90', title: pages.TITLE, ...over};
      const {status, body: refused} = await pages.askMerchant('offers/stays', body, undefined, 'PUT');
      expect([status, refused]).toMatchObject([409, {code: 'order_exists', fields: [{path: 'uses'}]}]);
      expect(sessionOf(await openSession(name, otherIsolate())).order).toBe(order);
    }
    expect(await pages.putOffer('stays', {uses: 'one', title: {tr: 'Yeni', en: 'New'}})).toBe(name);
    expect(codeOf(await place(name)).order).toBe(order);
    await remove('stays');
    const renewed = await pages.putOffer('stays', {uses: 'one'});
    expectProblem(await openSession(name), PROBLEMS.unknown_offer);
    expect(sessionOf(await openSession(renewed)).order).not.toBe(order);
  });

  test('tells the next payer that it is paid or cancelled, and shows no transfer to anyone with its link', async () => {
    const name = await pages.putOffer('rent', {order: 'S-8'});
    const bill = codeOf(await place(name));
    await receive(bill, '49.90');
    const early = codeOf(await place(name)).token;
    expect(await pages.showPayment(early)).toMatchObject({state: 'partial', remaining: '100.00', transactions: []});
    await receive(bill, '100.00');
    for (const answer of [await place(name), await openSession(name)]) expectProblem(answer, PROBLEMS.order_paid);
    for (const device of [bill.token, early])
      expect(await pages.showPayment(device)).toMatchObject({state: 'paid', transactions: []});
    const cancelled = await pages.putOffer('second-rent', {order: 'S-9'});
    codeOf(await place(cancelled));
    expect((await pages.askMerchant('orders/cancel', {service: 'DEMO', order: 'S-9'})).status).toBe(200);
    expectProblem(await openSession(cancelled), PROBLEMS.order_cancelled);
  });

  test('shows nothing of the shopper and no transfer of an order that the merchant’s server made, whose own page keeps them', async () => {
    const prefill = {name: 'Deniz Örnek', email: 'deniz@shop.example'};
    const order = {kind: 'payment', service: 'DEMO', order: 'S-10', amount: '149.90', prefill};
    const {token: own} = await pages.openMerchantSession(order);
    const name = await pages.putOffer('given', {order: 'S-10'});
    const page = await exports.default.fetch(`${pages.WORKER}/p/${name}`);
    expect(await page.text()).toContain('vezne-checkout');
    const bill = codeOf(await place(name));
    const sockets = await Promise.all([own, bill.token].map((token) => openSocket(token)));
    const handedOver = await Promise.all(
      [own, bill.token].map(async (token) => {
        const {code} = pages.read(await pages.askAsPage('POST', '/v1/handoffs', {token}), Handoff, 201);
        const claim = {code, ...(token !== own && {offer: name})};
        return pages.read(await ask('/v1/handoffs/redeem', claim), RedeemedSession, 201).token;
      }),
    );
    await receive(bill, '49.90');
    const shown = await Promise.all([own, bill.token, ...handedOver].map((token) => pages.showPayment(token)));
    expect(shown.map(({transactions}) => transactions.length)).toEqual([1, 0, 1, 0]);
    const pushed = await Promise.all(sockets.map(async (socket) => (await socket.rest()).at(-1)));
    expect(pushed.map((payment) => payment?.transactions.length)).toEqual([1, 0]);
    expect(await prefillOf(own)).toMatchObject({amount: '100.00', ...prefill});
    expect(await prefillOf(bill.token)).toMatchObject({amount: '100.00', name: null, email: null, phone: null});
  });

  test('has the amount of its order when the merchant has changed that', async () => {
    const name = await pages.putOffer('repair', {order: 'S-11'});
    codeOf(await place(name));
    await amendOrder('S-11', 20_000);
    expect(sessionOf(await openSession(name)).amount).toBe('200.00');
    expectProblem(await place(name), PROBLEMS.price_changed);
    expect(codeOf(await place(name, '200.00')).amount).toBe('200.00');
  });

  test('does not get another amount than the order of a shopper whose first attempt failed', async () => {
    const name = await pages.putOffer('tried', {order: 'S-14'});
    await setFault({operation: 'orderToReference/create', kind: '500-html', times: 1});
    expect((await place(name)).status).toBeGreaterThanOrEqual(500);
    const body = {kind: 'payment', service: 'DEMO', amount: '200.00', title: pages.TITLE, order: 'S-14'};
    const refused = await pages.askMerchant('offers/tried', body, undefined, 'PUT');
    expect(refused.body).toMatchObject({code: 'order_exists', fields: [{path: 'amount'}]});
    expect(codeOf(await place(name)).amount).toBe('149.90');
  });

  test('can be opened for weeks before somebody pays, and never again when its order was deleted', async () => {
    const name = await pages.putOffer('old', {uses: 'one', hours: 1});
    sessionOf(await openSession(name));
    await advance(20 * DAY);
    const {order} = codeOf(await place(name));
    await advance(7 * DAY + HOUR - MINUTE);
    const late = sessionOf(await openSession(name)).token;
    await forget(order, 2 * MINUTE);
    for (const answer of [await openSession(name), await place(name), await ask('/v1/order-code', {session: late})])
      expectProblem(answer, PROBLEMS.offer_expired);
    expect(await orderObject(order).details()).toBeNull();
  });

  test('whose order was paid and deleted says so, whoever made the order and whichever bill names it', async () => {
    const given = {service: 'DEMO', order: 'S-12', amount: '149.90'};
    const made = await pages.askMerchant('order-codes', given);
    await receive({order: 'S-12', ...(made.body as {order_code: string})}, '149.90');
    const first = await pages.putOffer('first', {order: 'S-12'});
    expectProblem(await openSession(first), PROBLEMS.order_paid);
    await forget('S-12', 99 * DAY);
    expect((await remove('first')).status).toBe(200);
    const renewed = await pages.putOffer('first', {order: 'S-12'});
    const second = await pages.putOffer('second', {order: 'S-12'});
    const created = await callsDuring('/orderToReference/create', async () => {
      for (const name of [renewed, second])
        for (const answer of [await openSession(name), await place(name)]) expectProblem(answer, PROBLEMS.order_paid);
    });
    expect(created).toBe(0);
    expectProblem(await openSession(first), PROBLEMS.unknown_offer);
  });

  test('is handed to a second device without the secret of its link', async () => {
    const name = await pages.putOffer('moved', {uses: 'one'});
    const {token, order} = codeOf(await place(name));
    const {code} = pages.read(await pages.askAsPage('POST', '/v1/handoffs', {token}), Handoff, 201);
    await remove('moved');
    expect(await everythingStored()).not.toContain(name.split('.')[1]);
    expectProblem(await ask('/v1/handoffs/redeem', {code, offer: 'other'}), PROBLEMS.handoff_invalid);
    const redeemed = pages.read(await ask('/v1/handoffs/redeem', {code, offer: name}), RedeemedSession, 201);
    expect(redeemed.order).toBe(order);
    await receive(pages.read(await ask('/v1/order-code', {session: redeemed.token}), OrderCode), '149.90');
    expect(await pages.showPayment(redeemed.token)).toMatchObject({state: 'paid', transactions: []});
  });
});
