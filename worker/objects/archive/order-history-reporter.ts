/** Sends an order's bookings and summary to the archive, so that the order can still be read after it closed. */

import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatMonth} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import type {StandingTask} from '../schedule.ts';
import {type Booking, book} from './booking.ts';
import type {OrderSummary} from './order-history-store.ts';

/** What the archive learns of an order. */
export interface OrderHistory {
  readonly summary: OrderSummary;
  /** All of the order's bookings. */
  readonly bookings: readonly Booking[];
}

/** A random part is cut off, because thousands of orders may have a history. */
const RETRY = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS, jitter: 0.5};

/**
 * What was sent last, and what waits, is kept only in memory, so that it costs no write. After an order wakes, its alarm
 * therefore reports the history again. The archive writes the summary only if the summary differs. The same holds for
 * the bookings.
 */
export class OrderHistoryReporter {
  #waiting: {readonly service: string; readonly history: OrderHistory} | null = null;
  #reported: string | null = null;
  /** Ids of the bookings that the books have. */
  readonly #booked = new Set<string>();

  /** Sends the bookings that the books lack, and the summary if it differs from the last one that was sent. */
  readonly task: StandingTask = {
    retry: RETRY,
    holdsAlarm: true,
    dueAt: () => (this.#waiting ? 0 : null),
    run: () => this.#sendAll(),
  };

  constructor(private readonly objects: () => Objects) {}

  /** Takes the order's history as it is now, which the task sends. */
  report(service: string, history: OrderHistory): void {
    this.#waiting = {service, history};
  }

  /** Reports are sent one after the other, so that an older summary never arrives last. */
  async #sendAll(): Promise<'retry' | void> {
    while (this.#waiting) {
      const sent = this.#waiting;
      try {
        await this.#send(sent.service, sent.history);
      } catch (error) {
        // The archive may have stored this summary, so the one before has to be sent again too.
        this.#reported = null;
        log('warn', 'history_waiting', {order: sent.history.summary.order, error: describeError(error)});
        return 'retry';
      }
      if (this.#waiting === sent) this.#waiting = null;
    }
  }

  async #send(service: string, {summary, bookings}: OrderHistory): Promise<void> {
    const text = JSON.stringify(summary);
    const open = bookings.filter(({id}) => !this.#booked.has(id));
    if (text === this.#reported && open.length === 0) return;
    if (open.length > 0) await book(this.objects(), service, open);
    for (const {id} of open) this.#booked.add(id);
    await this.objects().archivedOrders(service, formatMonth(summary.createdAt)).saveOrder(summary, Date.now());
    this.#reported = text;
  }
}
