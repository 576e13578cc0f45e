/** Sends an order's summary to the history of its service, which remembers the order after it closed. */

import type {Payment} from '../../contract/browser/answers.ts';
import {SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatMonth} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import {isPayable, type OrderRecord, type OrderStore} from '../order/order-store.ts';
import type {OrderSummary} from './order-history-store.ts';

/** Retry delay after the history could not be reached. */
const RETRY_DELAY_MS = 10 * SECOND_MS;

/**
 * Whether the history is up to date is known only in memory, so it costs no write. An order that wakes therefore sends
 * its summary with its first change, and the history writes it only if it differs.
 */
export class OrderHistoryReporter {
  #reported: string | null = null;
  #isDue = false;

  constructor(
    private readonly store: OrderStore,
    private readonly objects: () => Objects,
  ) {}

  /** When the summary must be sent again; null if the last one arrived. */
  dueAt(): number | null {
    return this.#isDue ? Date.now() + RETRY_DELAY_MS : null;
  }

  /** Sends the summary if it changed. Never throws. */
  async report(record: OrderRecord, payment: Payment): Promise<void> {
    const summary = summaryOf(this.store, record, payment);
    if (!isPayable(record) && summary.money.length === 0) return;
    const text = JSON.stringify(summary);
    if (text === this.#reported) return;
    try {
      const month = formatMonth(record.createdAt);
      await this.objects().orderHistory(record.service, month).save(summary, Date.now());
      this.#reported = text;
      this.#isDue = false;
    } catch (error) {
      this.#isDue = true;
      log('warn', 'history_waiting', {order: record.order, error: describeError(error)});
    }
  }
}

function summaryOf(
  store: OrderStore,
  {order, code, offer, createdAt, expiresAt, completedAt}: OrderRecord,
  {state, amount, paid, refunded, remaining, late, unclear}: Payment,
): OrderSummary {
  const money = [...store.arrivals(), ...store.charges()]
    .sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1))
    .map(({id, amount: arrived, currency, bank, at}) => ({id, amount: arrived, currency, bank, at}));
  return {
    order,
    code,
    state,
    createdAt,
    offer: offer ?? null,
    expiresAt,
    completedAt,
    amount,
    paid,
    refunded,
    remaining,
    late,
    unclear,
    money,
  };
}
