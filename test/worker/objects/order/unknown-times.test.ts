/** Money whose bank's time is unknown: it is dated when it was first seen, says so, and never gets another time. */

import {expect, test} from 'vitest';
import {concluded, paymentOf} from '../../../../worker/objects/order/order-effects.ts';
import {withArrivals, withCharge} from '../../../../worker/objects/order/order-money.ts';
import {EMPTY_ORDER, opened, type OrderState} from '../../../../worker/objects/order/order-state.ts';
import type {StatusNames} from '../../../../worker/platform/statuses.ts';
import {toArrival, toPaidCharge} from '../../../../worker/platform/to-payment.ts';
import {DAY, HOUR} from '../../support/clock.ts';

/** 21 November 2026, noon in Turkey. */
const NOON = Date.UTC(2026, 10, 21, 9);
const UNREADABLE = '21.11.2026 11:00';

const item = {
  id: '7001',
  amount: '149.90',
  currency: 'TL',
  bank_name: 'Garanti BBVA',
  bank_code: 'garanti',
  user_name: null,
  transaction_date: UNREADABLE,
  create_time: null,
};
const charge = (status: string, transactionDate: string | null) => ({
  id: '31001',
  service: null,
  status,
  msisdn: null,
  operator: null,
  amount: '149.90',
  error: null,
  errorDetail: null,
  transactionDate,
  referenceCode: 'S-1',
  subscriptionId: null,
});
const statuses: StatusNames = {charge: {}, payment_notice: {}, refund: {}, subscription: {}, transaction: {}};

/** An order that was placed a day before noon, and whose time to pay ended an hour before noon. */
const placed = opened(EMPTY_ORDER, {service: 'DEMO', order: 'S-1', amount: 14990, hours: 23}, NOON - DAY);
const order = {...placed, record: {...placed.record, requested: true}};

/** The order after a read of its charge. */
function read(state: OrderState, status: string, time: string | null, now: number): OrderState {
  const found = toPaidCharge(charge(status, time), statuses, now);
  return found ? withCharge(state, found) : state;
}

test.for([
  ['no time can be read', {}, {at: NOON, timeUnknown: true}],
  [
    'only the platform’s time can be read',
    {create_time: '2026-11-21 11:30:00'},
    {at: NOON - HOUR / 2, timeUnknown: true},
  ],
  ['the bank’s time can be read', {transaction_date: '2026-11-21 11:00:00GMT+0300'}, {at: NOON - HOUR}],
] as const)('if %s, a transfer has the time %o', ([, times, expected]) => {
  const {at, timeUnknown} = toArrival({...item, ...times}, NOON) ?? {};
  expect({at, ...(timeUnknown && {timeUnknown})}).toEqual(expected);
});

test('a transfer of an unknown time is late if it was first seen after the time to pay, and its row says so', () => {
  const arrivals = [toArrival(item, NOON)].flatMap((arrival) => arrival ?? []);
  const paid = concluded(order, withArrivals(order, arrivals, NOON), NOON).order;
  const payment = paymentOf(order.record, paid.money, {now: NOON, asOf: NOON});
  expect(payment).toMatchObject({late: true, transactions: [{at: '2026-11-21T12:00:00+03:00', time_unknown: true}]});
  const rows = paid.journal.pending.filter(({what}) => what === 'money.arrived');
  expect(rows).toMatchObject([{at: NOON, late: true, timeUnknown: true}]);
});

test('a charge of an unknown time keeps the time at which it was first read when its status changes', () => {
  const first = read(order, '3', null, NOON);
  expect(first.money.charges).toMatchObject([{at: NOON, timeUnknown: true, state: 'successful'}]);
  expect(read(first, '7', UNREADABLE, NOON + DAY).money.charges).toMatchObject([{at: NOON, timeUnknown: true}]);
  const [known] = read(first, '7', '2026-11-21T11:00:00', NOON + DAY).money.charges;
  expect(known).toMatchObject({at: NOON - HOUR, timeUnknown: undefined});
});
