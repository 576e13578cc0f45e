import {expect, test} from 'vitest';
import {describePayment, type PaymentFacts} from '../../../../worker/objects/order/payment.ts';
import type {Arrival} from '../../../../worker/platform/to-payment.ts';
import {DAY, HOUR} from '../../support/clock.ts';

/** 21 November 2026, noon in Turkey. */
const NOON = Date.UTC(2026, 10, 21, 9);

const transfer = (amount: number, more: Partial<Arrival> = {}): Arrival => ({
  id: '7001',
  amount,
  currency: 'TRY',
  bank: 'Garanti BBVA',
  at: NOON - HOUR,
  state: 'unknown',
  ...more,
});

const due: PaymentFacts = {
  amount: 14990,
  expiresAt: NOON + DAY,
  completed: false,
  arrivals: [],
  notice: null,
  handedOverAt: null,
};
const over: PaymentFacts = {...due, expiresAt: NOON};

test.for<
  [story: string, facts: PaymentFacts, state: string, paid: string, remaining: string, late: boolean, unclear?: boolean]
>([
  ['nothing arrived', due, 'waiting', '0.00', '149.90', false],
  ['all of it', {...due, arrivals: [transfer(14990)]}, 'paid', '149.90', '0.00', false],
  ['a kuruş too little', {...due, arrivals: [transfer(14989)]}, 'partial', '149.89', '0.01', false],
  ['a kuruş too much', {...due, arrivals: [transfer(14991)]}, 'overpaid', '149.91', '0.00', false],
  [
    'two transfers that make it up',
    {...due, arrivals: [transfer(10000), transfer(4990, {id: '7002'})]},
    'paid',
    '149.90',
    '0.00',
    false,
  ],
  [
    'paid twice',
    {...due, arrivals: [transfer(14990), transfer(14990, {id: '7002'})]},
    'overpaid',
    '299.80',
    '0.00',
    false,
  ],
  [
    'every status but a refund counts',
    {
      ...due,
      arrivals: ['successful', 'processing', 'not_notified', 'awaiting_approval', 'partial', 'unknown'].map(
        (state, index) => transfer(2000, {id: String(index), state}),
      ),
    },
    'partial',
    '120.00',
    '29.90',
    false,
  ],
  ['refunded', {...due, arrivals: [transfer(14990, {state: 'refunded'})]}, 'refunded', '0.00', '149.90', false],
  [
    'one of two refunded',
    {...due, arrivals: [transfer(14990, {state: 'refunded'}), transfer(14990, {id: '7002'})]},
    'paid',
    '149.90',
    '0.00',
    false,
  ],
  [
    'half of it refunded',
    {...due, arrivals: [transfer(10000), transfer(4990, {id: '7002', state: 'refunded'})]},
    'partial',
    '100.00',
    '49.90',
    false,
  ],
  [
    'both refunded',
    {...due, arrivals: [transfer(10000, {state: 'refunded'}), transfer(4990, {id: '7002', state: 'refunded'})]},
    'refunded',
    '0.00',
    '149.90',
    false,
  ],
  [
    'another currency pays nothing',
    {...due, arrivals: [transfer(14990, {currency: 'EUR'})]},
    'waiting',
    '0.00',
    '149.90',
    false,
    true,
  ],
  [
    'lira beside another currency',
    {...due, arrivals: [transfer(14990), transfer(100, {id: '7002', currency: 'USD'})]},
    'paid',
    '149.90',
    '0.00',
    false,
    true,
  ],
  ['completed', {...due, completed: true, arrivals: [transfer(14990)]}, 'completed', '149.90', '0.00', false],
  ['completed without a transfer of ours', {...due, completed: true}, 'completed', '0.00', '149.90', false],
  [
    'completed, then refunded',
    {...due, completed: true, arrivals: [transfer(14990, {state: 'refunded'})]},
    'refunded',
    '0.00',
    '149.90',
    false,
  ],
  ['the hours are over this moment', over, 'expired', '0.00', '149.90', false],
  ['a moment before they are over', {...over, expiresAt: NOON + 1}, 'waiting', '0.00', '149.90', false],
  ['part of it came in time', {...over, arrivals: [transfer(100)]}, 'partial', '1.00', '148.90', false],
  ['paid in time, read later', {...over, arrivals: [transfer(14990)]}, 'paid', '149.90', '0.00', false],
  ['paid at the last moment', {...over, arrivals: [transfer(14990, {at: NOON})]}, 'paid', '149.90', '0.00', false],
  ['paid a moment too late', {...over, arrivals: [transfer(14990, {at: NOON + 1})]}, 'paid', '149.90', '0.00', true],
  [
    'made up too late',
    {...over, arrivals: [transfer(10000), transfer(4990, {id: '7002', at: NOON + HOUR})]},
    'paid',
    '149.90',
    '0.00',
    true,
  ],
  [
    'paid in time and once more after',
    {...over, arrivals: [transfer(14990), transfer(14990, {id: '7002', at: NOON + HOUR})]},
    'overpaid',
    '299.80',
    '0.00',
    false,
  ],
  [
    'only another currency after the hours',
    {...over, arrivals: [transfer(14990, {currency: 'EUR', at: NOON + HOUR})]},
    'expired',
    '0.00',
    '149.90',
    false,
    true,
  ],
  [
    'part of it in time, and another currency after',
    {...over, arrivals: [transfer(100), transfer(14990, {id: '7002', currency: 'EUR', at: NOON + HOUR})]},
    'partial',
    '1.00',
    '148.90',
    false,
    true,
  ],
  [
    'part of it in time, and after it what was given back',
    {...over, arrivals: [transfer(100), transfer(14990, {id: '7002', at: NOON + HOUR, state: 'refunded'})]},
    'partial',
    '1.00',
    '148.90',
    false,
  ],
  [
    'given back in time, and paid again after',
    {...over, arrivals: [transfer(14990, {state: 'refunded'}), transfer(14990, {id: '7002', at: NOON + HOUR})]},
    'paid',
    '149.90',
    '0.00',
    true,
  ],
  [
    'another currency that was given back',
    {...due, arrivals: [transfer(14990, {currency: 'EUR', state: 'refunded'}), transfer(14990, {id: '7002'})]},
    'paid',
    '149.90',
    '0.00',
    false,
  ],
  [
    'money taken back',
    {...due, arrivals: [transfer(14990), transfer(-14990, {id: '7002'})]},
    'waiting',
    '0.00',
    '149.90',
    false,
  ],
])('%s', ([, facts, state, paid, remaining, late, unclear = false]) => {
  const {transactions, ...shown} = describePayment(facts, NOON, NOON);
  expect(shown).toEqual({
    state,
    amount: '149.90',
    paid,
    remaining,
    late,
    unclear,
    notice: null,
    handed_over_at: null,
    as_of: '2026-11-21T12:00:00+03:00',
  });
  expect(transactions).toHaveLength(facts.arrivals.length);
});

