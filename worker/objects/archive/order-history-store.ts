/** Stores the history of the orders of one service and month: one compact row for each order. No row names a person. */

import type {PaymentState} from '../../contract/browser/answers.ts';
import type {PageFacts} from '../../contract/browser/page-facts.ts';
import type {Localized} from '../../contract/fields.ts';
import type {Kurus} from '../../lib/money.ts';
import type {StoreSchema} from '../migrations.ts';
import {newRow, type Sql, sqlPart} from '../object-storage.ts';
import type {OrderStory} from '../order/order-calls.ts';
import type {OrderParts} from '../order/order-parts.ts';

/**
 * Money that arrived for an order, as `Arrival` describes it, without the platform's status: an order reads the status
 * several times, and each change would write the row again.
 */
export interface PastArrival {
  readonly id: string;
  readonly amount: Kurus | null;
  readonly currency: string;
  /** Null for a charge. */
  readonly bank: string | null;
  /** All times here are epoch milliseconds. */
  readonly at: number;
  /** Set if the bank's time is unknown. */
  readonly timeUnknown?: true | undefined;
}

/** The facts about an order that no query uses as a condition, stored as JSON. */
export interface OrderFacts {
  readonly offer: string | null;
  /** As the merchant's server gave them; the documentation says that they must name no person. */
  readonly title: Localized | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly page?: PageFacts | undefined;
  readonly expiresAt: number;
  readonly completedAt: number | null;
  readonly cancelledAt: number | null;
  /** Amounts as decimal text. */
  readonly amount: string;
  readonly paid: string;
  readonly refunded: string;
  /** Left out if it is 0. */
  readonly refunding?: string | undefined;
  readonly remaining: string;
  readonly late: boolean;
  readonly unclear: boolean;
  /** Set if nobody knows which amount the platform has. */
  readonly amountUnclear?: true | undefined;
  readonly money: readonly PastArrival[];
  /** Set if the order was adopted from another system. */
  readonly knownBefore?: true | undefined;
  /** How a marketplace's order is split. */
  readonly parts?: OrderParts | undefined;
  /** As it was when another fact changed last. */
  readonly story?: OrderStory | undefined;
}

/** An order as it is now. It names no person: no user id, no name and no IBAN. */
export interface OrderSummary extends OrderFacts {
  /** The merchant's reference. */
  readonly order: string;
  readonly code: string | null;
  readonly state: PaymentState;
  readonly createdAt: number;
}

/** An order as it was at `at`, epoch milliseconds. */
export interface ArchivedOrder {
  readonly order: OrderSummary;
  readonly at: number;
}

/** A state that the order reached. */
export interface ReachedState {
  readonly state: PaymentState;
  readonly at: number;
}

export interface PastOrder extends OrderSummary {
  readonly changedAt: number;
  /** The states that the order reached, oldest first. */
  readonly states: readonly ReachedState[];
}

export interface OrderListQuery {
  /** Null for all states. */
  readonly state: PaymentState | null;
  /** The reference of the last order of the previous page; empty for the first page. */
  readonly after: string;
  readonly limit: number;
}

type Row = {order: string; code: string | null; state: PaymentState; createdAt: number; changedAt: number} & {
  facts: string;
  states: string;
};

/**
 * The primary key begins with the day, so a list of one day needs no index. To find an order by its reference, one
 * lookup for each day of the month is enough. A new order therefore writes two rows, and a change writes one row.
 */
export const ORDER_HISTORY: StoreSchema = {
  name: 'order_history',
  createdOn: 'first write',
  steps: [
    `CREATE TABLE orders (
       day INTEGER NOT NULL, "order" TEXT NOT NULL, code TEXT, state TEXT NOT NULL, created_at INTEGER NOT NULL,
       changed_at INTEGER NOT NULL, facts TEXT NOT NULL, states TEXT NOT NULL, PRIMARY KEY (day, "order")) WITHOUT ROWID;
     CREATE INDEX orders_code ON orders (code) WHERE code IS NOT NULL`,
  ],
};

const COLUMNS = sqlPart`"order", code, state, created_at AS createdAt, changed_at AS changedAt, facts, states`;
const ALL_DAYS = sqlPart`1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28,
  29, 30, 31`;
/** The maximum number of states that are stored for an order. Most orders reach only a few states. */
const MAX_STATES = 30;

export class OrderHistoryStore {
  constructor(private readonly sql: Sql) {}

  /** Stores the order as it was at `at`. Writes nothing if nothing changed, or if this or a later summary is stored. */
  save(day: number, {order, code, state, createdAt, ...facts}: OrderSummary, at: number): void {
    const known = this.#find(day, order);
    const text = JSON.stringify(facts);
    if (!known) {
      const states = JSON.stringify([[state, at]]);
      const row = {day, order, code, state, created_at: createdAt, changed_at: at, facts: text, states};
      this.sql`INSERT INTO orders ${newRow(row)}`;
      return;
    }
    if (at <= known.changedAt) return;
    if (code !== known.code) this.sql`UPDATE orders SET code = ${code} WHERE day = ${day} AND "order" = ${order}`;
    if (text === known.facts && state === known.state) return;
    const states = state === known.state ? known.states : withState(known.states, state, at);
    this.sql`
      UPDATE orders SET state = ${state}, changed_at = ${at}, facts = ${text}, states = ${states}
      WHERE day = ${day} AND "order" = ${order}`;
  }

  find(order: string): PastOrder | undefined {
    return this.sql<Row>`
      SELECT ${COLUMNS} FROM orders WHERE day IN (${ALL_DAYS}) AND "order" = ${order}
      ORDER BY created_at DESC LIMIT 1`.map(toPastOrder)[0];
  }

  findByCode(code: string): PastOrder | undefined {
    return this.sql<Row>`
      SELECT ${COLUMNS} FROM orders WHERE code = ${code} ORDER BY created_at DESC LIMIT 1`.map(toPastOrder)[0];
  }

  /**
   * The orders of a day that changed after `changedAfter`, sorted by reference, beginning after the reference `after`.
   * The query reads only the rows of the page, and the rows with other states that are between these rows.
   */
  list(day: number, {state, after, limit}: OrderListQuery, changedAfter: number): PastOrder[] {
    const isInState = state === null ? sqlPart`TRUE` : sqlPart`state = ${state}`;
    return this.sql<Row>`
      SELECT ${COLUMNS} FROM orders WHERE day = ${day} AND "order" > ${after} AND changed_at > ${changedAfter}
      AND ${isInState} ORDER BY "order" LIMIT ${limit}`.map(toPastOrder);
  }

  /** Removes what a page said of the order, but for the campaign. */
  forgetPage(order: string): void {
    this.sql`
      UPDATE orders SET facts = json_remove(facts, '$.page.reference', '$.page.metadata')
      WHERE day IN (${ALL_DAYS}) AND "order" = ${order} AND facts ->> '$.page' IS NOT NULL`;
  }

  #find(day: number, order: string): Row | undefined {
    return this.sql<Row>`SELECT ${COLUMNS} FROM orders WHERE day = ${day} AND "order" = ${order}`[0];
  }
}

function withState(states: string, state: PaymentState, at: number): string {
  const known = JSON.parse(states) as [PaymentState, number][];
  return known.length < MAX_STATES ? JSON.stringify([...known, [state, at]]) : states;
}

function toPastOrder({facts, states, ...row}: Row): PastOrder {
  return {
    ...row,
    ...(JSON.parse(facts) as OrderFacts),
    states: (JSON.parse(states) as [PaymentState, number][]).map(([state, at]) => ({state, at})),
  };
}
