/** What an order keeps: its record, the money that arrived, and its open hand-offs. */

import {HOUR_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import type {Arrival, PaidCharge} from '../../platform/to-payment.ts';
import {type OrderTerms, READ_WINDOW_MS} from '../../session.ts';
import type {UnpaidTicket} from '../limits/guard.ts';
import {Handoffs} from './handoffs.ts';
import {amountDue, type NoticeFacts, type PaymentFacts, type MarketplaceSplit} from './payment.ts';

/** A payment notice, and what the platform was asked of it. Times are epoch milliseconds. */
export interface StoredNotice extends NoticeFacts {
  /** The platform's. */
  readonly code: string;
  readonly asked: number;
  readonly askedAt: number;
  /** When it is asked for by itself; null when it is no more. */
  readonly dueAt: number | null;
}

/** Makings of the code that the merchant's server has begun, of an order that nobody else has asked for a code of. */
export interface ExpectedCode {
  /** How many: each may be refused. */
  readonly count: number;
  /** What counts again once all are refused; null where the order is kept for nothing else. */
  readonly before: Partial<OrderRecord> | null;
}

export interface OrderRecord {
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
  /** Epoch milliseconds, as all times here. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether the platform was ever asked to make the code: if so, it may have. */
  readonly requested: boolean;
  readonly expected?: ExpectedCode | undefined;
  readonly code: string | null;
  readonly completedAt: number | null;
  readonly offer?: string | undefined;
  /** When another device last took the order over by a hand-off. */
  readonly handedOverAt?: number | undefined;
  /** When the common payment page is closed for certain that the shopper went to. */
  readonly pageUntil?: number | undefined;
  /** Where it is counted among the unpaid orders of its address, until it is paid; each is an HMAC and an hour. */
  readonly unpaid?: readonly UnpaidTicket[] | undefined;
  /** The shopper's last payment notice. Who they are stands nowhere. */
  readonly notice?: StoredNotice | undefined;
  /** What the merchant's server said beyond the terms. */
  readonly split?: MarketplaceSplit | undefined;
  readonly userId?: string | undefined;
  /** How often the platform was asked for the status of what arrived, and when it is asked next. */
  readonly statusAsked: number;
  readonly statusDueAt: number | null;
}

/** Never an identity number: that is typed by the shopper, passed on and kept nowhere. */
export interface Prefill {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly description?: string | undefined;
}

/** What the merchant's server says of an order beyond its terms. */
export interface Preparation {
  readonly split?: MarketplaceSplit | undefined;
  readonly userId?: string | undefined;
  readonly prefill?: Prefill | undefined;
}

const NOT_REQUESTED = {requested: false};

/** When nobody can read the order any more and late money has had its time. */
export function closesAt({createdAt, expiresAt}: OrderRecord): number {
  return Math.max(createdAt, expiresAt) + READ_WINDOW_MS;
}

/** Whether there is something to pay with: a code, or the common payment page. */
export function isPayable({code, pageUntil}: OrderRecord): boolean {
  return code !== null || pageUntil !== undefined;
}

/** What a charge may be for its money to have arrived. */
const ARRIVED: ReadonlySet<string> = new Set(['successful', 'refund_in_progress', 'refunded']);

type ChargeRow = {id: string; amount: number | null; at: number; state: string};
type ArrivalRow = {id: string; amount: number | null; currency: string; bank: string; at: number; state: string};

export class OrderStore {
  readonly handoffs: Handoffs;

  constructor(private readonly storage: DurableObjectStorage) {
    this.handoffs = new Handoffs(storage);
  }

  record(): OrderRecord | undefined {
    return this.storage.kv.get<OrderRecord>('record');
  }

  /** The record of an order that is asked for: made from its terms the first time. */
  open({service, order, amount, hours, offer}: OrderTerms, now: number): OrderRecord {
    const known = this.record();
    if (known) return known;
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
    this.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS arrivals (id TEXT PRIMARY KEY, amount INTEGER, currency TEXT NOT NULL, bank TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL)',
    );
    this.storage.kv.put('record', record);
    return record;
  }

  /**
   * What the merchant's server says of an order before its code is asked for. Once the platform may have made
   * the code, its terms stand: only the same are taken again. Its hours then run, whichever are named; before, they begin anew.
   * @returns whether the order is as was said.
   */
  prepare(terms: OrderTerms, {split, userId, prefill}: Preparation, now: number): boolean {
    const record = this.open(terms, now);
    if (record.requested || record.code !== null) {
      const isSame =
        record.amount === terms.amount &&
        isSameSplit(split, record.split) &&
        (userId ?? record.userId) === record.userId;
      if (!isSame) return false;
      if (record.expected) this.update({expected: {...record.expected, before: NOT_REQUESTED}});
    } else {
      this.update({amount: terms.amount, split, userId, expiresAt: now + terms.hours * HOUR_MS});
    }
    if (prefill) this.storage.kv.put('prefill', prefill);
    return true;
  }

  /** The order has another amount at the platform. What of the split is not named stays. */
  amend(amount: Kurus, {payout, subMerchantId, fee}: MarketplaceSplit): void {
    const {split: known = {}} = this.record() ?? {};
    this.update({
      amount,
      split: {
        payout: payout ?? known.payout,
        subMerchantId: subMerchantId ?? known.subMerchantId,
        fee: fee ?? known.fee,
      },
      expected: undefined,
    });
  }

  /** Something is done with the order that it must be kept for, also where its code is refused that is being made. */
  retain(): void {
    const {expected} = this.record() ?? {};
    if (expected?.before === null) this.update({expected: {...expected, before: NOT_REQUESTED}});
  }

  /** What a payment notice of the shopper begins with: a person's data, kept here so that no token carries it. */
  prefill(): Prefill | null {
    return this.storage.kv.get<Prefill>('prefill') ?? null;
  }

  update(change: Partial<OrderRecord>): void {
    const record = this.record();
    if (record) this.storage.kv.put('record', {...record, ...change});
  }

  /** Money arrived, or something was done with it: its status is asked for at once. */
  scheduleStatusCheck(): void {
    this.update({statusAsked: 0, statusDueAt: Date.now()});
  }

  /** What the state of the payment follows from. */
  facts({amount, expiresAt, completedAt, notice, handedOverAt}: OrderRecord): PaymentFacts {
    const arrivals = [...this.arrivals(), ...this.charges()];
    return {
      amount,
      expiresAt,
      completed: completedAt !== null,
      arrivals,
      notice: notice ?? null,
      handedOverAt: handedOverAt ?? null,
    };
  }

  /** What is still to be paid, and 0 when nothing is. A merchant's server may have said another amount since a session was made. */
  due({amount}: Pick<OrderTerms, 'amount'>): Kurus {
    const record = this.record();
    return record ? amountDue(this.facts(record)) : amount;
  }

  arrivals(): Arrival[] {
    return this.storage.sql.exec<ArrivalRow>('SELECT * FROM arrivals').toArray();
  }

  /** What was paid on the common payment page. */
  charges(): Arrival[] {
    if (!this.storage.kv.get<boolean>('hasCharges')) return [];
    return this.storage.sql
      .exec<ChargeRow>('SELECT * FROM charges')
      .toArray()
      .map(({id, amount, at, state}) => ({id, amount, currency: 'TRY', bank: null, at, state}));
  }

  /** Keeps a charge as it is now, or forgets one that came to nothing; tells whether anything changed. */
  saveCharge({id, amount, at, state}: PaidCharge): boolean {
    const known = this.charges().find((charge) => charge.id === id);
    if (!ARRIVED.has(state))
      return known !== undefined && this.storage.sql.exec('DELETE FROM charges WHERE id = ?', id).rowsWritten > 0;
    if (known?.state === state && known.amount === amount) return false;
    this.retain();
    this.storage.sql.exec(
      'CREATE TABLE IF NOT EXISTS charges (id TEXT PRIMARY KEY, amount INTEGER, at INTEGER NOT NULL, state TEXT NOT NULL)',
    );
    this.storage.sql.exec('INSERT OR REPLACE INTO charges VALUES (?, ?, ?, ?)', id, amount, at, state);
    this.storage.kv.put('hasCharges', true);
    return true;
  }

  /** Adds what is not known yet; tells whether anything was. */
  addArrivals(arrivals: readonly Arrival[]): boolean {
    const added = arrivals.map(
      ({id, amount, currency, bank, at, state}) =>
        this.storage.sql.exec(
          'INSERT OR IGNORE INTO arrivals VALUES (?, ?, ?, ?, ?, ?)',
          id,
          amount,
          currency,
          bank,
          at,
          state,
        ).rowsWritten > 0,
    );
    const isAny = added.includes(true);
    if (isAny) this.retain();
    return isAny;
  }

  /** Whether there was such money. */
  removeArrival(id: string): boolean {
    return (
      this.record() !== undefined && this.storage.sql.exec('DELETE FROM arrivals WHERE id = ?', id).rowsWritten > 0
    );
  }

  /** What the platform says of one transaction by itself: its state, and the amount where that was not known. */
  updateArrival(id: string, {state, amount}: Pick<Arrival, 'state' | 'amount'>): void {
    this.storage.sql.exec(
      'UPDATE arrivals SET state = ?, amount = coalesce(amount, ?) WHERE id = ?',
      state,
      amount,
      id,
    );
  }

  /** Keeps the order no more. What is not told yet stays. */
  deleteRecord(): void {
    this.storage.kv.delete('record');
  }

  /** Forgets everything, and wakes no more. */
  async deleteAll(): Promise<void> {
    await this.storage.deleteAlarm();
    await this.storage.deleteAll();
  }
}

/** Whether the order has the split that is named; what is not named is no contradiction. */
function isSameSplit(named: MarketplaceSplit = {}, known: MarketplaceSplit = {}): boolean {
  return (['payout', 'subMerchantId', 'fee'] as const).every(
    (field) => (named[field] ?? known[field]) === known[field],
  );
}
