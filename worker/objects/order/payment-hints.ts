/** Reads from the platform the transactions that notifications name, and the statuses of arrived money. */

import type {Context} from '../../context.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {parseAmount} from '../../lib/money.ts';
import {failureOf, isBroken, isUnsent} from '../../platform/failure.ts';
import type {NotificationOutcome} from '../../platform/notifications.ts';
import {stateOf} from '../../platform/statuses.ts';
import {type Arrival, parseItemAmount, readStatus} from '../../platform/to-payment.ts';
import type {DueTime, Later} from '../schedule.ts';
import type {TransactionRecord} from '../sweep/undelivered-store.ts';
import type {OrderAccess} from './order-effects.ts';
import {type ReadArrival, refundIn, withReadArrival, withRefund} from './order-money.ts';
import {
  type Change,
  type OrderMoney,
  type OrderRecord,
  type OrderState,
  type StatusChecks,
  type StoredRefund,
  withRecord,
} from './order-state.ts';
import type {WatchReporter} from './order-watchers.ts';

/** The platform's statuses for an unknown id. */
const NOT_FOUND_STATUSES: ReadonlySet<string> = new Set(['404', 'ERR_006']);

/** After a transaction was read, further notifications of it cause no new read for this long. */
const FRESH_MS = 10_000;

/**
 * Handles the payment notifications of one order. Each notification names a transaction; only the platform's record of
 * this transaction counts.
 */
export class PaymentHints {
  readonly #recent = new Map<string, {readonly outcome: Promise<NotificationOutcome>; freshUntil: number}>();

  constructor(private readonly order: OrderAccess) {}

  /**
   * Handles a hint: the transaction is read from the platform, and then received as if the sweep had found it. If the
   * order is not stored here, the hint is accepted and dropped. Hints of the same transaction share one result while
   * the transaction is being read and shortly after.
   */
  async handle(id: string): Promise<NotificationOutcome> {
    const {record} = this.order.state();
    if (!record) return 'accepted';
    const last = this.#recent.get(id);
    if (last && Date.now() < last.freshUntil) return last.outcome;
    const handling = {outcome: this.#rememberOutcome(id, this.#apply(id, record)), freshUntil: Infinity};
    this.#recent.set(id, handling);
    return handling.outcome;
  }

  async #apply(id: string, record: OrderRecord): Promise<NotificationOutcome> {
    const found = await readTransaction(id, record, this.order.services()).catch(outcomeOf);
    if (typeof found === 'string') return found;
    const {arrival, owner} = found;
    const isOwner = owner === 'this order';
    const known = this.order.state().money.arrivals.find((other) => other.id === id);
    if (!isOwner && (owner === 'unknown' || !known)) return 'invalid';
    if (isOwner && isNews(known, arrival.state) && !(await readRefunds(this.order, id))) return 'retry';
    if (!(await reportRead(this.order, record, found.record))) return 'retry';
    if (!isOwner) return 'invalid';
    // New money came with its status. What changed in the meantime is newer.
    await this.order.commit((order) =>
      known && order.money.arrivals.includes(known) ? withReadArrival(order, arrival) : order,
    );
    return 'accepted';
  }

  async #rememberOutcome(id: string, applying: Promise<NotificationOutcome>): Promise<NotificationOutcome> {
    let freshUntil = 0;
    try {
      const outcome = await applying;
      if (outcome !== 'retry') freshUntil = Date.now() + FRESH_MS;
      return outcome;
    } finally {
      const handling = this.#recent.get(id);
      if (freshUntil === 0) this.#recent.delete(id);
      else if (handling) handling.freshUntil = freshUntil;
      for (const [other, {freshUntil: until}] of this.#recent) if (until < Date.now()) this.#recent.delete(other);
    }
  }
}

/** What an order has read of a transaction. */
interface TransactionRead {
  readonly record: TransactionRecord;
  readonly arrival: ReadArrival;
  /**
   * Which order has the money. `unknown` if the record names no order, or a different service: then it stays with the
   * order that has it until a list of the service shows it without one.
   */
  readonly owner: 'this order' | 'another order' | 'unknown';
}

/** @throws {PlatformError} */
async function readTransaction(
  id: string,
  {service, order, code}: OrderRecord,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
): Promise<TransactionRead> {
  const askedAt = Date.now();
  const {transaction} = await platform.call('transactionGet', {id});
  const {order_refno, code: named, service_code, status} = transaction;
  const isNamed = order_refno === order || (code !== null && named === code);
  const isKnown = (order_refno !== null || named !== null) && (service_code ?? service) === service;
  return {
    record: {...transaction, askedAt, reader: {order, isNamed}},
    arrival: {id, ...readStatus(status, config), amount: parseItemAmount(transaction)},
    owner: !isKnown ? 'unknown' : isNamed ? 'this order' : 'another order',
  };
}

/** Asks the service which order has the money now. @returns false if the money waits, or if the service cannot be reached. */
async function reportRead(
  access: OrderAccess,
  {service, order}: OrderRecord,
  record: TransactionRecord,
): Promise<boolean> {
  try {
    return await access.services().objects.service(service).deliverTransfer(service, record);
  } catch (error) {
    log('warn', 'delivery_failed', {service, order, error: describeError(error)});
    return false;
  }
}

/** How a notification is answered whose transaction could not be read. */
function outcomeOf(error: unknown): NotificationOutcome {
  const failure = failureOf(error);
  return failure.outcome === 'refused' && NOT_FOUND_STATUSES.has(failure.status) ? 'invalid' : 'retry';
}

