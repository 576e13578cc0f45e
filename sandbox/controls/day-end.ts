/** The control that settles refunds as the bank does at the end of a day. */

import * as z from 'zod';
import type {Context} from '../context.ts';
import {notifyRefunds, REFUND_NOTIFICATION_MODES} from '../notifications/orders.ts';
import {REFUND_STATUS, type Refund} from '../records/refunds.ts';
import {TRANSACTION_STATUS} from '../records/transactions.ts';
import {ControlError, type ControlInput, readInput} from './control-input.ts';

const {notifyError, inBank, successful, error, cancelled} = REFUND_STATUS;
const OUTCOMES: readonly number[] = [notifyError, inBank, successful, error, cancelled];
/**
 * The sandbox sends no notification about refunds with these statuses. `inBank` means that the refund has no result
 * yet; `notifyError` means that the platform's notification failed.
 */
const WITHOUT_RESULT: ReadonlySet<number> = new Set([inBank, notifyError]);

const DayEnd = z.object({
  notify: z.enum(REFUND_NOTIFICATION_MODES, `must be one of ${REFUND_NOTIFICATION_MODES.join(', ')}`),
  outcomes: z
    .record(
      z.string(),
      z.literal(OUTCOMES, `must be one of ${OUTCOMES.join(', ')}`),
      'must be an object of refund ids and statuses',
    )
    .default({}),
  again: z.boolean('must be true or false').default(false),
  foreign: z.boolean('must be true or false').default(false),
});

/**
 * POST /_sandbox/day-end: the bank settles the open refunds, then the platform notifies the merchant of each result. A
 * refund without an entry in `outcomes` succeeds. With `again`, the platform also repeats the notifications of earlier
 * days. With `foreign`, the platform also notifies of a refund of a service that another system of the merchant has.
 */
export async function endDay({body}: ControlInput, context: Context) {
  const {notify, outcomes, again, foreign} = readInput(DayEnd, body);
  const open = context.refunds.open();
  const unknown = Object.keys(outcomes).find((id) => !open.some((refund) => String(refund.id) === id));
  if (unknown !== undefined) throw new ControlError(`Refund ${unknown} is not open.`);
  for (const refund of open) settle(refund, outcomes[String(refund.id)] ?? successful, context);
  const settled = open.flatMap(({id}) => context.refunds.find(id) ?? []);
  const toNotify = (again ? context.refunds.settled() : settled).filter(({status}) => !WITHOUT_RESULT.has(status));
  return {
    settled: settled.map(({id, status}) => ({refund_id: id, status})),
    notifications: await notifyRefunds(toNotify, notify, context, foreign),
  };
}

/** Sets a refund to `inBank`, then to its outcome. */
function settle(refund: Refund, outcome: number, context: Context): void {
  const {refunds, transactions} = context;
  const bankId = transactions.find(refund.transactionId)?.bankId ?? 0;
  refunds.setStatus(refund, inBank, bankId);
  if (outcome === inBank) return;
  refunds.setStatus(refund, outcome, bankId);
  markRefunded(refund.orderCode, context);
}

/**
 * Sets a transaction to refunded if its whole amount was sent back. If the whole amount of the order was sent back,
 * sets all transactions of the order to refunded. A reading says whether less is enough.
 */
export function markRefunded(orderCode: string, {refunds, transactions, readings}: Context): void {
  const status = readings.get('refunded_status');
  const arrived = transactions.ofOrder(orderCode);
  const paid = status === 'begun' ? refunds.activeOfOrder(orderCode) : refunds.paidOfOrder(orderCode);
  const allRefunded = sum(paid) >= sum(arrived);
  for (const {id, amountKurus} of arrived) {
    const refundedKurus = sum(paid.filter(({transactionId}) => transactionId === id));
    const isEnough = refundedKurus >= amountKurus || (status !== 'all' && refundedKurus > 0);
    if (allRefunded || isEnough) transactions.setStatus(id, TRANSACTION_STATUS.refunded);
  }
}

function sum(records: readonly {readonly amountKurus: number}[]): number {
  return records.reduce((total, {amountKurus}) => total + amountKurus, 0);
}
