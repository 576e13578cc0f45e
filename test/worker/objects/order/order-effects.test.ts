/** Tests what follows from a change of an order. */

import {expect, test} from 'vitest';
import {type Entry, eventOf, summaryOf} from '../../../../worker/objects/events/entry.ts';
import {amended} from '../../../../worker/objects/order/order-code-changes.ts';
import {type Cause, concluded, type OrderEffect, effectsOf} from '../../../../worker/objects/order/order-effects.ts';
import {
  withArrivals,
  withCharge,
  withoutArrival,
  withReadArrival,
  withRefund,
} from '../../../../worker/objects/order/order-money.ts';
import {
  cancelled,
  type Change,
  completed,
  EMPTY_ORDER,
  opened,
  type OrderState,
  withRecord,
  withServerPage,
} from '../../../../worker/objects/order/order-state.ts';
import type {Arrival} from '../../../../worker/platform/to-payment.ts';
import {DAY, HOUR, SECOND} from '../../support/clock.ts';

const NOW = Date.UTC(2026, 10, 21, 9);
const TERMS = {service: 'DEMO', order: 'S-1', amount: 14990, hours: 72};
const TICKET = {guard: 'name', keys: [{key: 'key', at: 1}]};

const prepared = opened(EMPTY_ORDER, TERMS, NOW - HOUR);
const requested = withRecord(prepared, {requested: true});
const made = withRecord(prepared, {code: '80001', madeBy: 'create', requested: true, unpaid: [TICKET, TICKET]});
/** Its row is in the books. */
const coded = {...made, journal: {...made.journal, count: 1, state: 'waiting'}} as const;
const UNTRACKED = {untracked: {failures: 0, retryAt: NOW + 10 * SECOND}};
const untracked = withRecord(coded, UNTRACKED);
const transfer = (amount: number, id = '7001'): Arrival => ({
  id,
  amount,
  currency: 'TRY',
  bank: 'TEB',
  at: NOW,
  state: 'unknown',
});
const arrive =
  (...arrivals: Arrival[]): Change =>
  (order, now) =>
    withArrivals(order, arrivals, now);
const change = (order: OrderState, apply: Change) => concluded(order, apply(order, NOW), NOW).order;
const paid = change(coded, arrive(transfer(14990)));
const onPage = withRecord(coded, {pageUntil: NOW + HOUR});
const none: Change = (order) => order;
const SWEEP: Cause = {is: 'poll', asOf: NOW};
const ALARM: Cause = {is: 'alarm'};
const CHANGE: Cause = {is: 'change'};
const notice = {service: 'DEMO', order: 'S-1', bank_code: 'teb', amount: '149.90', notice_code: '55'};

/** An entry in a few words: what happened, the state that the order reached, the event, and the order as it was then. */
function entryInWords(entry: Entry): string {
  const {what, state} = entry;
  const kept = summaryOf(entry)?.order;
  return [what, state, eventOf(entry)?.type, kept && `(${kept.state} ${kept.paid})`].filter((word) => word).join(' ');
}

/** The effect in a few words. */
function inWords(effect: OrderEffect, entries: readonly Entry[]): string {
  switch (effect.is) {
    case 'reached':
      return `reached ${effect.state}`;
    case 'hand over':
      return `tell ${entries.map(entryInWords).join(' + ')}`;
    case 'arrivals':
      return `arrivals ${effect.arrivals.map(({id}) => id).join(' ')}`;
    case 'push':
      return `push ${effect.payment.state}`;
    case 'credit':
      return `credit ${effect.tickets.length}`;
    case 'watch':
      return `watch ${effect.settled}`;
    case 'view':
      return `view ${effect.by}`;
    case 'track':
      return `track ${effect.by}`;
    case 'code':
      return 'code';
  }
}

const PAID = 'reached paid, credit 2, push paid, tell money.arrived paid payment.received (paid 149.90)';
const refund = (amount: number): Change => {
  const sent = {id: '1', amount, transactionId: '7001'};
  return (order) => withRefund(order, sent);
};
const ALL = arrive(transfer(14990));

