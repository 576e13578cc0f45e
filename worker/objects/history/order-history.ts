import {DAY_MS} from '../../lib/durations.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import {StoredObject} from '../stored-object.ts';
import {
  ORDER_HISTORY,
  OrderHistoryStore,
  type OrderListQuery,
  type OrderSummary,
  type PastOrder,
} from './order-history-store.ts';

/** How long an order can be read after it last changed. */
export const HISTORY_RETENTION_MS = 400 * DAY_MS;
/** The longest time from an order's creation to its last change: 90 days to pay, and 7 days for late money. */
const MAX_ORDER_LIFE_MS = 97 * DAY_MS;
const MAX_MONTH_MS = 31 * DAY_MS;

export interface DayQuery extends OrderListQuery {
  /** `YYYY-MM-DD` in Turkey. */
  readonly day: string;
}

/**
 * The history of the orders of one service that were created in one month (in Turkey). The `Order` object deletes an
 * order seven days after its time to pay; this object keeps the order for 400 days.
 *
 * An order sends its summary again until this object has stored it. If the same summary is already stored, nothing is
 * written. If the process dies between two calls, the order's next alarm sends its summary again, at the latest when the
 * order closes. When no order of the month can be read any more, the object deletes everything at once,
 * because deleting single rows would cost as much as writing them.
 */
export class OrderHistory extends StoredObject {
  static override readonly schemas = [ORDER_HISTORY];

  readonly #store = new OrderHistoryStore(this.ctx.storage);

  /** Stores the order as it was at `at`, epoch milliseconds. */
  async save(summary: OrderSummary, at: number): Promise<void> {
    const isFirst = !this.versions.has(ORDER_HISTORY);
    this.versions.create(ORDER_HISTORY);
    this.#store.save(dayOfMonth(formatPlatformDay(summary.createdAt)), summary, at);
    if (isFirst)
      await this.ctx.storage.setAlarm(summary.createdAt + MAX_MONTH_MS + MAX_ORDER_LIFE_MS + HISTORY_RETENTION_MS);
  }

  /** The order with this reference, or null. If the reference was used twice, the newest order. */
  find(order: string): PastOrder | null {
    return this.#read(() => this.#store.find(order)) ?? null;
  }

  /** The order with this order code, or null. */
  findByCode(code: string): PastOrder | null {
    return this.#read(() => this.#store.findByCode(code)) ?? null;
  }

  /** The readable orders of a day, sorted by reference. */
  list({day, ...query}: DayQuery): PastOrder[] {
    if (!this.versions.has(ORDER_HISTORY)) return [];
    return this.#store.list(dayOfMonth(day), query, Date.now() - HISTORY_RETENTION_MS);
  }

  override async alarm(): Promise<void> {
    await this.versions.erase();
  }

  /** Reading never creates the store. */
  #read(find: () => PastOrder | undefined): PastOrder | undefined {
    const found = this.versions.has(ORDER_HISTORY) ? find() : undefined;
    return found && isReadable(found) ? found : undefined;
  }
}

function isReadable({changedAt}: PastOrder): boolean {
  return changedAt > Date.now() - HISTORY_RETENTION_MS;
}

function dayOfMonth(day: string): number {
  return Number(day.slice(8));
}
