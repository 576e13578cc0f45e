/** Reads from the platform the transactions that notifications name, and the statuses of arrived money. */

import type {Context} from '../../context.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {parseAmount} from '../../lib/money.ts';
import {failureOf, isBroken} from '../../platform/failure.ts';
import type {NotificationOutcome} from '../../platform/notifications.ts';
import {stateOf} from '../../platform/statuses.ts';
import {type Arrival, toArrival, parseItemAmount} from '../../platform/to-payment.ts';
import type {OrderNotifier} from './order-notifier.ts';
import type {OrderRecord, OrderStore} from './order-store.ts';

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

  constructor(
    private readonly store: OrderStore,
    private readonly notifier: OrderNotifier,
    private readonly context: () => Context,
  ) {}

  /**
   * Handles a hint. Hints of the same transaction share one result while the transaction is being read and shortly
   * after.
   */
  async handle(id: string): Promise<NotificationOutcome> {
    const record = this.store.record();
    if (!record) return 'accepted';
    const last = this.#recent.get(id);
    if (last && Date.now() < last.freshUntil) return last.outcome;
    const handling = {outcome: this.#rememberOutcome(id, this.#apply(id, record)), freshUntil: Infinity};
    this.#recent.set(id, handling);
    return handling.outcome;
  }

  async #apply(id: string, record: OrderRecord): Promise<NotificationOutcome> {
    const arrival = await readHintedArrival(id, record, this.context());
    if (typeof arrival === 'string') return arrival;
    // The order may have closed while the transaction was read.
    if (!this.store.record()) return 'accepted';
    const added = this.store.addArrivals([arrival]);
    if (added.length > 0) this.notifier.reportArrivals(added);
    else this.store.updateArrival(id, arrival);
    await this.notifier.notifyAll();
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

/** Reads the transaction with this id. If the transaction is not money for this order, returns an outcome instead. */
async function readHintedArrival(
  id: string,
  {service, order, code}: OrderRecord,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
): Promise<Arrival | NotificationOutcome> {
  try {
    const {transaction} = await platform.call('transactionGet', {id});
    const isOfOrder = transaction.order_refno === order || (code !== null && transaction.code === code);
    if (!isOfOrder || (transaction.service_code ?? service) !== service) return 'invalid';
    const arrival = toArrival(transaction, Date.now());
    return arrival ? {...arrival, state: stateOf('transaction', transaction.status, config.statuses)} : 'accepted';
  } catch (error) {
    const failure = failureOf(error);
    return failure.outcome === 'refused' && NOT_FOUND_STATUSES.has(failure.status) ? 'invalid' : 'retry';
  }
}

/**
 * Delays between status checks, which are needed because the platform's lists show no status. The check after the last
 * delay is the last check, because each check costs at least one call for each transaction.
 */
const STATUS_CHECK_DELAYS_MS = [10 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 4 * DAY_MS];

/**
 * From this check on, about a day after the money arrived, each check also reads the order's refunds. Earlier reads
 * would find nothing, because banks send refunds at the end of the day, and a refund through the Worker is known
 * without a read.
 */
const FIRST_CHECK_OF_REFUNDS = 4;

/**
 * Reads the statuses of all arrived money and plans the next check. If a change causes a check after the last planned
 * check, only statuses that were never read are read. Returns false when the platform fails; the check is then
 * repeated.
 */
export async function checkArrivalStatuses(
  store: OrderStore,
  context: () => Pick<Context, 'platform' | 'config'>,
): Promise<boolean> {
  const checkCount = store.record()?.statusAsked ?? 0;
  const delayMs = STATUS_CHECK_DELAYS_MS[checkCount];
  const isLeft = checkCount <= STATUS_CHECK_DELAYS_MS.length;
  const statusDueAt = delayMs === undefined ? null : Date.now() + delayMs;
  // The time of the next check is stored before the reads. If the process dies during a check, the next check runs
  // after the delay.
  store.update({statusAsked: checkCount + 1, statusDueAt});
  const hasRead =
    (await readStatuses(store, context(), isLeft)) &&
    (!isLeft || checkCount < FIRST_CHECK_OF_REFUNDS || (await readRefunds(store, context())));
  if (hasRead) return true;
  // If money arrived during this check, a new check has already been scheduled.
  const isPlanned = store.record()?.statusDueAt !== statusDueAt;
  store.update({statusAsked: checkCount, ...(!isPlanned && {statusDueAt: Date.now() + (delayMs ?? HOUR_MS)})});
  return false;
}

/** @param all - Whether to read the status of all money; if not, only of money whose status was never read. */
async function readStatuses(
  store: OrderStore,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
  all: boolean,
): Promise<boolean> {
  for (const {id, state: known} of store.arrivals()) {
    if (!all && known !== 'unknown') continue;
    try {
      const {transaction} = await platform.call('transactionGet', {id});
      store.updateArrival(id, {
        state: stateOf('transaction', transaction.status, config.statuses),
        amount: parseItemAmount(transaction),
      });
    } catch (error) {
      const failure = failureOf(error);
      if (isBroken(failure) || failure.outcome === 'unsent') return false;
    }
  }
  return true;
}

/** Reads the order's refunds, also those requested without the Worker. Returns false if the platform fails. */
async function readRefunds(
  store: OrderStore,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
): Promise<boolean> {
  const record = store.record();
  if (!record) return true;
  try {
    const {data} = await platform.call('refundGetByOrder', {order: record.order});
    const transactions = new Set(store.arrivals().map(({id}) => id));
    for (const {id, amount, transaction_id: transactionId, service_code, status} of data.rows) {
      // The list is requested without a service, so it may contain refunds of another service's order.
      const isOfOrder = service_code === record.service || transactions.has(transactionId ?? '');
      const kurus = parseAmount(amount ?? '');
      const isSent = stateOf('refund', status, config.statuses) === 'successful';
      if (isOfOrder && kurus !== null) store.refunds.save({id, amount: kurus, transactionId, isSent});
    }
  } catch (error) {
    // The platform may refuse to list the refunds of an order that has no refunds.
    const failure = failureOf(error);
    if (isBroken(failure) || failure.outcome === 'unsent') return false;
  }
  return true;
}