/**
 * Minutes from the first money to each check of all statuses, which are needed because the platform's lists show none.
 * There is a last check, because each costs at least one call for each transaction.
 */
const CHECKS_AFTER = [10, 70, 430, 1_870, 6_190, 11_950];

/**
 * When statuses are read next, if all checks that were due until `doneUntil` were made. It follows from the time of the
 * money alone, so a check that finds nothing new writes nothing. Money that does not count yet is checked more often and
 * until it counts, because the merchant or the platform's staff may approve it at once or days later.
 */
export function nextStatusCheckAt({record, money}: OrderState, doneUntil: number): DueTime {
  if (!record?.checks) return null;
  const {since, asked} = record.checks;
  if (asked) return since;
  const pending = money.arrivals.findLast((arrival) => arrival.pending);
  if (!pending) return CHECKS_AFTER.map((minutes) => since + minutes * MINUTE_MS).find((at) => at > doneUntil) ?? null;
  // A bank may date its money days ahead.
  const from = Math.min(pending.at, since);
  let at = from;
  while (at <= doneUntil) at += Math.min(Math.max(MINUTE_MS, (at - from) / 8), HOUR_MS);
  return Math.ceil(at);
}

/**
 * Reads the statuses of all money, or only of new money if only that was asked for. A day after the money came, this
 * also reads the order's refunds: earlier reads would find nothing, because banks send refunds at the end of the day,
 * and a refund through the Worker is known without a read.
 * @returns `retry` if the platform failed.
 */
export async function checkArrivalStatuses(
  order: OrderAccess,
  checks: StatusChecks,
  {arrivals}: OrderMoney,
  reporter: Pick<WatchReporter, 'recordPoll'>,
): Promise<Later | void> {
  const {since, asked} = checks;
  const isPending = arrivals.some(({pending}) => pending);
  const all = asked !== 'new';
  // What arrived during the reads was asked for again.
  const withoutAsked: Change = (known) =>
    known.record?.checks === checks ? withRecord(known, {checks: {since}}) : known;
  const isDone =
    (await readStatuses(order, all, all ? undefined : withoutAsked)) &&
    (!all || isPending || Date.now() < since + DAY_MS || (await readRefunds(order)));
  if (asked) await order.commit(withoutAsked);
  if (!isDone) return 'retry';
  reporter.recordPoll(Date.now());
}

/**
 * Reads the statuses, and stores each before the next is read. What changed during a read stays, because it is newer.
 * Money that the platform has assigned to a different order since goes there.
 * @param all - Whether to read the status of all money; if not, only of money that does not count yet, or whose status
 * was never read.
 * @param atEnd - What else changes with the last status. @returns false if the platform failed.
 */
async function readStatuses(order: OrderAccess, all: boolean, atEnd: Change = (known) => known): Promise<boolean> {
  const {
    record,
    money: {arrivals},
  } = order.state();
  if (!record) return true;
  const asked = arrivals.filter(({state, pending}) => all || state === 'unknown' || pending);
  for (const known of asked) {
    try {
      const {record: shown, arrival, owner} = await readTransaction(known.id, record, order.services());
      if (owner === 'another order') {
        if (!(await reportRead(order, record, shown))) return false;
        continue;
      }
      if (isNews(known, arrival.state) && !(await readRefunds(order))) return false;
      await order.commit((now) => {
        const after = now.money.arrivals.includes(known) ? withReadArrival(now, arrival) : now;
        return known === asked.at(-1) ? atEnd(after, Date.now()) : after;
      });
    } catch (error) {
      if (isToBeRepeated(error)) return false;
    }
  }
  return true;
}

/** Whether a status says for the first time that money was sent back. Only the records of refunds say how much. */
function isNews(known: Arrival | undefined, state: string): boolean {
  return state === 'refunded' && known?.state !== state;
}

/**
 * Reads and stores the order's refunds, also those requested without the Worker. A refund that changed during the read
 * stays, because it is newer. @param id - A transaction of the order. @returns false if the platform failed.
 */
async function readRefunds(order: OrderAccess, id?: string): Promise<boolean> {
  const {record, money} = order.state();
  if (!record) return true;
  const {platform, config, objects} = order.services();
  try {
    const {data} = await platform.call('refundGetByOrder', {order: record.order});
    const transactions = new Set([id, ...money.arrivals.map((arrival) => arrival.id)]);
    // The list is requested without a service, so it may contain refunds of another service's order.
    const records = data.rows.filter(
      ({service_code, transaction_id: transactionId}) =>
        service_code === record.service || (transactionId !== null && transactions.has(transactionId)),
    );
    const refunds = records.flatMap(({id: refundId, amount, transaction_id: transactionId, status}) => {
      const kurus = parseAmount(amount ?? '');
      const state = stateOf('refund', status, config.statuses);
      return kurus === null ? [] : [refundIn(state, kurus, refundId, transactionId)];
    });
    await order.commit((now) => {
      const isUnchanged = (refund: StoredRefund) => refundOf(now.money, refund.id) === refundOf(money, refund.id);
      return refunds.filter(isUnchanged).reduce(withRefund, now);
    });
    // The books and the merchant learn of all refunds from there.
    if (records.length > 0) await objects.refunds().receiveListed(record.service, record.order, records);
    return true;
  } catch (error) {
    // The platform may refuse to list the refunds of an order that has no refunds.
    return !isToBeRepeated(error);
  }
}

const refundOf = ({refunds}: OrderMoney, refundId: string) => refunds.find(({id}) => id === refundId);

function isToBeRepeated(error: unknown): boolean {
  const failure = failureOf(error);
  return isBroken(failure) || isUnsent(failure);
}
