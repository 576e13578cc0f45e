import {HOUR_MS} from '../../lib/durations.ts';
import {bringAlarmForward, scheduleAlarm} from '../alarm.ts';
import {type StoreSchema, statements} from '../migrations.ts';
import {StoredObject} from '../stored-object.ts';
import {consideredCount, type LimitRule, type GuardPermit, toRetryAfterSeconds, waitMs} from './guard-rules.ts';

export type GuardResult =
  /**
   * `permitId` is used to release or confirm the permit. It is null when `what` already had a permit in this window.
   */
  | {readonly allowed: true; readonly permitId: number | null}
  /** `broken` is the kind of the rule that refused the permit. */
  | {readonly allowed: false; readonly retryAfterSeconds: number; readonly broken: LimitRule['kind']};

/** Identifies a permit, so that its owner can release or confirm it. */
export interface GuardTicket {
  /** The guard's object name, or its key. */
  readonly guard: string;
  /** The permit's id. */
  readonly taking: number;
}

/** Identifies the counter that counted an unpaid order. The guard itself does not store which orders it counted. */
export interface UnpaidTicket {
  /** The guard's object name. */
  readonly guard: string;
  /** The hour in which the order was counted, in hours since the epoch. */
  readonly hour: number;
}

export interface UnpaidResult {
  readonly allowed: boolean;
  readonly hour: number;
  /** The number of the last day's unpaid orders, without this order, less the number of the paid ones. */
  readonly unpaid: number;
}

const DAY_HOURS = 24;

interface Row extends Record<string, SqlStorageValue> {
  readonly at: number;
  readonly confirmed: number;
}

/** A key is limited by permits or by unpaid orders, never by both, so a guard creates only one of these stores. */
const PERMITS: StoreSchema = {
  name: 'permits',
  createdOn: 'first write',
  steps: [
    statements(
      'CREATE TABLE IF NOT EXISTS takings (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, what TEXT, confirmed INTEGER NOT NULL DEFAULT 0)',
      'CREATE INDEX IF NOT EXISTS takings_at ON takings (at)',
    ),
  ],
};
const UNPAID_ORDERS: StoreSchema = {
  name: 'unpaid_orders',
  createdOn: 'first write',
  steps: [
    'CREATE TABLE IF NOT EXISTS hours (hour INTEGER PRIMARY KEY, orders INTEGER NOT NULL DEFAULT 0, paid INTEGER NOT NULL DEFAULT 0)',
  ],
};

/**
 * Applies limits to one key. There is one object per key; it counts exactly, and its counts survive restarts. The
 * object's name is an HMAC of the key, so that no address or phone number is stored. Callers must always use the same
 * windows for a key, because the guard deletes permits that are older than the longest window.
 */
export class Guard extends StoredObject {
  static override readonly schemas = [PERMITS, UNPAID_ORDERS];

  readonly #sql = this.ctx.storage.sql;

  /**
   * Acquires a permit if every rule allows it; otherwise says when to retry.
   * @param what names the thing that needs the permit, never with a person's data. If this name already has a permit in
   * the window, no second one is needed.
   */
  acquire(rules: readonly LimitRule[], what: string | null = null): GuardResult {
    const now = Date.now();
    const retentionMs = Math.max(...rules.map(({windowMs}) => windowMs));
    this.versions.create(PERMITS);
    this.#sql.exec('DELETE FROM takings WHERE at <= ?', now - retentionMs);
    if (what !== null && this.#sql.exec('SELECT 1 FROM takings WHERE what = ?', what).toArray().length > 0)
      return {allowed: true, permitId: null};
    for (const rule of rules) {
      const leftMs = waitMs(rule, this.#newest(rule), now);
      if (leftMs > 0) {
        // The tables exist even if no permit was ever given, so they need an alarm that deletes them.
        void bringAlarmForward(this.ctx.storage, now + retentionMs);
        return {allowed: false, retryAfterSeconds: toRetryAfterSeconds(leftMs), broken: rule.kind};
      }
    }
    const {id} = this.#sql
      .exec<{id: number}>('INSERT INTO takings (at, what) VALUES (?, ?) RETURNING id', now, what)
      .one();
    void scheduleAlarm(this.ctx.storage, now + retentionMs);
    return {allowed: true, permitId: id};
  }

  /** Removes a permit that was not used. */
  release(permitId: number): void {
    if (this.versions.has(PERMITS)) this.#sql.exec('DELETE FROM takings WHERE id = ?', permitId);
  }

  /** Records that the permit was used as intended: for example, the shopper entered the PIN. */
  confirm(permitId: number): void {
    if (this.versions.has(PERMITS)) this.#sql.exec('UPDATE takings SET confirmed = 1 WHERE id = ?', permitId);
  }

  /** Whether the rule allows another permit. */
  allows(rule: LimitRule): boolean {
    return waitMs(rule, this.versions.has(PERMITS) ? this.#newest(rule) : [], Date.now()) === 0;
  }

  /**
   * Counts an order if the number of the last day's unpaid orders, less the number of the paid ones, is below `limit`.
   * Each paid order thus makes up for one unpaid order, so that an address whose shoppers mostly pay never reaches the
   * limit. The guard stores only counts per hour. A key that is used here must not be used with `acquire`.
   * @param limit with null, the order is always counted.
   */
  acquireUnpaid(limit: number | null): UnpaidResult {
    const now = Date.now();
    const hour = Math.floor(now / HOUR_MS);
    this.versions.create(UNPAID_ORDERS);
    this.#sql.exec('DELETE FROM hours WHERE hour <= ?', hour - DAY_HOURS);
    const {unpaid} = this.#sql
      .exec<{unpaid: number}>('SELECT coalesce(sum(orders - 2 * paid), 0) AS unpaid FROM hours')
      .one();
    void scheduleAlarm(this.ctx.storage, now + (DAY_HOURS + 1) * HOUR_MS);
    if (limit !== null && unpaid >= limit) return {allowed: false, hour, unpaid};
    this.#sql.exec(
      'INSERT INTO hours (hour, orders) VALUES (?, 1) ON CONFLICT (hour) DO UPDATE SET orders = orders + 1',
      hour,
    );
    return {allowed: true, hour, unpaid};
  }

  /** Takes back the count of an order that was counted in this hour but not made. */
  releaseUnpaid(hour: number): void {
    if (this.versions.has(UNPAID_ORDERS))
      this.#sql.exec('UPDATE hours SET orders = orders - 1 WHERE hour = ? AND orders > 0', hour);
  }

  /** Records that one of the counted orders is paid. */
  recordPaid(): void {
    if (!this.versions.has(UNPAID_ORDERS)) return;
    this.#sql.exec(
      'INSERT INTO hours (hour, paid) VALUES (?, 1) ON CONFLICT (hour) DO UPDATE SET paid = paid + 1',
      Math.floor(Date.now() / HOUR_MS),
    );
  }

  /** Deletes all data. Nothing was counted for a whole window, so nothing is left to count. */
  override async alarm(): Promise<void> {
    await this.versions.erase();
  }

  #newest(rule: LimitRule): GuardPermit[] {
    const condition = rule.kind === 'most' && rule.unconfirmed ? 'AND confirmed = 0' : '';
    const query = `SELECT at, confirmed FROM takings WHERE at > ? ${condition} ORDER BY at DESC, id DESC LIMIT ?`;
    const rows = this.#sql.exec<Row>(query, Date.now() - rule.windowMs, consideredCount(rule));
    return rows.toArray().map(({at, confirmed}) => ({at, confirmed: confirmed === 1}));
  }
}
