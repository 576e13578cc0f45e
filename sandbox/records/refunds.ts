import type {Clock} from './clock.ts';
import {insert, newId, select, update} from './sql.ts';

/** A refund that a merchant requested (orders.md 2.5). */
export interface Refund {
  readonly id: number;
  readonly orderCode: string;
  readonly transactionId: number;
  readonly amountKurus: number;
  readonly contactName: string;
  readonly contactIban: string;
  readonly createTime: string;
  readonly updateTime: string | undefined;
  /** The time at which the platform sent the money back. */
  readonly refundTime: string | undefined;
  readonly bankId: number | undefined;
  readonly bankReceiptNo: string | undefined;
  readonly status: number;
}

/** Refund statuses (observed.md, "Integer statuses"). */
export const REFUND_STATUS = {notifyError: -1, waiting: 1, inBank: 2, successful: 3, error: 4, cancelled: 6} as const;

/** Statuses of refunds that failed. Their money is never sent back. */
const FAILED: readonly number[] = [REFUND_STATUS.error, REFUND_STATUS.cancelled];
/** Statuses of refunds whose money has been sent back. */
const PAID: readonly number[] = [REFUND_STATUS.successful, REFUND_STATUS.notifyError];
/** Statuses of refunds that the control `day-end` processes. */
const OPEN: readonly number[] = [REFUND_STATUS.waiting, REFUND_STATUS.inBank, REFUND_STATUS.notifyError];

export type NewRefund = Pick<Refund, 'orderCode' | 'transactionId' | 'amountKurus' | 'contactName' | 'contactIban'>;

export class Refunds {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS refunds (
      id INTEGER PRIMARY KEY,
      order_code TEXT NOT NULL,
      transaction_id INTEGER NOT NULL,
      amount_kurus INTEGER NOT NULL,
      contact_name TEXT NOT NULL,
      contact_iban TEXT NOT NULL,
      create_time TEXT NOT NULL,
      update_time TEXT,
      refund_time TEXT,
      bank_id INTEGER,
      bank_receipt_no TEXT,
      status INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS refunds_by_order ON refunds (order_code);
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  find(id: number): Refund | undefined {
    return this.#select('WHERE id = ?', id)[0];
  }

  ofOrder(orderCode: string): Refund[] {
    return this.#select('WHERE order_code = ? ORDER BY id', orderCode);
  }

  /** Returns the refunds of an order that have not failed. Their amounts cannot be refunded again. */
  activeOfOrder(orderCode: string): Refund[] {
    return this.ofOrder(orderCode).filter(({status}) => !FAILED.includes(status));
  }

  /** Returns the order's refunds that have been paid out: their money has been sent back. */
  paidOfOrder(orderCode: string): Refund[] {
    return this.ofOrder(orderCode).filter(({status}) => PAID.includes(status));
  }

  /** Returns the refunds that the control `day-end` processes. */
  open(): Refund[] {
    return this.#select('WHERE status IN (SELECT value FROM json_each(?)) ORDER BY id', JSON.stringify(OPEN));
  }

  /** Returns the refunds whose result is known. */
  settled(): Refund[] {
    return this.#select(
      'WHERE status IN (SELECT value FROM json_each(?)) ORDER BY id',
      JSON.stringify([...FAILED, ...PAID]),
    );
  }

  /** Saves a new refund and returns its id. */
  create({orderCode, transactionId, amountKurus, contactName, contactIban}: NewRefund): number {
    const id = newId(this.sql, 'refunds');
    const request = {orderCode, transactionId, amountKurus, contactName, contactIban};
    insert(this.sql, 'refunds', {id, ...request, createTime: this.clock.now(), status: REFUND_STATUS.waiting});
    return id;
  }

  /**
   * Sets the status, and the data that the bank adds: the bank, the time and the receipt number if the money was sent
   * back; only the bank if the status is an error.
   */
  setStatus({id}: Refund, status: number, bankId: number): void {
    const now = this.clock.now();
    const paid = PAID.includes(status);
    const bank = {
      refundTime: paid ? now : null,
      bankId: paid || status === REFUND_STATUS.error ? bankId : null,
      bankReceiptNo: paid ? `D${id}` : null,
    };
    update(this.sql, 'refunds', {id}, {status, updateTime: now, ...bank});
  }

  #select(clause: string, ...bindings: (string | number)[]): Refund[] {
    return select(this.sql, `SELECT * FROM refunds ${clause}`, ...bindings);
  }
}
