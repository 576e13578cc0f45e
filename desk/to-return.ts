/** Says what is to be given back of a payment. */

import type {Locale} from '../widgets/core/locale.ts';
import type {Payment} from './client.ts';
import {formatSum} from './format.ts';
import {workTexts} from './locales/work.ts';

/** What is to be given back, or to be decided about; null if it is nothing. */
export function toReturnOf(payment: Pick<Payment, 'refundable'> | null | undefined): Payment['refundable'] | null {
  return payment && Number(payment.refundable.amount) > 0 ? payment.refundable : null;
}

/** Nobody has decided yet what happens with late money. */
export function toReturnText({reason, amount}: Payment['refundable'], locale: Locale): string {
  return workTexts[locale][reason === 'late' ? 'decide' : 'refund'](formatSum(amount, locale));
}
