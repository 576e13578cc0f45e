/** What the elements of a transfer look at in the Worker's answers. */

import type {
  Bank,
  BankList,
  OrderCode,
  Payment,
  PaymentState,
  RedeemedSession,
  NewPaymentSession,
} from '../../../worker/contract/browser/answers.ts';
import {flag, isLocalized, list, money, shape, text, time, type Check} from '../../core/validate.ts';

/** Every state, and whether nothing is asked any more after it unless the shopper comes back to the tab. */
export const SETTLED: Record<PaymentState, boolean> = {
  waiting: false,
  partial: false,
  paid: true,
  overpaid: true,
  completed: true,
  refunded: true,
  expired: true,
};

export const isBank = shape<Bank>({code: text, name: text, account_holder: text, iban: text});

const maybeLocalized: Check = (value) => value === null || isLocalized(value);
const isArrival = shape<BankList['arrival']>({same_bank: maybeLocalized, other_bank: maybeLocalized});

/** Also of a session that was handed off, which may have no title. */
export const isSession = shape<NewPaymentSession & RedeemedSession>({
  token: text,
  title: maybeLocalized,
  amount: money,
});

export const isBankList = shape<BankList>({
  banks: list(isBank),
  stale: flag,
  // A Worker of yesterday says nothing of it.
  arrival: (value) => value === undefined || isArrival(value),
});

export const isOrderCode = shape<OrderCode>({
  order_code: text,
  amount: money,
  // A Worker of yesterday says nothing of it.
  pay_until: (value) => value === undefined || time(value),
});

/** Whether a payment needs no more watching. */
export function isSettled(payment: Payment | undefined): payment is Payment {
  return payment !== undefined && SETTLED[payment.state];
}
