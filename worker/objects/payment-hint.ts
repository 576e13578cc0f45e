/** Reads back what a payment notification claims: it says only where to look. */
import type {Context} from '../context.ts';
import type {Arrival} from '../payment.ts';
import {toArrival} from '../platform/arrival.ts';
import {failureOf} from '../platform/failure.ts';
import {stateOf} from '../platform/statuses.ts';
import type {NoticeOutcome} from './notice-outcome.ts';
import type {OrderRecord} from './order-store.ts';

/** What the platform says to an id that it does not know. */
const NONE: ReadonlySet<string> = new Set(['404', 'ERR_006']);

/** The money of this order that the id stands for, or why there is none. */
export async function readHinted(id: string, {service, order, code}: OrderRecord, {platform, config}: Pick<Context, 'platform' | 'config'>): Promise<Arrival | NoticeOutcome> {
  try {
    const {transaction} = await platform.call('transactionGet', {id});
    const isOurs = transaction.order_refno === order || (code !== null && transaction.code === code);
    if (!isOurs || (transaction.service_code ?? service) !== service) return 'wrong';
    const arrival = toArrival(transaction, Date.now());
    return arrival ? {...arrival, state: stateOf('transaction', transaction.status, config.statuses)} : 'stored';
  } catch (error) {
    const failure = failureOf(error);
    return failure.outcome === 'refused' && NONE.has(failure.status) ? 'wrong' : 'later';
  }
}
