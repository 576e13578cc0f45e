/** Sends an order's summary to the history of its service, so that the order can still be read after it closed. */

import {describeError, log} from '../../lib/log.ts';
import {formatMonth} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import {type CallFailure, nextFailure} from '../alarm.ts';
import {isPayable, type OrderRecord, type OrderStore} from '../order/order-store.ts';
import type {PaymentSummary} from '../order/payment.ts';
import type {OrderSummary} from './order-history-store.ts';

/**
 * The summary that was sent last is kept only in memory, so that this costs no write. After an order wakes, it
 * therefore sends its summary with its first change. The history writes the summary only if the summary differs.
 */
export class OrderHistoryReporter {
  #reported: string | null = null;
  #failure: CallFailure | undefined;
  /** The last report. Reports are sent one after the other, so that an older summary never arrives last. */
  #reporting: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: OrderStore,
    private readonly describe: (record: OrderRecord) => PaymentSummary,
    private readonly objects: () => Objects,
  ) {}

  /** When the summary must be sent again; null if the last summary arrived. */
  dueAt(): number | null {
    return this.#failure?.retryAt ?? null;
  }

  /** Sends the summary if it changed. Never throws. */
  report(): Promise<void> {
    this.#reporting = this.#reporting.then(() => this.#send());
    return this.#reporting;
  }

  async #send(): Promise<void> {
    const record = this.store.record();
    if (!record) return;
    try {
      const summary = summaryOf(this.store, record, this.describe(record));
      if (!isPayable(record) && summary.money.length === 0) return;
      const text = JSON.stringify(summary);
      if (text === this.#reported) return;
      const month = formatMonth(record.createdAt);
      await this.objects().orderHistory(record.service, month).save(summary, Date.now());
      this.#reported = text;
      this.#failure = undefined;
    } catch (error) {
      this.#failure = nextFailure(this.#failure, Date.now());
      log('warn', 'history_waiting', {order: record.order, error: describeError(error)});
    }
  }
}

function summaryOf(
  store: OrderStore,
  {order, code, offer, createdAt, expiresAt, completedAt}: OrderRecord,
  {state, amount, paid, refunded, remaining, late, unclear}: PaymentSummary,
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
