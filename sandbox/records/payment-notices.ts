import type {Bank} from '../banks.ts';
import type {Clock} from './clock.ts';
import type {ShopperDetails} from './orders.ts';
import type {Reading, Readings} from './readings.ts';
import {insert, newId, select, update} from './sql.ts';

/** A payment notice, in which a shopper reports a transfer without an order code (orders.md 2.4). */
export interface PaymentNotice {
  readonly id: number;
  /**
   * The code that the merchant gets for a new notice. The reading `notice_code` decides whether this code is also an
   * id.
   */
  readonly code: string;
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
    CREATE TABLE IF NOT EXISTS notice_codes (
      code TEXT PRIMARY KEY,
      id INTEGER NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
    private readonly readings: Readings,
  ) {}

  find(id: string): PaymentNotice | undefined {
    return /^\d{1,15}$/.test(id) ? this.#select('WHERE notices.id = ?', Number(id))[0] : undefined;
  }

  findByCode(code: string): PaymentNotice | undefined {
    return this.#select('WHERE code = ?', code)[0];
  }

  /** Returns payment notices, newest first. */
  recent(limit: number): PaymentNotice[] {
    return this.#select('ORDER BY notices.id DESC LIMIT ?', limit);
  }

  /** Saves a new notice and returns its code. The shopper still has to submit it on the notice page. */
  create({serviceCode, order, bank, amountKurus, details}: NewPaymentNotice): string {
    const id = newId(this.sql, 'notices');
    const code = codeOf(id, this.recent(1)[0]?.id ?? id - 1, this.readings.get('notice_code'));
    insert(this.sql, 'notice_codes', {code, id});
    const notice = {serviceCode, orderRef: order, bankId: bank.id, amountKurus, details};
    const status = PAYMENT_NOTICE_STATUS.waitingForSubmit;
    insert(this.sql, 'notices', {id, ...notice, createTime: this.clock.now(), status});
    return code;
  }

  setStatus({id}: PaymentNotice, status: number): void {
    update(this.sql, 'notices', {id}, {status});
  }

  approve({id}: PaymentNotice, transactionId: number): void {
    update(this.sql, 'notices', {id}, {status: PAYMENT_NOTICE_STATUS.approved, transactionId});
  }

  #select(clause: string, ...bindings: (string | number)[]): PaymentNotice[] {
    const query = `SELECT notices.*, order_ref AS "order", code FROM notices JOIN notice_codes ON notice_codes.id = notices.id ${clause}`;
    const rows = select<PaymentNotice & {details: string}>(this.sql, query, ...bindings);
    return rows.map((row) => Object.assign(row, {details: JSON.parse(row.details)}));
  }
}

/**
 * @param previousId - The id of the previous notice. With the reading `other_id`, this id is the code, so a client that
 * takes the code for an id gets the wrong notice.
 */
function codeOf(id: number, previousId: number, reading: Reading<'notice_code'>): string {
  return {other_id: String(previousId), text: `N${id}`, own_id: String(id)}[reading];
}
