/** What the elements one pays with look at in the Worker's answers. */

import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {flag, list, money, shape, text, time} from '../../core/validate.ts';
import {SETTLED} from '../purchase/validate-order.ts';

export const isPayment = shape<Payment>({
  state: (value) => typeof value === 'string' && Object.hasOwn(SETTLED, value),
  amount: money,
  paid: money,
  remaining: money,
  late: flag,
  transactions: list(shape({amount: money, bank: (value) => value === null || text(value), at: time})),
});
