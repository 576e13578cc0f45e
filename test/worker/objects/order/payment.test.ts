import {expect, test} from 'vitest';
import {
  describePayment,
  NO_EARLIER_MONEY,
  type PaymentFacts,
  type SentRefund,
} from '../../../../worker/objects/order/payment.ts';
import type {Arrival} from '../../../../worker/platform/to-payment.ts';
import {DAY, HOUR} from '../../support/clock.ts';

/** 21 November 2026, noon in Turkey. */
const NOON = Date.UTC(2026, 10, 21, 9);

const transfer = (amount: number, overrides: Partial<Arrival> = {}): Arrival => ({
  id: '7001',
  amount,
  currency: 'TRY',
  bank: 'Garanti BBVA',
  at: NOON - HOUR,
  state: 'unknown',
  ...overrides,
});

const refund = (amount: number, transactionId: string | null = '7001'): SentRefund => ({amount, transactionId});

const unexpired: PaymentFacts = {
  amount: 14990,
  expiresAt: NOON + DAY,
  completed: false,
  arrivals: [],
  refunds: [],
  earlier: NO_EARLIER_MONEY,
  notice: null,
  cancelled: false,
  handedOverAt: null,
};
const expired: PaymentFacts = {...unexpired, expiresAt: NOON};

test.for<[story: string, facts: PaymentFacts, shown: string]>([
  ['no money', unexpired, 'waiting 0.00 0.00 149.90'],
  ['the exact amount', {...unexpired, arrivals: [transfer(14990)]}, 'paid 149.90 0.00 0.00'],
  ['a kuruş too little', {...unexpired, arrivals: [transfer(14989)]}, 'partial 149.89 0.00 0.01'],
  ['a kuruş too much', {...unexpired, arrivals: [transfer(14991)]}, 'overpaid 149.91 0.00 0.00'],
  [
    'two transfers that add up to the amount',
    {...unexpired, arrivals: [transfer(10000), transfer(4990, {id: '7002'})]},
    'paid 149.90 0.00 0.00',
  ],
  [
    'the amount twice',
    {...unexpired, arrivals: [transfer(14990), transfer(14990, {id: '7002'})]},
    'overpaid 299.80 0.00 0.00',
  ],
  [
    'money with every status except refunded',
    {
      ...unexpired,
      arrivals: ['successful', 'processing', 'not_notified', 'awaiting_approval', 'partial', 'unknown'].map(
        (state, index) => transfer(2000, {id: String(index), state}),
      ),
    },
    'partial 120.00 0.00 29.90',
  ],
  [
    'money that does not count yet',
    {...expired, arrivals: [transfer(14990, {state: 'awaiting_approval', pending: true})]},
    'pending 0.00 0.00 0.00 unclear',
  ],
  [
    'a part that counts, and one that does not yet',
    {...expired, arrivals: [transfer(10000), transfer(1000, {id: '7002', pending: true})]},
    'pending 100.00 0.00 39.90 unclear',
  ],
  [
    'all money, and more that does not count yet',
    {...unexpired, arrivals: [transfer(14990), transfer(14990, {id: '7002', pending: true})]},
    'paid 149.90 0.00 0.00 unclear',
  ],
  [
    'all money refunded, and more that does not count yet',
    {...unexpired, arrivals: [transfer(14990, {state: 'refunded'}), transfer(14990, {id: '7002', pending: true})]},
    'pending 0.00 149.90 0.00 unclear',
  ],
  ['a cancelled order', {...expired, cancelled: true}, 'cancelled 0.00 0.00 149.90'],
  [
    'a cancelled order and the exact amount',
    {...expired, cancelled: true, arrivals: [transfer(14990)]},
    'cancelled 149.90 0.00 0.00',
  ],
  [
    'a cancelled order whose money was sent back',
    {...expired, cancelled: true, arrivals: [transfer(14990, {state: 'refunded'})]},
    'refunded 0.00 149.90 0.00',
  ],
  [
    'a refunded transfer',
    {...unexpired, arrivals: [transfer(14990, {state: 'refunded'})]},
    'refunded 0.00 149.90 0.00',
  ],
  [
    'two transfers of the amount, one of them refunded',
    {...unexpired, arrivals: [transfer(14990, {state: 'refunded'}), transfer(14990, {id: '7002'})]},
    'paid 149.90 149.90 0.00',
  ],
  [
    'two parts of the amount, one of them refunded',
    {...unexpired, arrivals: [transfer(10000), transfer(4990, {id: '7002', state: 'refunded'})]},
    'paid 100.00 49.90 0.00',
  ],
  [
    'two parts of the amount, both refunded',
    {...unexpired, arrivals: [transfer(10000, {state: 'refunded'}), transfer(4990, {id: '7002', state: 'refunded'})]},
    'refunded 0.00 149.90 0.00',
  ],
  [
    'only money in another currency',
    {...unexpired, arrivals: [transfer(14990, {currency: 'EUR'})]},
    'waiting 0.00 0.00 149.90 unclear',
  ],
  [
    'lira and another currency',
    {...unexpired, arrivals: [transfer(14990), transfer(100, {id: '7002', currency: 'USD'})]},
    'paid 149.90 0.00 0.00 unclear',
  ],
  [
    'a paid and completed order',
    {...unexpired, completed: true, arrivals: [transfer(14990)]},
    'completed 149.90 0.00 0.00',
  ],
  ['a completed order without a known transfer', {...unexpired, completed: true}, 'completed 0.00 0.00 149.90'],
  [
    'a completed order that was refunded',
    {...unexpired, completed: true, arrivals: [transfer(14990, {state: 'refunded'})]},
    'refunded 0.00 149.90 0.00',
  ],
  [
    'a refunded transfer of which a record says that a part was refunded',
    {...unexpired, arrivals: [transfer(14990, {state: 'refunded'})], refunds: [refund(4990)]},
    'paid 100.00 49.90 0.00',
  ],
  ['no money at the moment when the time to pay ends', expired, 'expired 0.00 0.00 149.90 overdue'],
  ['no money a moment before the time to pay ends', {...expired, expiresAt: NOON + 1}, 'waiting 0.00 0.00 149.90'],
  ['part of the amount in time', {...expired, arrivals: [transfer(100)]}, 'partial 1.00 0.00 148.90 overdue'],
  [
    'a part of the amount too late',
    {...expired, arrivals: [transfer(100, {at: NOON + 1})]},
    'partial 1.00 0.00 148.90 late overdue',
  ],
  [
    'the amount, and a refund on its way',
    {...unexpired, arrivals: [transfer(14990)], refunds: [{...refund(0), onItsWay: 14990}]},
    'paid 149.90 0.00 0.00 refunding 149.90',
  ],
  [
    'a part sent back, and a refund on its way of more than is left',
    {...unexpired, arrivals: [transfer(14990)], refunds: [refund(4990), {...refund(0), onItsWay: 14990}]},
    'paid 100.00 49.90 0.00 refunding 100.00',
  ],
  ['the amount in time, but read later', {...expired, arrivals: [transfer(14990)]}, 'paid 149.90 0.00 0.00'],
  ['the amount at the last moment', {...expired, arrivals: [transfer(14990, {at: NOON})]}, 'paid 149.90 0.00 0.00'],
  [
    'the amount a moment too late',
    {...expired, arrivals: [transfer(14990, {at: NOON + 1})]},
    'paid 149.90 0.00 0.00 late',
  ],
  [
    'part of the amount in time, the rest too late',
    {...expired, arrivals: [transfer(10000), transfer(4990, {id: '7002', at: NOON + HOUR})]},
    'paid 149.90 0.00 0.00 late',
  ],
  [
    'the amount in time and again too late',
    {...expired, arrivals: [transfer(14990), transfer(14990, {id: '7002', at: NOON + HOUR})]},
    'overpaid 299.80 0.00 0.00',
  ],
  [
    'only another currency, too late',
    {...expired, arrivals: [transfer(14990, {currency: 'EUR', at: NOON + HOUR})]},
    'expired 0.00 0.00 149.90 unclear overdue',
  ],
  [
    'part of the amount in time, and another currency too late',
    {...expired, arrivals: [transfer(100), transfer(14990, {id: '7002', currency: 'EUR', at: NOON + HOUR})]},
    'partial 1.00 0.00 148.90 unclear overdue',
  ],
  [
    'part of the amount in time, and a refunded transfer too late',
    {...expired, arrivals: [transfer(100), transfer(14990, {id: '7002', at: NOON + HOUR, state: 'refunded'})]},
    'paid 1.00 149.90 0.00 late',
  ],
  [
    'a refunded transfer in time, and the amount again too late',
    {...expired, arrivals: [transfer(14990, {state: 'refunded'}), transfer(14990, {id: '7002', at: NOON + HOUR})]},
    'paid 149.90 149.90 0.00',
  ],
  [
    'the amount, and a refunded transfer in another currency',
    {...unexpired, arrivals: [transfer(14990, {currency: 'EUR', state: 'refunded'}), transfer(14990, {id: '7002'})]},
    'paid 149.90 0.00 0.00',
  ],
  [
    'a part of the amount refunded',
    {...unexpired, arrivals: [transfer(14990)], refunds: [refund(4990)]},
    'paid 100.00 49.90 0.00',
  ],
  [
    'a part refunded, then the rest',
    {...unexpired, arrivals: [transfer(14990)], refunds: [refund(4990), refund(10000)]},
    'refunded 0.00 149.90 0.00',
  ],
  [
    'all refunded, as the refund and the status of the transfer say',
    {...unexpired, arrivals: [transfer(14990, {state: 'refunded'})], refunds: [refund(14990)]},
    'refunded 0.00 149.90 0.00',
  ],
  [
    'a refunded charge, and a refund of a part of the transfer',
    {
      ...unexpired,
      arrivals: [transfer(10000, {state: 'refunded', bank: null}), transfer(4990, {id: '7002'})],
      refunds: [refund(990, '7002')],
    },
    'paid 40.00 109.90 0.00',
  ],
  [
    'a transfer with the status of a refunded one, and a refund of the other transfer',
    {
      ...unexpired,
      arrivals: [transfer(10000, {state: 'refunded'}), transfer(4990, {id: '7002'})],
      refunds: [refund(990, '7002')],
    },
    'paid 140.00 9.90 0.00',
  ],
  [
    'one refund that is larger than the transfer that it names',
    {...unexpired, arrivals: [transfer(10000), transfer(4990, {id: '7002'})], refunds: [refund(12000)]},
    'paid 29.90 120.00 0.00',
  ],
  [
    'the excess of an overpaid order refunded',
    {...unexpired, arrivals: [transfer(20000)], refunds: [refund(5010)]},
    'paid 149.90 50.10 0.00',
  ],
  [
    'a part of the excess refunded',
    {...unexpired, arrivals: [transfer(20000)], refunds: [refund(5000)]},
    'overpaid 150.00 50.00 0.00',
  ],
  [
    'the excess refunded, then all the rest',
    {...unexpired, arrivals: [transfer(20000)], refunds: [refund(5010), refund(14990)]},
    'refunded 0.00 200.00 0.00',
  ],
  [
    'a part of a partial payment refunded',
    {...unexpired, arrivals: [transfer(10000)], refunds: [refund(2000)]},
    'partial 80.00 20.00 49.90',
  ],
  [
    'a partial payment refunded',
    {...unexpired, arrivals: [transfer(10000)], refunds: [refund(10000)]},
    'refunded 0.00 100.00 49.90',
  ],
  [
    'a partial payment refunded, and a new part',
    {
      ...unexpired,
      arrivals: [transfer(10000), transfer(9000, {id: '7002'})],
      refunds: [refund(10000)],
      earlier: {...NO_EARLIER_MONEY, returned: ['7001']},
    },
    'partial 90.00 100.00 59.90',
  ],
  [
    'a refunded payment, and the amount again',
    {
      ...unexpired,
      arrivals: [transfer(14990), transfer(14990, {id: '7002'})],
      refunds: [refund(14990)],
      earlier: {...NO_EARLIER_MONEY, returned: ['7001']},
    },
    'paid 149.90 149.90 0.00',
  ],
  [
    'a completed order, partly refunded',
    {...unexpired, completed: true, arrivals: [transfer(14990)], refunds: [refund(4990)]},
    'completed 100.00 49.90 0.00',
  ],
  ['a refund whose transfer is not known yet', {...unexpired, refunds: [refund(4990)]}, 'waiting 0.00 0.00 149.90'],
  [
    'a refund of money in another currency',
    {
      ...unexpired,
      arrivals: [transfer(14990), transfer(5000, {id: '7002', currency: 'EUR'})],
      refunds: [refund(5000, '7002')],
    },
    'paid 149.90 0.00 0.00 unclear',
  ],
  [
    'more refunded than arrived',
    {...unexpired, arrivals: [transfer(14990)], refunds: [refund(20000)]},
    'refunded 0.00 149.90 0.00',
  ],
  [
    'the amount, and a negative transfer that takes it back',
    {...unexpired, arrivals: [transfer(14990), transfer(-14990, {id: '7002'})]},
    'waiting 0.00 0.00 149.90',
  ],
])('a payment has the correct state and amounts: %s', ([, facts, expected]) => {
  const {transactions, state, paid, refunded, remaining, refunding, late, unclear, overdue, ...rest} = describePayment(
    facts,
    NOON,
    NOON,
  );
  const flags = [late && 'late', unclear && 'unclear', overdue && 'overdue'];
  const onItsWay = Number(refunding) > 0 && `refunding ${refunding}`;
  expect([state, paid, refunded, remaining, ...flags, onItsWay].filter(Boolean).join(' ')).toBe(expected);
  expect(rest).toEqual({
    amount: '149.90',
    currency: 'TRY',
    notice: null,
    handed_over_at: null,
    as_of: '2026-11-21T12:00:00+03:00',
  });
  expect(transactions).toHaveLength(facts.arrivals.length);
});