test.for<[what: string, before: OrderState, apply: Change, cause: Cause, effects: string]>([
  ['nothing', coded, none, CHANGE, ''],
  ['an order without a code', EMPTY_ORDER, () => prepared, CHANGE, ''],
  [
    'the code, for a page',
    requested,
    () => withRecord(made, UNTRACKED),
    {is: 'code-request'},
    'code, tell order.placed waiting (waiting 0.00)',
  ],
  [
    'the code, for a server',
    requested,
    () => withRecord(made, UNTRACKED),
    CHANGE,
    'code, tell order.placed waiting (waiting 0.00), track null',
  ],
  ['a page that reads', coded, none, {is: 'view', by: 'read'}, 'view read'],
  ['a page that opens while the sweep lacks the code', untracked, none, {is: 'view', by: 'open'}, 'track open'],
  ['a page that leaves', onPage, none, {is: 'view', by: 'leave'}, 'view leave'],
  [
    'a part of the money',
    coded,
    arrive(transfer(4990)),
    SWEEP,
    'arrivals 7001, reached partial, push partial, tell money.arrived partial payment.partial (partial 49.90)',
  ],
  ['all money, from the service', coded, ALL, SWEEP, `arrivals 7001, ${PAID}`],
  ['all money, while a payment page is open', onPage, ALL, SWEEP, `arrivals 7001, ${PAID}`],
  [
    'all money, from the payment page',
    onPage,
    (order) => withCharge(order, {id: '9001', amount: 14990, at: NOW, state: 'successful'}),
    {is: 'poll', asOf: NOW},
    `arrivals 9001, ${PAID}`,
  ],
  ['all money, from a notification', coded, ALL, CHANGE, `arrivals 7001, ${PAID}, watch true`],
  ['known money', paid, ALL, SWEEP, ''],
  [
    'a second transfer',
    paid,
    arrive(transfer(1, '7002')),
    SWEEP,
    'arrivals 7002, reached overpaid, push overpaid, tell money.arrived overpaid payment.overpaid (overpaid 149.91)',
  ],
  [
    'money that belongs to another order',
    paid,
    (order) => withoutArrival(order, '7001'),
    SWEEP,
    'push waiting, tell money.withdrawn + order.changed waiting payment.withdrawn (waiting 0.00)',
  ],
  ['the refund of a part', paid, refund(4990), CHANGE, 'push paid, tell order.noted payment.changed (paid 100.00)'],
  [
    'the refund of everything',
    paid,
    refund(14990),
    CHANGE,
    'reached refunded, push refunded, tell order.changed refunded payment.refunded (refunded 0.00)',
  ],
  [
    'completion',
    paid,
    completed,
    CHANGE,
    'reached completed, push completed, tell order.changed completed payment.completed (completed 149.90)',
  ],
  [
    'a cancellation, whose shopper gets no credit',
    coded,
    cancelled,
    CHANGE,
    'reached cancelled, push cancelled, tell order.changed cancelled payment.cancelled (cancelled 0.00), watch true',
  ],
  ['a cancellation of a paid order', paid, cancelled, CHANGE, ''],
  [
    'money after a cancellation',
    change(coded, cancelled),
    ALL,
    SWEEP,
    'arrivals 7001, reached cancelled, push cancelled, tell money.arrived payment.cancelled (cancelled 149.90)',
  ],
  [
    'money that does not count yet',
    coded,
    arrive({...transfer(14990), pending: true}),
    SWEEP,
    'arrivals 7001, reached pending, push pending, tell money.arrived pending payment.pending (pending 0.00)',
  ],
  [
    'money that counts now',
    change(coded, arrive({...transfer(14990), pending: true})),
    (order) => withReadArrival(order, {id: '7001', amount: 14990, state: 'successful'}),
    CHANGE,
    'reached paid, credit 2, push paid, tell order.changed paid payment.received (paid 149.90), watch true',
  ],
  [
    'a higher amount',
    paid,
    (order) => amended(order, {amount: 20000}),
    CHANGE,
    'reached partial, push partial, tell order.amended + order.changed partial payment.partial (partial 149.90), watch false',
  ],
  ['a hand-off', coded, (order, now) => withRecord(order, {handedOverAt: now}), CHANGE, 'push waiting'],
  ['a payment notice', coded, none, {is: 'notice', notice}, 'tell order.noted payment_notice.created'],
  [
    'a notice of an order that is not stored',
    EMPTY_ORDER,
    none,
    {is: 'notice', notice},
    'tell order.noted payment_notice.created',
  ],
  [
    'tickets of an order that is paid already',
    paid,
    (order) => withRecord(order, {unpaid: [TICKET]}),
    CHANGE,
    'credit 1',
  ],
  [
    'a page that reads after the time to pay of an offer whose payment page was opened',
    withRecord(onPage, {expiresAt: NOW, code: null, offer: 'gold'}),
    none,
    {is: 'view', by: 'read'},
    'push expired, view read',
  ],
  ['the alarm of a paid order', paid, none, ALARM, 'push paid, watch true'],
  ['the alarm after the time to pay', withRecord(coded, {expiresAt: NOW}), none, ALARM, 'push expired, watch false'],
  [
    'a search that found no money after the time to pay',
    withRecord(coded, {expiresAt: NOW}),
    (order) => withRecord(order, {expired: true}),
    CHANGE,
    'reached expired, push expired, tell order.changed expired payment.expired (expired 0.00)',
  ],
  ['the alarm while the sweep lacks the code', untracked, none, ALARM, 'push waiting, track null'],
  [
    'the alarm soon after the sweep could not be reached',
    withRecord(coded, {untracked: {failures: 1, retryAt: NOW + 1}}),
    none,
    ALARM,
    'push waiting, watch false',
  ],
  [
    'the alarm of an order that closes',
    withRecord(coded, {createdAt: 0, expiresAt: 1}),
    none,
    ALARM,
    'reached expired, push expired, tell order.changed expired payment.expired (expired 0.00)',
  ],
])('effects of %s', ([_what, before, apply, cause, effects]) => {
  const conclusion = concluded(before, apply(before, NOW), NOW, cause);
  const {count, pending} = conclusion.order.journal;
  const added = pending.slice(pending.length - (count - before.journal.count));
  const words = effectsOf(before, conclusion, cause, {now: NOW, asOf: NOW}).map((effect) => inWords(effect, added));
  expect(words.join(', ')).toBe(effects);
  // What an order implies is implied once, so a commit that repeats it reports and writes nothing, and compares nothing.
  const again = concluded(conclusion.order, conclusion.order, NOW);
  expect(again.order).toBe(conclusion.order);
  expect(again.news).toEqual([]);
});

