import type {Bank} from '../banks.ts';
import type {Clock} from './clock.ts';
import type {ShopperDetails} from './orders.ts';
import {newId} from './sql.ts';

/** A payment notice, in which a shopper reports a transfer without an order code (orders.md 2.4). */
export interface PaymentNotice {
  /** Also the code of the notice, as text: the spec has no other field in which the platform returns the id. */
  readonly id: number;
  readonly serviceCode: string;
  readonly order: string;
  readonly bankId: number;
  readonly amountKurus: number;
  readonly details: ShopperDetails;
  /** The transaction that the platform assigned to the notice. */
  readonly transactionId: number | undefined;
  readonly createTime: string;
  readonly status: number;
}

/** Statuses of payment notices (observed.md, "Integer statuses"). */
export const PAYMENT_NOTICE_STATUS = {inactive: -1, waitingForSubmit: 0, processing: 1, approved: 10} as const;

export interface NewPaymentNotice extends Pick<PaymentNotice, 'serviceCode' | 'order' | 'amountKurus' | 'details'> {
  readonly bank: Bank;
}

type Row = {
  id: number;
  service_code: string;
  order_ref: string;
  bank_id: number;
  amount_kurus: number;
  details: string;
  transaction_id: number | null;
  create_time: string;
  status: number;
};

export class PaymentNotices {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS notices (
      id INTEGER PRIMARY KEY,
      service_code TEXT NOT NULL,
      order_ref TEXT NOT NULL,
      bank_id INTEGER NOT NULL,
      amount_kurus INTEGER NOT NULL,
      details TEXT NOT NULL,
      transaction_id INTEGER,
      create_time TEXT NOT NULL,
      status INTEGER NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  /** Finds a notice by its code, which is its id as text. */
  find(code: string): PaymentNotice | undefined {
    if (!/^\d{1,15}$/.test(code)) return undefined;
    return this.sql.exec<Row>('SELECT * FROM notices WHERE id = ?', Number(code)).toArray().map(toPaymentNotice)[0];
  }

  /** Returns payment notices, newest first. */
  recent(limit: number): PaymentNotice[] {
    return this.sql.exec<Row>('SELECT * FROM notices ORDER BY id DESC LIMIT ?', limit).toArray().map(toPaymentNotice);
  }

  /** Saves a new notice and returns its id. The shopper still has to submit it on the notice page. */
  create({serviceCode, order, bank, amountKurus, details}: NewPaymentNotice): number {
    const id = newId(this.sql, 'notices');
    this.sql.exec(
      `INSERT INTO notices (id, service_code, order_ref, bank_id, amount_kurus, details, create_time, status)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      serviceCode,
      order,
      bank.id,
      amountKurus,
      JSON.stringify(details),
      this.clock.now(),
      PAYMENT_NOTICE_STATUS.waitingForSubmit,
    );
    return id;
  }

  setStatus({id}: PaymentNotice, status: number): void {
    this.sql.exec('UPDATE notices SET status = ? WHERE id = ?', status, id);
  }

  approve({id}: PaymentNotice, transactionId: number): void {
    const query = 'UPDATE notices SET status = ?, transaction_id = ? WHERE id = ?';
    this.sql.exec(query, PAYMENT_NOTICE_STATUS.approved, transactionId, id);
  }
}

function toPaymentNotice(row: Row): PaymentNotice {
  return {
    id: row.id,
    serviceCode: row.service_code,
    order: row.order_ref,
    bankId: row.bank_id,
    amountKurus: row.amount_kurus,
    details: JSON.parse(row.details),
    transactionId: row.transaction_id ?? undefined,
    createTime: row.create_time,
    status: row.status,
  };
}
