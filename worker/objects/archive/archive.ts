import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatPlatformDay} from '../../lib/time.ts';
import type {StoreSchema} from '../migrations.ts';
import type {StandingTask} from '../schedule.ts';
import {StoredObject} from '../stored-object.ts';
import {ARCHIVE_RETENTION_MS, closingTimeOf, type DatedBooking} from './booking.ts';
import {type BookedRow, BOOKS, type BooksPage, type BooksQuery, BooksStore, type DaySums} from './books-store.ts';
import {BUYER_RECEIPTS, type BuyerReceipt, BuyerReceiptStore, type NewBuyerReceipt} from './buyer-receipts.ts';
import {
  type BilledSubscription,
  type ConsentAnswer,
  type ConsentQuery,
  CONSENTS,
  ConsentStore,
  type NewReceipt,
} from './consent-store.ts';
import {
  type ArchivedOrder,
  ORDER_HISTORY,
  OrderHistoryStore,
  type OrderListQuery,
  type PastOrder,
} from './order-history-store.ts';
import {salesOf, type SoldTotal} from './sales.ts';

/** The longest time from an order's creation to its last change: 90 days to pay, and 7 days for late money. */
const MAX_ORDER_LIFE_MS = 97 * DAY_MS;
const MAX_MONTH_MS = 31 * DAY_MS;

/** The key of the time at which everything is deleted. */
const ERASE_AT = 'eraseAt';

export interface DayQuery extends OrderListQuery {
  /** `YYYY-MM-DD` in Turkey. */
  readonly day: string;
}

/**
 * What happened in one month (in Turkey). A record is one order of a service, one booking of its books, or the receipt
 * of one consent to a subscription or of one buyer's form, and can be read for 400 days. The objects that send records
 * (`Outbox`, `Refunds`, `Service`, `Subscriber`) repeat the call until the archive has stored the record. A record that
 * is stored already is not written again.
 *
 * Reading never creates a store. When no record of the month can be read any more, the object deletes everything at
 * once, because deleting single rows would cost as much as writing them.
 */
export class Archive extends StoredObject {
  static override readonly schemas = [ORDER_HISTORY, CONSENTS, BUYER_RECEIPTS, BOOKS];

  readonly #orders = new OrderHistoryStore(this.storage.sql);
  readonly #consents = new ConsentStore(this.storage);
  readonly #buyers = new BuyerReceiptStore(this.storage);
  readonly #books = new BooksStore(this.storage.sql);