test('money of an amount that nobody can read has arrived, and counts for nothing yet', () => {
  const unread = transfer(0, {amount: null});
  expect(describePayment({...due, arrivals: [unread]}, NOON, NOON)).toMatchObject({
    state: 'waiting',
    paid: '0.00',
    unclear: true,
    transactions: [],
  });
  expect(describePayment({...due, arrivals: [unread, transfer(14990, {id: '7002'})]}, NOON, NOON)).toMatchObject({
    state: 'paid',
    unclear: true,
    transactions: [{id: '7002'}],
  });
  expect(describePayment({...due, arrivals: [{...unread, state: 'refunded'}]}, NOON, NOON)).toMatchObject({
    state: 'refunded',
    unclear: false,
  });
});

test('says what the shopper said of a transfer without a code', () => {
  expect(
    describePayment({...due, notice: {at: NOON, bank: 'garanti', amount: 14000, sent: true}}, NOON, NOON).notice,
  ).toEqual({at: '2026-11-21T12:00:00+03:00', bank: 'garanti', amount: '140.00', sent: true});
});

test('says when the order was taken over by another device', () => {
  expect(describePayment({...due, handedOverAt: NOON}, NOON, NOON).handed_over_at).toBe('2026-11-21T12:00:00+03:00');
});

test('shows transfers in the order they were made, each as the bank had it', () => {
  const arrivals = [
    transfer(300, {id: '9', at: NOON}),
    transfer(200, {id: '8', at: NOON - HOUR, bank: 'TEB'}),
    transfer(100, {id: '7', at: NOON - HOUR, currency: 'EUR'}),
  ];
  expect(describePayment({...due, arrivals}, NOON, NOON).transactions).toEqual([
    {id: '7', amount: '1.00', currency: 'EUR', bank: 'Garanti BBVA', at: '2026-11-21T11:00:00+03:00'},
    {id: '8', amount: '2.00', currency: 'TRY', bank: 'TEB', at: '2026-11-21T11:00:00+03:00'},
    {id: '9', amount: '3.00', currency: 'TRY', bank: 'Garanti BBVA', at: '2026-11-21T12:00:00+03:00'},
  ]);
});
