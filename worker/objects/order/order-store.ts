/** Stores an order: its record, the money that arrived, and its open hand-offs. */

import {HOUR_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import type {Arrival, PaidCharge} from '../../platform/to-payment.ts';
import {type OrderTerms, READ_WINDOW_MS} from '../../session.ts';
import {CachedRead} from '../cached-read.ts';
import type {UnpaidTicket} from '../limits/guard.ts';
import type {StoreVersions} from '../migrations.ts';
import {Handoffs} from './handoffs.ts';
import {amendedOrder, isSameSplit, type MarketplaceSplit, type OrderParts, partsWith, sumOf} from './order-parts.ts';
import type {Prefill, Preparation} from './order-preparation.ts';
import {OrderRefunds} from './order-refunds.ts';
import {type ArrivalRow, type ChargeRow, ORDER, ORDER_CHARGES} from './order-schema.ts';
import {amountDue, type PaymentFacts, type StoredNotice} from './payment.ts';

/** Requests of the merchant's server for the order code, while no page has requested it. */
export interface ExpectedCode {
  /** How many such requests have started. The platform may refuse each of them. */
  readonly count: number;
  /**
   * The fields that apply again if all requests are refused. Null if the order is stored only for these requests, and
   * is deleted if they are refused.
   */
  readonly before: Partial<OrderRecord> | null;
}

/** The operation of the platform that created an order's code. */
export type CodeOrigin = 'create' | 'direct' | 'unknown';

export interface OrderRecord extends Pick<Preparation, 'split' | 'userId' | 'seller'> {
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
  /** All times here are epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether a request for the code may have reached the platform, so that the platform may have created the code. */
  readonly requested: boolean;
  readonly expected?: ExpectedCode | undefined;
  readonly code: string | null;
  /**
   * What created the code. While the code is not known: what perhaps created it. Older orders do not have this field.
   */
  readonly madeBy?: CodeOrigin | undefined;
  readonly completedAt: number | null;
  readonly offer?: string | undefined;
  /** The terms of the session of a page that placed the order. These terms stay the same when the order changes. */
  readonly placed?: Pick<OrderTerms, 'amount' | 'hours'> | undefined;
  /** When a hand-off last moved the order to another device. */
  readonly handedOverAt?: number | undefined;
  /** The latest time at which the payment page that the shopper opened closes; undefined if no page was opened. */
  readonly pageUntil?: number | undefined;
  /** Tickets of the counters that count this order as unpaid, until it is paid. Each ticket is an HMAC and an hour. */
  readonly unpaid?: readonly UnpaidTicket[] | undefined;
  /** The shopper's last payment notice, without the shopper's personal data. */
  readonly notice?: StoredNotice | undefined;
  /** The amounts by sub-merchant, if several sub-merchants have a part of the order. */
  readonly parts?: OrderParts | undefined;
  /** How many times the status of the arrived money was checked. */
  readonly statusAsked: number;
  /** When the status of the arrived money is checked next; null if no check is planned. */
  readonly statusDueAt: number | null;
}

const NOT_REQUESTED = {requested: false};

/** When the order is deleted. By then no session can read it any more, and late money has had time to arrive. */
export function closesAt({createdAt, expiresAt}: Pick<OrderRecord, 'createdAt' | 'expiresAt'>): number {
  return Math.max(createdAt, expiresAt) + READ_WINDOW_MS;
}

/** Whether the shopper can pay: the order has a code, or the platform's payment page was opened. */
export function isPayable({code, pageUntil}: OrderRecord): boolean {
  return code !== null || pageUntil !== undefined;
}

/** States of a charge whose money has arrived. */
const ARRIVED: ReadonlySet<string> = new Set(['successful', 'refund_in_progress', 'refunded']);

export class OrderStore {
  readonly handoffs: Handoffs;
  readonly refunds: OrderRefunds;
  readonly #record = new CachedRead(() => this.storage.kv.get<OrderRecord>('record'));
  readonly #arrivals = new CachedRead(() => this.storage.sql.exec<ArrivalRow>('SELECT * FROM arrivals').toArray());
  readonly #charges = new CachedRead(() => this.#readCharges());

  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly versions: StoreVersions,
  ) {
    this.handoffs = new Handoffs(storage);
    this.refunds = new OrderRefunds(storage, versions);
  }

  record(): OrderRecord | undefined {
    return this.#record.get();
  }

  /**
   * Returns the order's record. If there is none, creates it from the terms.
   * @param change - Fields that are stored in the same write.
   */
  open(
    {service, order, amount, hours, offer}: OrderTerms,
    now: number,
    change: Partial<OrderRecord> = {},
  ): OrderRecord {
    const known = this.record();
    if (known) {
      this.update(change);
      return known;
    }
    const record: OrderRecord = {
      service,
      order,
      amount,
      createdAt: now,
      expiresAt: now + hours * HOUR_MS,
      requested: false,
      code: null,
      offer,
      completedAt: null,
      statusAsked: 0,
      statusDueAt: null,
    };
    this.versions.create(ORDER);
    this.#record.write(() => this.storage.kv.put('record', {...record, ...change}));
    return record;
  }

  /**
   * Stores what the merchant's server sends about an order before the order code is requested. The time to pay starts
   * again with each call. After the platform may have created the code, the terms are fixed: different terms are
   * refused, and the time to pay does not change.
   * @returns null if the order has these terms, otherwise its amount.
   */
  prepare(terms: OrderTerms, {split, userId, prefill, seller}: Preparation, now: number): Kurus | null {
    const record = this.open(terms, now);
    if (record.requested || record.code !== null) {
      const isSame =
        record.amount === terms.amount &&
        isSameSplit(split, record.split) &&
        (userId ?? record.userId) === record.userId;
      if (!isSame) return record.amount;
      if (record.expected) this.update({expected: {...record.expected, before: NOT_REQUESTED}});
    } else {
      this.update({amount: terms.amount, split, userId, expiresAt: now + terms.hours * HOUR_MS});
    }
    if (prefill) this.storage.kv.put('prefill', prefill);
    if (seller) this.update({seller});
    return null;
  }

  /** Stores an amount and a split that were changed at the platform. Fields that the split leaves out stay. */
  amend(amount: Kurus, change: MarketplaceSplit): void {
    const record = this.record();
    if (record) this.update({...amendedOrder(record, amount, change), expected: undefined});
  }

  /** Adds the part of another sub-merchant to an order that has a code. @returns whether the part was added. */
  addPart(amount: Kurus, split: MarketplaceSplit): boolean {
    const record = this.record();
    const parts = record?.code ? partsWith(record, amount, split) : null;
    if (parts) this.update({parts, amount: sumOf(parts), expected: undefined});
    return parts !== null;
  }

  /** From now on, the order is kept even if the platform refuses the code that the merchant's server requested. */
  retain(): void {
    const {expected} = this.record() ?? {};
    if (expected?.before === null) this.update({expected: {...expected, before: NOT_REQUESTED}});
  }

  /** The initial content of the notice form. This personal data is stored here, so that no token contains it. */
  prefill(): Prefill | null {
    return this.storage.kv.get<Prefill>('prefill') ?? null;
  }

  /** Changes fields of the record. If nothing changes, nothing is written. */
  update(change: Partial<OrderRecord>): void {
    const record = this.record();
    if (!record) return;
    const changed = Object.entries(change).some(([key, value]) => record[key as keyof OrderRecord] !== value);
    if (changed) this.#record.write(() => this.storage.kv.put('record', {...record, ...change}));
  }

  /** Plans a check of the money's status for now, because money arrived or changed. */
  scheduleStatusCheck(): void {
    this.update({statusDueAt: Date.now()});
  }

  /** The facts that determine the state of the payment. */
  facts({amount, expiresAt, completedAt, notice, handedOverAt}: OrderRecord): PaymentFacts {
    return {
      amount,
      expiresAt,
      completed: completedAt !== null,
      arrivals: [...this.arrivals(), ...this.charges()],
      refunds: this.refunds.sent(),
      earlier: this.refunds.earlier(),
      notice: notice ?? null,
      handedOverAt: handedOverAt ?? null,
    };
  }

  /**
   * The amount still to pay; 0 when the order is paid. The amount in the record counts, because the merchant may have
   * changed it after the session was created.
   */
  due({amount}: Pick<OrderTerms, 'amount'>): Kurus {
    const record = this.record();
    return record ? amountDue(this.facts(record)) : amount;
  }

  arrivals(): readonly Arrival[] {
    return this.#arrivals.get();
  }

  /** The money paid on the platform's payment page. */
  charges(): readonly Arrival[] {
    return this.#charges.get();
  }

  #readCharges(): Arrival[] {
    if (!this.storage.kv.get<boolean>('hasCharges')) return [];
    return this.storage.sql
      .exec<ChargeRow>('SELECT * FROM charges')
      .toArray()
      .map(({id, amount, at, state}) => ({id, amount, currency: 'TRY', bank: null, at, state}));
  }

  /**
   * Stores a charge as it is now, or deletes a charge that failed.
   * @returns the money, if it is new; null if nothing changed.
   */
  saveCharge({id, amount, at, state}: PaidCharge): Arrival[] | null {
    const known = this.charges().find((charge) => charge.id === id);
    if (!ARRIVED.has(state)) {
      if (known) this.#charges.write(() => this.storage.sql.exec('DELETE FROM charges WHERE id = ?', id));
      return known ? [] : null;
    }
    if (known?.state === state && known.amount === amount) return null;
    this.retain();
    this.versions.create(ORDER_CHARGES);
    this.#charges.write(() => {
      this.storage.sql.exec('INSERT OR REPLACE INTO charges VALUES (?, ?, ?, ?)', id, amount, at, state);
      this.storage.kv.put('hasCharges', true);
    });
    return known ? [] : this.charges().filter((charge) => charge.id === id);
  }

  /** Adds the arrivals that are new, plans a check of their status, and returns them. */
  addArrivals(arrivals: readonly Arrival[]): Arrival[] {
    const insert = 'INSERT OR IGNORE INTO arrivals VALUES (?, ?, ?, ?, ?, ?)';
    const added = this.#arrivals.write(() =>
      arrivals.filter(({id, amount, currency, bank, at, state}) => {
        return this.storage.sql.exec(insert, id, amount, currency, bank, at, state).rowsWritten > 0;
      }),
    );
    if (added.length > 0) {
      this.retain();
      this.scheduleStatusCheck();
    }
    return added;
  }

  /** @returns whether the order had this arrival. */
  removeArrival(id: string): boolean {
    if (!this.record()) return false;
    const remove = 'DELETE FROM arrivals WHERE id = ?';
    return this.#arrivals.write(() => this.storage.sql.exec(remove, id).rowsWritten > 0);
  }

  /** Stores the state that the platform reports for a transaction, and its amount if the amount was unknown. */
  updateArrival(id: string, {state, amount}: Pick<Arrival, 'state' | 'amount'>): void {
    const update = `UPDATE arrivals SET state = ?1, amount = coalesce(amount, ?2)
      WHERE id = ?3 AND (state <> ?1 OR (amount IS NULL AND ?2 IS NOT NULL))`;
    this.#arrivals.write(() => this.storage.sql.exec(update, state, amount, id));
  }

  /** Deletes the record, but not the events that still have to be handed over. */
  deleteRecord(): void {
    this.#record.write(() => this.storage.kv.delete('record'));
  }

  /** Deletes everything, the alarm included. */
  async deleteAll(): Promise<void> {
    const erased = this.versions.erase();
    this.#forgetAll();
    // A read that ran during the deletion may have copied the data.
    await erased.finally(() => this.#forgetAll());
  }

  #forgetAll(): void {
    for (const read of [this.#record, this.#arrivals, this.#charges, this.refunds]) read.forget();
  }
}
