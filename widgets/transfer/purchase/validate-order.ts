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
import {isBoolean, isLocalized, isListOf, isAmount, shape, isText, isTime, type Check} from '../../core/validate.ts';

/** Every state, and whether nothing is asked any more after it unless the shopper comes back to the tab. */
export const SETTLED_BY_STATE: Record<PaymentState, boolean> = {
  waiting: false,
  partial: false,
  paid: true,
  overpaid: true,
  completed: true,
  refunded: true,
  expired: true,
};

export const isBank = shape<Bank>({code: isText, name: isText, account_holder: isText, iban: isText});

const isLocalizedOrNull: Check = (value) => value === null || isLocalized(value);
const isArrival = shape<BankList['arrival']>({same_bank: isLocalizedOrNull, other_bank: isLocalizedOrNull});

/** Also of a session that was handed off, which may have no title. */
export const isSession = shape<NewPaymentSession & RedeemedSession>({
  token: isText,
  title: isLocalizedOrNull,
  amount: isAmount,
});

export const isBankList = shape<BankList>({
  banks: isListOf(isBank),
  stale: isBoolean,
  // A Worker of yesterday says nothing of it.
  arrival: (value) => value === undefined || isArrival(value),
});

export const isOrderCode = shape<OrderCode>({
  order_code: isText,
  amount: isAmount,
  // A Worker of yesterday says nothing of it.
  pay_until: (value) => value === undefined || isTime(value),
});

/** Whether a payment needs no more watching. */
export function isSettled(payment: Payment | undefined): payment is Payment {
  return payment !== undefined && SETTLED_BY_STATE[payment.state];
}
