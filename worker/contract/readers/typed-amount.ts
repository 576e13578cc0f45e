/** Reads amounts in lira that people type into a form. */

import {foldText} from './characters.ts';

/** The Worker's `MAX_AMOUNT` is 99999999.99. */
const MAX_DIGITS = 8;

/** A price tag writes the kuruş as `149⁹⁰`, and folding would make one number of both parts. */
const RAISED = /\p{No}/u;

const CURRENCY = /^(?:₺|TL|TRY)\s*|\s*(?:₺|TL|TRY|(?:TURK )?LIRA(?:SI)?)$/g;

/**
 * One or two digits after the last comma or point are kuruş. Three are a group of thousands, because no amount in lira
 * has three places.
 */
const AMOUNT = /^(\d+|[1-9]\d{0,2}([.,٬'’\s])\d{3}(?:\2\d{3})*)(?:\s?[.,٫]\s?(\d{1,2}))?$/;

/**
 * `1.149,9`, `1149.90`, `TL 149,90`, `149,90 lira` → `1149.90`, `1149.90`, `149.90`, `149.90`. Returns undefined if the
 * text is no amount, or if the Worker would refuse it because it is too large.
 */
export function readTypedAmount(text: string): string | undefined {
  const bare = foldText(text).trim().toUpperCase().replace(CURRENCY, '');
  const [, whole = '', , decimals = ''] = (!RAISED.test(text) && AMOUNT.exec(bare)) || [];
  const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
  const isAccepted = digits.length <= MAX_DIGITS && Number(`${digits}.${decimals}`) > 0;
  return isAccepted ? `${digits}.${decimals.padEnd(2, '0')}` : undefined;
}
