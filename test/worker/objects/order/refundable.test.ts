/** Tests what may be sent back of an order's money, and why. */

import {describe, expect, test} from 'vitest';
import {describeRefundable, type PaidOrder, refundableOf} from '../../../../worker/objects/order/refundable.ts';

const PAID: PaidOrder = {state: 'paid', amount: '100.00', paid: '100.00', refunded: '0.00', late: false};
const transfer = (amount: string, bank: string | null = 'Garanti BBVA') => ({amount, bank, currency: 'TRY'});

interface Case {
  readonly order: Partial<PaidOrder>;
  readonly money: readonly ReturnType<typeof transfer>[];
  readonly known?: {readonly sent: number; readonly unsettled: number};
  readonly expected: string;
}

const CASES: Readonly<Record<string, Case>> = {
  'a paid order gives no reason, and all of its money may be sent back': {
    order: {},
    money: [transfer('100.00')],
    expected: '0.00 null of 100.00',
  },
  'the excess of an overpaid order': {
    order: {state: 'overpaid', paid: '150.00'},
    money: [transfer('150.00')],
    expected: '50.00 overpaid of 150.00',
  },
  'the rest of an excess of which a part is on its way back': {
    order: {state: 'overpaid', paid: '150.00', refunding: '30.00'},
    money: [transfer('150.00')],
    expected: '20.00 overpaid of 120.00',
  },
  'nothing of an excess whose refund is on its way': {
    order: {state: 'overpaid', paid: '150.00', refunding: '50.00'},
    money: [transfer('150.00')],
    expected: '0.00 null of 100.00',
  },
  'nothing of an excess whose refund only another object knows': {
    order: {state: 'overpaid', paid: '150.00'},
    money: [transfer('150.00')],
    known: {sent: 5_000, unsettled: 0},
    expected: '0.00 null of 100.00',
  },
  'nothing of an excess whose refund has no known outcome': {
    order: {state: 'overpaid', paid: '150.00'},
    money: [transfer('150.00')],
    known: {sent: 0, unsettled: 5_000},
    expected: '0.00 null of 100.00',
  },
  'a refund that was made counts once': {
    order: {state: 'paid', paid: '70.00', refunded: '30.00'},
    money: [transfer('100.00')],
    known: {sent: 3_000, unsettled: 0},
    expected: '0.00 null of 70.00',
  },
  'all money that came late': {
    order: {late: true},
    money: [transfer('60.00'), transfer('40.00')],
    expected: '100.00 late of 100.00',
  },
  'all money of a cancelled order': {
    order: {state: 'cancelled', paid: '40.00'},
    money: [transfer('40.00')],
    expected: '40.00 cancelled of 40.00',
  },
  'nothing of a completed order': {
    order: {state: 'completed', paid: '150.00', late: true},
    money: [transfer('150.00')],
    expected: '0.00 null of 0.00',
  },
  'no money that was charged to a phone bill': {
    order: {state: 'overpaid', paid: '150.00'},
    money: [transfer('20.00'), transfer('130.00', null)],
    expected: '20.00 overpaid of 20.00',
  },
  'no money that does not count': {
    order: {state: 'pending', paid: '0.00'},
    money: [transfer('100.00')],
    expected: '0.00 null of 0.00',
  },
};

describe('what may be sent back', () => {
  for (const [title, {order, money, known, expected}] of Object.entries(CASES))
    test(`is ${title}`, () => {
      const {amount, reason, left} = describeRefundable(refundableOf({...PAID, ...order}, money, known));
      expect(`${amount} ${reason} of ${left}`).toBe(expected);
    });
});
