/** Parses the form of the payment notice, and builds the request to the Worker from it. */

import type {PaymentNoticeRequest} from '../../../worker/contract/browser/requests.ts';
import {compactText} from '../../../worker/contract/readers/characters.ts';
import {readMsisdn} from '../../../worker/contract/readers/mobile-number.ts';
import {readTypedAmount} from '../../../worker/contract/readers/typed-amount.ts';
import type {PaymentNoticeMessages} from '../../locales/payment-notice.ts';

/** The error of each missing or invalid field, by the field's name, in the order of the form. */
export type NoticeErrors = {readonly [field: string]: keyof PaymentNoticeMessages['fieldErrors']};

/** The request, or the errors of the missing and invalid fields. */
export interface ParsedNotice {
  readonly request?: PaymentNoticeRequest;
  readonly errors: NoticeErrors;
}

/** Parses the form. @param now - Epoch milliseconds. */
export function parseNotice(fields: FormData, now: number): ParsedNotice {
  const read = (name: string) => String(fields.get(name) ?? '').trim();
  const bank = read('bank');
  const amount = readTypedAmount(read('amount'));
  const applyTime = read('when') && `${read('when').slice(0, 16)}:00+03:00`;
  const email = read('email');
  const isFuture = Date.parse(applyTime) > now;
  // The errors are in the order of the form, because the first invalid field gets the focus.
  const errors: NoticeErrors = {
    ...(!bank && {bank: 'bank'}),
    ...(!amount && {amount: 'amount'}),
    ...(!(Date.parse(applyTime) <= now) && {when: isFuture ? 'future' : 'when'}),
    ...(email && !/^\S+@\S+\.\S+$/.test(email) && {email: 'email'}),
  };
  if (Object.keys(errors).length > 0 || !amount) return {errors};
  const notice = {
    name: read('name'),
    phone: readMsisdn(read('phone')) ?? compactText(read('phone')),
    email,
    tc_no: compactText(read('identity')),
    apply_time: applyTime,
    description: read('note'),
  };
  return {
    errors,
    request: {bank, amount, notice: Object.fromEntries(Object.entries(notice).filter(([, value]) => value))},
  };
}

/** Whether a Turkish identity number has correct check digits. If not, the form shows a warning, but accepts it. */
export function looksLikeIdentityNumber(input: string): boolean {
  const digits = [...compactText(input)].map(Number);
  if (digits.length !== 11 || digits.some(Number.isNaN) || digits[0] === 0) return false;
  const sum = (from: number, step: number, to: number) =>
    digits.slice(from, to).reduce((total, digit, index) => (index % step === 0 ? total + digit : total), 0);
  const odd = sum(0, 2, 9);
  const even = sum(1, 2, 8);
  return (odd * 7 - even + 100) % 10 === digits[9] && sum(0, 1, 10) % 10 === digits[10];
}
