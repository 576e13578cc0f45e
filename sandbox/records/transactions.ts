import type {Bank} from '../banks.ts';
import {DEFAULT_SERVICE} from '../config.ts';
import type {Clock} from './clock.ts';
import type {Order} from './orders.ts';
import type {Reading} from './readings.ts';
import {countRows, insert, newId, select, update, type Condition} from './sql.ts';

/** A transfer that a bank reported to the platform (orders.md 2.3). */
export interface Transaction {
  readonly id: number;
  readonly serviceCode: string;
  /** The code of the order that the money is for; undefined while the platform does not know the order. */
  readonly orderCode: string | undefined;
  readonly order: string | undefined;
  readonly bankId: number;
  readonly amountKurus: number;
  readonly sender: string | undefined;
  readonly description: string;
  /** The time at which the money moved. */
  readonly transactionDate: string;
  /** The time at which the bank reported the transfer. */
  readonly createTime: string;
  readonly status: number;
}

/** Transaction statuses (observed.md, "Integer statuses"). */
export const TRANSACTION_STATUS = {
  processing: 1,
  couldNotNotify: 2,
  successful: 3,
  waitingApproval: 5,
  refunded: 6,
  partialPayment: 8,
} as const;

export interface Transfer {
  readonly bank: Bank;
  readonly amountKurus: number;
  readonly sender: string | undefined;
  readonly description: string;
  /** The order whose code is in the description; undefined if the description names no order. */
  readonly order: Order | undefined;
  readonly transactionDate: string;
}

export class Transactions {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS transactions (
      id INTEGER PRIMARY KEY,
      service_code TEXT NOT NULL,
      order_code TEXT,
      bank_id INTEGER NOT NULL,
      amount_kurus INTEGER NOT NULL,
      sender TEXT,
      description TEXT NOT NULL,
      transaction_date TEXT NOT NULL,
      create_time TEXT NOT NULL,
      status INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS transactions_by_date ON transactions (service_code, transaction_date);
    CREATE INDEX IF NOT EXISTS transactions_by_order ON transactions (order_code);
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  find(id: number): Transaction | undefined {
    return this.#select({sql: 'id = ?', bindings: [id]}, 1, 0)[0];
  }

  /** Returns the transactions of one order, oldest first. */
  ofOrder(orderCode: string): Transaction[] {
    return this.#select({sql: 'order_code = ?', bindings: [orderCode]}, -1, 0).toReversed();
  }

  /** Assigns a transaction to an order after the platform found out which order it is for. */
  assign(id: number, {orderCode, serviceCode}: Pick<Order, 'orderCode' | 'serviceCode'>): void {
    update(this.sql, 'transactions', {id}, {orderCode, serviceCode, status: TRANSACTION_STATUS.successful});
  }

  setStatus(id: number, status: number): void {
    update(this.sql, 'transactions', {id}, {status});
  }

  /** Returns the total of all transfers for an order, in kuruş. */
  arrivedFor(orderCode: string): number {
    const query = 'SELECT COALESCE(SUM(amount_kurus), 0) AS arrived FROM transactions WHERE order_code = ?';
    return this.sql.exec<{arrived: number}>(query, orderCode).one().arrived;
  }

  /** Returns one page of transactions, by default newest first. A page beyond the end is empty. */
  page(condition: Condition, limit: number, offset: number, order?: Reading<'search_order'>): Transaction[] {
    return this.#select(condition, limit, offset, order);
  }

  count(condition: Condition): number {
    return countRows(this.sql, 'transactions', condition);
  }

  /** Saves a transfer that a bank reported and returns the transaction's id. */
  record({bank, amountKurus, sender, description, order, transactionDate}: Transfer): number {
    const id = newId(this.sql, 'transactions');
    insert(this.sql, 'transactions', {
      id,
      serviceCode: order?.serviceCode ?? DEFAULT_SERVICE.code,
      orderCode: order?.orderCode,
      bankId: bank.id,
      amountKurus,
      sender,
      description,
      transactionDate,
      createTime: this.clock.now(),
      status: order ? TRANSACTION_STATUS.successful : TRANSACTION_STATUS.processing,
    });
    return id;
  }

  #select(
    {sql, bindings}: Condition,
    limit: number,
    offset: number,
    order: Reading<'search_order'> = 'newest_first',
  ): Transaction[] {
    const query = `
      SELECT page.*, orders.order_ref AS "order"
      FROM (SELECT * FROM transactions WHERE ${sql} ORDER BY ${ORDERS[order]} LIMIT ? OFFSET ?) AS page
      LEFT JOIN orders ON orders.order_code = page.order_code
      ORDER BY ${ORDERS[order].replaceAll('id', 'page.id')}`;
    return select(this.sql, query, ...bindings, limit, offset);
  }
}

/** The SQL after ORDER BY. With `none`, the rows are shuffled, but each search has the same shuffled order. */
const ORDERS: Readonly<Record<Reading<'search_order'>, string>> = {
  newest_first: 'id DESC',
  oldest_first: 'id',
  none: '(id % 1009 * 7919) % 1009, id',
};
