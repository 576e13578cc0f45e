import * as z from 'zod';
import type {Context} from '../context.ts';
import {notifyRefunds} from '../notifications/orders.ts';
import {REFUND_STATUS, type Refund} from '../records/refunds.ts';
import {TRANSACTION_STATUS} from '../records/transactions.ts';
import {ControlError, type ControlInput, readInput} from './control-input.ts';

const {notifyError, inBank, successful, error, cancelled} = REFUND_STATUS;
const OUTCOMES: readonly number[] = [notifyError, inBank, successful, error, cancelled];
/** With these there is no result to tell. */
const WITHOUT_RESULT: ReadonlySet<number> = new Set([inBank, notifyError]);

const DayEnd = z.object({
  notify: z.enum(['get', 'post', 'batch'], 'is one of get, post, batch'),
  outcomes: z
    .record(
      z.string(),
      z.literal(OUTCOMES, `is one of ${OUTCOMES.join(', ')}`),
      'is an object of refund ids and statuses',
    )
    .default({}),
  again: z.boolean('is true or false').default(false),
});

/**
 * POST /_sandbox/day-end: the bank makes the transfers that were waiting, then the merchant is told each result. What
 * is not among the outcomes succeeds. `again` repeats the results of earlier days as well.
 */
export async function endDay({body}: ControlInput, context: Context) {
  const {notify, outcomes, again} = readInput(DayEnd, body);
  const open = context.refunds.open();
  const unknown = Object.keys(outcomes).find((id) => !open.some((refund) => String(refund.id) === id));
  if (unknown !== undefined) throw new ControlError(`Refund ${unknown} is not open.`);
  for (const refund of open) settle(refund, outcomes[String(refund.id)] ?? successful, context);
  const settled = open.flatMap(({id}) => context.refunds.find(id) ?? []);
  const toNotify = (again ? context.refunds.settled() : settled).filter(({status}) => !WITHOUT_RESULT.has(status));
  return {
    settled: settled.map(({id, status}) => ({refund_id: id, status})),
    notifications: await notifyRefunds(toNotify, notify, context),
  };
}

/** Waiting → in the bank → the outcome, with what the bank says about it. */
function settle(refund: Refund, outcome: number, context: Context): void {
  const {refunds, transactions} = context;
  const bankId = transactions.find(refund.transactionId)?.bankId ?? 0;
  refunds.setStatus(refund, inBank, bankId);
  if (outcome === inBank) return;
  refunds.setStatus(refund, outcome, bankId);
  markRefunded(refund.orderCode, context);
}

/** A transaction is refunded when all of its money went back; several together when all of the order's did. */
function markRefunded(orderCode: string, {refunds, transactions}: Context): void {
  const arrived = transactions.ofOrder(orderCode);
  const paid = refunds.paidOfOrder(orderCode);
  const everything = sum(paid) >= sum(arrived);
  for (const {id, amountKurus} of arrived) {
    const ofThis = sum(paid.filter(({transactionId}) => transactionId === id));
    if (everything || ofThis >= amountKurus) transactions.setStatus(id, TRANSACTION_STATUS.refunded);
  }
}

function sum(records: readonly {readonly amountKurus: number}[]): number {
  return records.reduce((total, {amountKurus}) => total + amountKurus, 0);
}
