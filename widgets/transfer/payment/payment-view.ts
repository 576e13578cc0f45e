/**
 * What a shopper sees of a payment: a row of `payment-views.ts`, and what the page knows of the payment. The elements
 * only render a view, with the words that `locales/payment.ts` has for it, and report what the shopper does as events
 * (`purchase/facts.ts`, `payment-events.ts`).
 */

import type {PurchaseFacts} from '../purchase/facts.ts';
import type {CheckoutStep} from '../purchase/saved-order.ts';
import {situationOf, type Place, type Situation} from './payment-situation.ts';
import {VIEWS, type Action, type OtherText, type Row, type Shown, type Sums} from './payment-views.ts';

export type {Place} from './payment-situation.ts';

export interface PaymentView extends Situation, Pick<Row, 'isSilent' | 'isUrgent'> {
  readonly is: Shown;
  readonly step: CheckoutStep | 'done';
  /**
   * The amount of the payment, which is due, or remains to be paid, or is not asked for. Undefined until it is read, and
   * empty if the view names it elsewhere.
   */
  readonly amount: {readonly is: 'due' | 'remaining' | 'settled'; readonly sum: string} | undefined;
  readonly instructions: 'open' | 'closed' | 'hidden';
  readonly action: Action;
  /** The amounts that the words name. */
  readonly amounts: readonly string[];
  /** The view whose text is shown, which is this view or another one; or a text of its own. */
  readonly text: Shown | OtherText;
}

/** @param now - Epoch milliseconds of this device. */
export function paymentView(facts: PurchaseFacts, now: number, place: Place = {in: 'checkout'}): PaymentView {
  const situation = situationOf(facts, now, place);
  const {payment, part, mayPay, isPausing, isRefunding} = situation;
  const isShown = (name: Shown): unknown => (VIEWS[name] as Row).when?.(situation) ?? name === situation.state;
  const is = (Object.keys(VIEWS) as Shown[]).find(isShown) ?? 'pay';
  const row: Row = VIEWS[is];
  const isRefund = row.mayRefund && isRefunding;
  const {amounts = []} = isRefund ? VIEWS.refunding : row;
  const sums = sumsOf(situation);
  return {
    ...situation,
    ...row,
    is,
    step: row.step ?? 'pay',
    amount: (payment || part) && {
      is: mayPay ? (part ? 'remaining' : 'due') : 'settled',
      sum: row.namesSum ? '' : (((mayPay && part?.remaining) || payment?.amount) ?? ''),
    },
    instructions: row.instructions ?? (isPausing ? 'closed' : 'open'),
    action: actionOf(row, situation),
    amounts: amounts.flatMap((name) => sums[name] ?? []),
    text: isRefund ? 'refunding' : row.text?.(situation) || is,
  };
}

function sumsOf({place, payment, part, code}: Situation): Sums {
  // Beside a status and in a checkout, the amount is in another place.
  const isAlone = place.in === 'code' || place.in === 'button';
  return {
    ...payment,
    ...part,
    due: isAlone ? (part?.remaining ?? payment?.amount ?? code?.amount) : undefined,
    excess: Math.max(0, Number(payment?.paid) - Number(payment?.amount)).toFixed(2),
  };
}

function actionOf({step, action}: Row, situation: Situation): Action {
  const {code, account, place, mayPay, isPausing, isLost, leavesTo, report} = situation;
  if (report === 'open' && step !== 'bank') return 'send-report';
  // Another payment is the next step only if the page may start one.
  if (action && (action !== 'start-over' || leavesTo !== 'nothing')) return action;
  if (!mayPay || isLost) return 'ask-seller';
  if (!code || isPausing) return 'none';
  // While the list of banks is loading, the shopper can already copy the code.
  return account || (!place.banks && code.account) ? 'copy-code' : 'choose-bank';
}
