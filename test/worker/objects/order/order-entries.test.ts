/** Tests what a change of an order adds to its journal. */

import {abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth} from '../../../../worker/lib/time.ts';
import {balanceOf} from '../../../../worker/objects/archive/booking.ts';
import {bookingOf, nameless} from '../../../../worker/objects/events/entry.ts';
import {archived, concluded} from '../../../../worker/objects/order/order-effects.ts';
import {
  refundIn,
  withArrivals,
  withCharge,
  withoutArrival,
  withReadArrival,
  withRefund,
} from '../../../../worker/objects/order/order-money.ts';
import {
  type Change,
  completed,
  EMPTY_ORDER,
  opened,
  type OrderArrival,
  type OrderState,
  withRecord,
} from '../../../../worker/objects/order/order-state.ts';
import {advance, HOUR, SECOND} from '../../support/clock.ts';
import {orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {askMerchant} from '../../support/page.ts';
import {pay} from '../../support/sandbox.ts';
import {breakOutbox, outboxObject, repairOutbox} from '../../support/webhook-receiver.ts';

freshWorker();

const NOW = Date.UTC(2026, 10, 21, 9);
const open = opened(EMPTY_ORDER, {service: 'DEMO', order: 'S-1', amount: 14990, hours: 72}, NOW - HOUR);
const coded = withRecord(open, {code: '80001', requested: true});
const MONEY = {id: '7001', amount: 14990, currency: 'TRY', bank: 'TEB', at: NOW, state: 'unknown'};
const CHARGE = {id: '9001', amount: 14990, at: NOW, state: 'successful'};

const after = (order: OrderState, ...changes: readonly Change[]): OrderState =>
  changes.reduce((last, change) => concluded(last, change(last, NOW), NOW).order, order);
/** What the journal has, in a few words. */
const told = ({journal}: OrderState) =>
  journal.pending.map(({what, state, amount, late}) => [what, state, amount, late ? 'late' : null].join(' ').trim());

test('a state that was told before the books have the order is booked with its first row', () => {
  const early = after(open, completed);
  expect(early.journal.pending).toMatchObject([{what: 'order.noted', tells: 'payment.completed'}]);
  const late = after(early, (order) => withRecord(order, {code: '80001'}));
  expect(told(late).slice(1)).toEqual(['order.placed waiting', 'order.changed completed']);
});

test('a charge after the time to pay is late', () => {
  const over = withRecord(coded, {expiresAt: NOW - HOUR});
  const order = after(over, (state) => withCharge(state, CHARGE));
  expect(told(order).at(-1)).toBe('money.arrived paid 14990 late');
  expect(archived(order, NOW)).toMatchObject({late: true});
});

test('late money stays late, and is told once, if the order gets more time', () => {
  const over = withRecord(coded, {expiresAt: NOW - HOUR});
  const paid = after(over, (state) => withCharge(state, CHARGE));
  const longer = after(paid, (state) => withRecord(state, {expiresAt: NOW + HOUR}));
  expect(archived(longer, NOW)).toMatchObject({late: true});
  expect(longer.journal.pending.flatMap(({tells}) => tells ?? [])).toEqual(['payment.received']);
});

const END = NOW - HOUR;
const IN_TIME = {...MONEY, id: '7001', at: END - HOUR};
const TOO_LATE = {...MONEY, id: '7002', at: NOW};
const arrived =
  (...money: readonly OrderArrival[]): Change =>
  (order) =>
    withArrivals(order, money, NOW);
const isLate = (order: OrderState) => archived(order, NOW)?.late;

test.each<[what: string, late: readonly boolean[], ...changes: Change[]]>([
  [
    'money in time is found after money that came late',
    [true, false, false],
    arrived(TOO_LATE),
    arrived(IN_TIME),
    (order) => withRefund(order, refundIn('successful', 14990, '1', '7002')),
  ],
  [
    'money that came late is sent back, and then money in time is found',
    [true, true, false],
    arrived(TOO_LATE),
    (order) => withRefund(order, refundIn('successful', 14990, '1', '7002')),
    arrived(IN_TIME),
  ],
  [
    'a charge that came late is sent back, and the order is paid in the time that it gets then',
    [true, true, false],
    (order) => withCharge(order, CHARGE),
    (order) => withCharge(order, {...CHARGE, state: 'refunded'}),
    (order) => withCharge(withRecord(order, {expiresAt: NOW + HOUR}), {...CHARGE, id: '9002'}),
  ],
  [
    'money in time is confirmed after money that came late',
    [false, true, false],
    arrived({...IN_TIME, pending: true}),
    arrived(TOO_LATE),
    (order) => withReadArrival(order, {id: '7001', state: 'approved', amount: 14990, pending: undefined}),
  ],
  [
    'money in time moves to another order, and what is left came late',
    [false, false, true],
    arrived(IN_TIME),
    arrived(TOO_LATE),
    (order) => withoutArrival(order, '7001'),
  ],
  [
    'the amount rises to what has come, of which a part came late',
    [false, false, true],
    arrived(IN_TIME),
    arrived({...TOO_LATE, amount: 5010}),
    (order) => withRecord(order, {amount: 20000}),
  ],
])('whether an order is late follows its money, and its rows in the books follow: %s', (_, late, ...changes) => {
  const over = withRecord(coded, {expiresAt: END});
  const orders = changes.map((_change, index) => after(over, ...changes.slice(0, index + 1)));
  expect(orders.map(isLate)).toEqual(late);
  expect(orders.map((order) => lateInBooks(order) > 0)).toEqual(late);
});

/** The sum of the late money in the books. */
function lateInBooks({journal}: OrderState): number {
  const rows = journal.pending.flatMap((entry) => bookingOf(entry) ?? []);
  return rows.filter(({late, type}) => late && type.startsWith('money.')).reduce((sum, row) => sum + balanceOf(row), 0);
}

/** The rows of the money: what happened, whether it is late, when the money came, and how much it was. */
const moneyRows = ({journal}: OrderState) =>
  journal.pending
    .filter(({what}) => /^(?:money|refund)/.test(what))
    .map(({what, late, at, day, amount}) => [what, late, what === 'money.arrived' ? at : day, amount]);
const dayOf = (at: number) => new Date(at + 3 * HOUR).toISOString().slice(0, 10);
const AT_NIGHT = END - 20 * HOUR;

test.each<[what: string, late: boolean, from: number, to: number]>([
  ['into the time to pay', false, NOW, AT_NIGHT],
  ['out of the time to pay', true, AT_NIGHT, NOW],
  ['within the time to pay', false, AT_NIGHT, END - HOUR],
])(
  'if the platform moves a charge %s, the books take its row back and book it again, as events tell it',
  (_, late, from, to) => {
    const over = withRecord(coded, {createdAt: AT_NIGHT - HOUR, expiresAt: END});
    const order = after(
      over,
      (state) => withCharge(state, {...CHARGE, at: from}),
      (state) => withCharge(state, {...CHARGE, at: to}),
    );
    const wasLate = from > END;
    expect(moneyRows(order)).toEqual([
      ['money.arrived', wasLate, from, 14990],
      ['money.withdrawn', wasLate, dayOf(from), 14990],
      ['money.arrived', late, to, 14990],
    ]);
    expect(archived(order, NOW)).toMatchObject({late, state: 'paid', money: [{at: to}]});
    expect(order.journal.pending.findLast(({tells}) => tells)?.snapshot).toMatchObject({late});
    const ids = order.journal.pending.map(({id}) => id);
    expect(new Set(ids).size).toBe(ids.length);
  },
);

test('if the platform changes the amount of a charge that was given back, the books take back all that they have of it', () => {
  const order = after(
    coded,
    (state) => withCharge(state, CHARGE),
    (state) => withCharge(state, {...CHARGE, state: 'refunded'}),
    (state) => withCharge(state, {...CHARGE, state: 'refunded', amount: 10000}),
    (state) => withCharge(state, {...CHARGE, state: 'failed'}),
  );
  expect(moneyRows(order).map(([what, , , amount]) => [what, amount])).toEqual([
    ['money.arrived', 14990],
    ['refund.settled', 14990],
    ['money.withdrawn', 14990],
    ['refund.withdrawn', 14990],
    ['money.arrived', 10000],
    ['refund.settled', 10000],
    ['money.withdrawn', 10000],
    ['refund.withdrawn', 10000],
  ]);
  expect(new Set(order.journal.pending.map(({id}) => id)).size).toBe(order.journal.pending.length);
});

test('money after the time to pay is booked as late once the money in time is gone that covered the amount', () => {
  const over = withRecord(coded, {expiresAt: END});
  const order = after(over, arrived(IN_TIME), arrived(TOO_LATE), (state) => withoutArrival(state, '7001'));
  expect(archived(order, NOW)).toMatchObject({late: true});
  expect(moneyRows(order).map(([what, late, at]) => [what, late, at])).toEqual([
    ['money.arrived', false, IN_TIME.at],
    ['money.arrived', false, TOO_LATE.at],
    ['money.withdrawn', false, dayOf(IN_TIME.at)],
    ['money.withdrawn', false, dayOf(TOO_LATE.at)],
    ['money.arrived', true, TOO_LATE.at],
  ]);
});

test.each<[what: string, Partial<typeof CHARGE>, Partial<typeof CHARGE>]>([
  ['moves into the time to pay', {}, {at: IN_TIME.at}],
  ['came in time and turns out to be all of the amount', {at: IN_TIME.at, amount: 5000}, {at: IN_TIME.at}],
])('late money is booked again as not late if a charge %s', (_what, first, then) => {
  const over = withRecord(coded, {expiresAt: END});
  const order = after(
    over,
    (state) => withCharge(state, {...CHARGE, ...first}),
    (state) => withCharge(state, {...CHARGE, id: '9002', amount: 1000}),
    (state) => withCharge(state, {...CHARGE, ...then}),
  );
  expect(archived(order, NOW)).toMatchObject({late: false});
  const other = order.journal.pending.filter(({transaction}) => transaction === '9002');
  expect(other.map(({what, late}) => [what, late ?? false])).toEqual([
    ['money.arrived', true],
    ['money.withdrawn', true],
    ['money.arrived', false],
  ]);
});

test('a charge whose amount cannot be read once is booked once', () => {
  const order = after(
    coded,
    (state) => withCharge(state, CHARGE),
    (state) => withCharge(state, {...CHARGE, amount: null, state: 'refund_in_progress'}),
    (state) => withCharge(state, CHARGE),
  );
  expect(told(order).filter((line) => line.startsWith('money'))).toEqual(['money.arrived paid 14990']);
});

test('the archive learns that the money of an order without a code is another order’s', () => {
  const paid = after(withRecord(open, {requested: true}), (state) => withArrivals(state, [MONEY], NOW));
  const gone = after(paid, (state) => withoutArrival(state, '7001'));
  expect(gone.journal.pending.at(-1)?.snapshot).toMatchObject({state: 'waiting', paid: '0.00', money: []});
});

test('a later summary has a later time, also if the clock was set back', () => {
  const first = after(coded, (state) => withRecord(state, {title: {tr: 'Kitap', en: 'Book'}}));
  const before = first.journal.pending.at(-1)?.snapshot?.at ?? 0;
  const next = withRecord(first, {title: {tr: 'Defter', en: 'Notebook'}});
  const second = concluded(first, next, NOW - SECOND).order;
  expect(second.journal.pending.at(-1)?.snapshot?.at).toBeGreaterThan(before);
});

test('an entry without a person has none of the page’s words, but its campaign', () => {
  const page = {reference: 'Deniz', metadata: {name: 'Deniz'}, campaign: {campaign: 'autumn'}};
  const [entry] = after(coded, (order) => withRecord(order, {page, userId: 'Deniz'})).journal.pending;
  expect(JSON.stringify(entry)).toContain('Deniz');
  const forgotten = JSON.stringify(entry && nameless(entry));
  expect(forgotten).not.toContain('Deniz');
  expect(forgotten).toContain('autumn');
});

test('the books have an order whose first entry was a notice of an order that was not stored', async () => {
  await breakOutbox();
  const order = 'S-41';
  const notice = {service: 'DEMO', order, amount: '149.90', bank: 'garanti', redirect_url: 'https://shop.example'};
  expect((await askMerchant('payment-notices', notice)).status).toBe(201);
  const made = await askMerchant('order-codes', {service: 'DEMO', order, amount: '149.90'});
  await pay({order_code: (made.body as {order_code: string}).order_code});
  await runSweep();
  await abortAllDurableObjects();
  await repairOutbox();
  await advance(10 * SECOND);
  await runDurableObjectAlarm(orderObject(order));
  const month = formatMonth(Date.now());
  const books = contextOf(env).objects.books('DEMO', month);
  await expect
    .poll(async () => (await books.bookingsOf(month, order)).map(({type}) => type))
    .toEqual(expect.arrayContaining(['order.placed', 'money.arrived']));
});

test('an outbox that does not answer delays no order code', async () => {
  const {promise, resolve} = Promise.withResolvers<void>();
  await runInDurableObject(outboxObject(), (outbox) => {
    Object.defineProperty(outbox, 'receive', {configurable: true, value: () => promise});
  });
  const made = await askMerchant('order-codes', {service: 'DEMO', order: 'S-42', amount: '149.90'});
  expect(made.status).toBe(201);
  await runInDurableObject(outboxObject(), (outbox) => void Reflect.deleteProperty(outbox, 'receive'));
  resolve();
});
