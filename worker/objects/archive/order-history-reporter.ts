/** Sends an order's bookings and summary to the archive, so that the order can still be read after it closed. */

import {describeError, log} from '../../lib/log.ts';
import {formatMonth} from '../../lib/time.ts';
import type {Objects} from '../../objects.ts';
import {type CallFailure, nextFailure, watchdogAt} from '../alarm.ts';
import {type Booking, book} from './booking.ts';
import type {OrderSummary} from './order-history-store.ts';

/** What the archive learns of an order. */
export interface OrderHistory {
  readonly summary: OrderSummary;
  /** All of the order's bookings. */
  readonly bookings: readonly Booking[];
}

/**
 * The summary that was sent last is kept only in memory, so that this costs no write. After an order wakes, its alarm
 * therefore sends the summary again. The archive writes the summary only if the summary differs. The same holds for the
 * bookings.
 */
export class OrderHistoryReporter {
  #reported: string | null = null;
  /** Ids of the bookings that the books have. */
  readonly #booked = new Set<string>();
  #failure: CallFailure | undefined;
  /** Whether a report has no answer yet. */
  isSending = false;
  /** The last report. Reports are sent one after the other, so that an older summary never arrives last. */
  #reporting: Promise<void> = Promise.resolve();

  constructor(private readonly objects: () => Objects) {}

  /**
   * When the summary must be sent again; null if the last summary arrived. While a retry is running, this is later than
   * now, so that an archive that hangs does not make the alarm run again and again.
   */
  dueAt(): number | null {
    if (!this.#failure) return null;
    return this.isSending ? watchdogAt(Date.now()) : this.#failure.retryAt;
  }

  /** Sends new bookings, and the summary if it differs from the last one that was sent. Never throws. */
  report(service: string, history: OrderHistory): Promise<void> {
    this.isSending = true;
    this.#reporting = this.#reporting.then(() => this.#send(service, history));
    return this.#reporting;
  }

  /** Resolves when all reports were tried. */
  finish(): Promise<void> {
    return this.#reporting;
  }

  async #send(service: string, {summary, bookings}: OrderHistory): Promise<void> {
    this.isSending = true;
    const text = JSON.stringify(summary);
    const open = bookings.filter(({id}) => !this.#booked.has(id));
    try {
      if (text === this.#reported && open.length === 0) return;
      if (open.length > 0) await book(this.objects(), service, open);
      for (const {id} of open) this.#booked.add(id);
      await this.objects().archivedOrders(service, formatMonth(summary.createdAt)).saveOrder(summary, Date.now());
      this.#reported = text;
      this.#failure = undefined;
    } catch (error) {
      // The archive may have stored this summary, so the one before has to be sent again too.
      this.#reported = null;
      this.#failure = nextFailure(this.#failure, Date.now());
      log('warn', 'history_waiting', {order: summary.order, error: describeError(error)});
    } finally {
      this.isSending = false;
    }
  }
}