test('a paid order needs neither the shopper’s data nor the names of its counters, and a refunded order no status checks', () => {
  expect(paid.record).toMatchObject({unpaid: [], checks: {since: NOW, asked: 'new'}});
  const prefill = {name: 'Ayşe'};
  expect(change({...coded, prefill}, none).prefill).toEqual(prefill);
  expect(change({...coded, prefill}, arrive(transfer(14990))).prefill).toBeNull();
  expect(change(paid, refund(14990)).record?.checks).toBeUndefined();
});

test.each([
  [NOW - 5 * DAY, NOW - 5 * DAY],
  [0, NOW - HOUR],
])('money of the bank’s time %d keeps it, unless no books have its day', (at, booked) => {
  const order = change(coded, arrive({...transfer(14990), at}));
  expect(order.journal.pending).toMatchObject([{what: 'money.arrived', at: booked}]);
});

test('a page that a server opens gives an order more time to pay, but not one that is paid', () => {
  const closesAt = NOW + 100 * HOUR;
  const openPage: Change = (order, now) => withServerPage(order, TERMS, closesAt, 'root', now);
  const expiryAfter = (charged: number) => {
    const charge = {id: '9001', amount: charged, at: NOW, state: 'successful'};
    return change(
      change(prepared, (order) => withCharge(order, charge)),
      openPage,
    ).record?.expiresAt;
  };
  expect(change(prepared, openPage).record?.expiresAt).toBe(closesAt);
  expect(expiryAfter(4990)).toBe(closesAt);
  expect(expiryAfter(14990)).toBe(prepared.record?.expiresAt);
});