test('money with an unknown amount does not count and makes the payment unclear', () => {
  const unreadable = transfer(0, {amount: null});
  expect(describePayment({...unexpired, arrivals: [unreadable]}, NOON, NOON)).toMatchObject({
    state: 'waiting',
    paid: '0.00',
    unclear: true,
    transactions: [],
  });
  expect(
    describePayment({...unexpired, arrivals: [unreadable, transfer(14990, {id: '7002'})]}, NOON, NOON),
  ).toMatchObject({
    state: 'paid',
    unclear: true,
    transactions: [{id: '7002'}],
  });
  expect(describePayment({...unexpired, arrivals: [{...unreadable, state: 'refunded'}]}, NOON, NOON)).toMatchObject({
    state: 'refunded',
    unclear: false,
  });
});

test('the payment shows the shopper’s payment notice', () => {
  expect(
    describePayment({...unexpired, notice: {at: NOON, bank: 'garanti', amount: 14000, sent: true}}, NOON, NOON).notice,
  ).toEqual({at: '2026-11-21T12:00:00+03:00', bank: 'garanti', amount: '140.00', sent: true});
});

test('the payment shows when a hand-off moved the order to another device', () => {
  expect(describePayment({...unexpired, handedOverAt: NOON}, NOON, NOON).handed_over_at).toBe(
    '2026-11-21T12:00:00+03:00',
  );
});

test('transfers are sorted by their time and show their bank and currency', () => {
  const arrivals = [
    transfer(300, {id: '9', at: NOON}),
    transfer(200, {id: '8', at: NOON - HOUR, bank: 'TEB'}),
    transfer(100, {id: '7', at: NOON - HOUR, currency: 'EUR'}),
  ];
  expect(describePayment({...unexpired, arrivals}, NOON, NOON).transactions).toEqual([
    {id: '7', amount: '1.00', currency: 'EUR', bank: 'Garanti BBVA', at: '2026-11-21T11:00:00+03:00'},
    {id: '8', amount: '2.00', currency: 'TRY', bank: 'TEB', at: '2026-11-21T11:00:00+03:00'},
    {id: '9', amount: '3.00', currency: 'TRY', bank: 'Garanti BBVA', at: '2026-11-21T12:00:00+03:00'},
  ]);
});