  readonly #end: StandingTask = {
    retry: {firstMs: MINUTE_MS, maxMs: HOUR_MS},
    dueAt: () => this.storage.kv.get<number>(ERASE_AT) ?? null,
    run: () => this.erase(),
  };
  protected override readonly tasks = {end: this.#end};

  /** Stores orders of a month, oldest first, each as it was at a time. The sender repeats the call until it is answered. */
  saveOrders(orders: readonly ArchivedOrder[]): void {
    for (const {order, at} of orders) {
      this.#create(ORDER_HISTORY, order.createdAt + MAX_MONTH_MS + MAX_ORDER_LIFE_MS);
      this.#orders.save(dayOfMonth(formatPlatformDay(order.createdAt)), order, at);
    }
  }

  /**
   * Stores bookings. The sender repeats the call until it is answered.
   * @param month - The month of these books, `YYYY-MM`. @returns the bookings that belong to a day of another month.
   */
  book(month: string, bookings: readonly DatedBooking[]): DatedBooking[] {
    this.#create(BOOKS, closingTimeOf(`${month}-01`) + MAX_MONTH_MS);
    return this.storage.transaction(() => this.#books.add(month, bookings, Date.now()));
  }

  /** The order with this reference, or null. If the reference was used twice, the newest order. */
  findOrder(order: string): PastOrder | null {
    return this.#readOrder(() => this.#orders.find(order));
  }

  /** The order with this order code, or null. */
  findOrderByCode(code: string): PastOrder | null {
    return this.#readOrder(() => this.#orders.findByCode(code));
  }

  /** The readable orders of a day, sorted by reference. */
  listOrders({day, ...query}: DayQuery): PastOrder[] {
    return this.storage.versions.has(ORDER_HISTORY) ? this.#orders.list(dayOfMonth(day), query, oldestReadable()) : [];
  }

  /** Removes what pages said of these orders. */
  forgetPages(orders: readonly string[]): void {
    if (this.storage.versions.has(ORDER_HISTORY)) for (const order of orders) this.#orders.forgetPage(order);
  }

  /** Stores the receipt of a consent, for disputes with a mobile operator. */
  async addReceipt(receipt: NewReceipt): Promise<void> {
    this.#create(CONSENTS, receipt.at + MAX_MONTH_MS);
    await this.#consents.add(receipt);
  }

  /**
   * Stores the id that mobile billing gave the subscription of this tracking id. @returns whether a receipt now has the
   * id.
   */
  assignSubscription(started: BilledSubscription): boolean {
    return this.storage.versions.has(CONSENTS) && this.#consents.assign(started);
  }

  /** The receipts, newest first. */
  async findReceipts(query: ConsentQuery): Promise<ConsentAnswer[]> {
    const found = this.storage.versions.has(CONSENTS) ? await this.#consents.find(query) : [];
    return found.filter(({at}) => at > oldestReadable());
  }

  /** Stores the receipt of what a buyer was shown and ticked. */
  async addBuyerReceipt(receipt: NewBuyerReceipt): Promise<void> {
    this.#create(BUYER_RECEIPTS, receipt.at + MAX_MONTH_MS);
    await this.#buyers.add(receipt);
  }

  /** The receipt of this order's buyer, or null. */
  async findBuyerReceipt(service: string, order: string): Promise<BuyerReceipt | null> {
    const found = this.storage.versions.has(BUYER_RECEIPTS) ? await this.#buyers.find({service, order}) : null;
    return found && found.at > oldestReadable() ? found : null;
  }

  /** The sums of a day's rows. @param day - Day of the month. */
  sumsOf(day: number): DaySums {
    if (!this.storage.versions.has(BOOKS)) return {totals: [], orders: []};
    return {totals: this.#books.totals(day), orders: this.#books.orders(day)};
  }

  /** What was sold on these days of the month. */
  salesOf(fromDay: number, toDay: number): SoldTotal[] {
    return this.storage.versions.has(BOOKS) ? salesOf(this.storage.sql, fromDay, toDay) : [];
  }

  findBookings(month: string, query: BooksQuery): BooksPage {
    return this.storage.versions.has(BOOKS) ? this.#books.find(month, query) : {rows: [], next: null};
  }

  /** All rows of an order, oldest first. */
  bookingsOf(month: string, order: string): BookedRow[] {
    return this.storage.versions.has(BOOKS) ? this.#books.ofOrder(month, order) : [];
  }

  /** All rows of the money of these transactions, oldest first. */
  bookingsOfMoney(month: string, transactions: readonly string[]): BookedRow[] {
    return this.storage.versions.has(BOOKS) ? transactions.flatMap((id) => this.#books.ofMoney(month, id)) : [];
  }

  /** The references of the orders of a user of the merchant's. */
  ordersOfUser(user: string, limit: number): string[] {
    return this.storage.versions.has(BOOKS) ? this.#books.ordersOf(user, limit) : [];
  }

  /** The transactions of these orders. */
  transactionsOf(orders: readonly string[]): string[] {
    return this.storage.versions.has(BOOKS) ? orders.flatMap((order) => this.#books.transactionsOf(order)) : [];
  }

  /**
   * Removes what may name a person from the rows of these orders, and of money without an order. The `user` is removed
   * apart from the `names`, and later, because it may be what the orders are found by. @returns how many rows changed.
   */
  forgetPersons(what: 'names' | 'user', orders: readonly string[], transactions: readonly string[]): number {
    if (!this.storage.versions.has(BOOKS)) return 0;
    const forget = () =>
      what === 'user'
        ? orders.map((order) => this.#books.forgetUser(order))
        : [
            ...orders.map((order) => this.#books.forgetNames({order})),
            ...transactions.map((transaction) => this.#books.forgetNames({transaction})),
          ];
    return this.storage.transaction(forget).reduce((sum, count) => sum + count, 0);
  }

  /** Creates a store with its first record. @param changesUntil - The time at which no record can change any more. */
  #create(schema: StoreSchema, changesUntil: number): void {
    if (this.storage.versions.has(schema)) return;
    this.storage.versions.create(schema);
    const known = this.storage.kv.get<number>(ERASE_AT) ?? 0;
    this.storage.kv.put(ERASE_AT, Math.max(known, changesUntil + ARCHIVE_RETENTION_MS));
  }

  #readOrder(find: () => PastOrder | undefined): PastOrder | null {
    const found = this.storage.versions.has(ORDER_HISTORY) ? find() : undefined;
    return found && found.changedAt > oldestReadable() ? found : null;
  }
}

function oldestReadable(): number {
  return Date.now() - ARCHIVE_RETENTION_MS;
}

function dayOfMonth(day: string): number {
  return Number(day.slice(8));
}
