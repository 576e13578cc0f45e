import {DurableObject} from 'cloudflare:workers';
import {HOUR_MS} from '../../lib/durations.ts';
import {scheduleAlarm} from '../alarm.ts';
import {consideredCount, type LimitRule, type GuardPermit, toRetryAfterSeconds, waitMs} from './guard-rules.ts';

export type GuardResult =
  /** The number under which it may be given back or confirmed; null where it had been taken before. */
  | {readonly allowed: true; readonly permitId: number | null}
  | {readonly allowed: false; readonly retryAfterSeconds: number; readonly broken: LimitRule['kind']};

/** Where something was taken, so that it can be given back or confirmed: the guard's name and its number there. */
export interface GuardTicket {
  readonly guard: string;
  readonly taking: number;
}

/** Where an order was counted that is not paid yet: the guard's name. Which order it was stands nowhere with it. */
export interface UnpaidTicket {
  readonly guard: string;
  /** The hour it was counted in. */
  readonly hour: number;
}

export interface UnpaidResult {
  readonly allowed: boolean;
  readonly hour: number;
  /** Unpaid orders of the day before this one, less the paid ones. */
  readonly unpaid: number;
}

const DAY_HOURS = 24;

interface Row extends Record<string, SqlStorageValue> {
  readonly at: number;
  readonly confirmed: number;
}

/**
 * A limit, one object a key, exactly, over restarts. The object's name is an HMAC of the key, so that no address or
 * number stands anywhere. Whoever uses a key always names the same windows: what is older than the longest is forgotten.
 */
export class Guard extends DurableObject<Env> {
  readonly #sql = this.ctx.storage.sql;

  /**
   * Takes one where every rule allows it; tells when to come back where one does not.
   * @param what is taken, where taking it again within the window is to cost nothing; never a person's data.
   */
  acquire(rules: readonly LimitRule[], what: string | null = null): GuardResult {
    const now = Date.now();
    const retentionMs = Math.max(...rules.map(({windowMs}) => windowMs));
    // Here and not at every waking: an object that is only woken to forget must not leave a table.
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS takings (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, what TEXT, confirmed INTEGER NOT NULL DEFAULT 0)',
    );
    this.#sql.exec('CREATE INDEX IF NOT EXISTS takings_at ON takings (at)');
    this.#sql.exec('DELETE FROM takings WHERE at <= ?', now - retentionMs);
    if (what !== null && this.#sql.exec('SELECT 1 FROM takings WHERE what = ?', what).toArray().length > 0)
      return {allowed: true, permitId: null};
    for (const rule of rules) {
      const leftMs = waitMs(rule, this.#newest(rule), now);
      if (leftMs > 0) return {allowed: false, retryAfterSeconds: toRetryAfterSeconds(leftMs), broken: rule.kind};
    }
    const {id} = this.#sql
      .exec<{id: number}>('INSERT INTO takings (at, what) VALUES (?, ?) RETURNING id', now, what)
      .one();
    void scheduleAlarm(this.ctx.storage, now + retentionMs);
    return {allowed: true, permitId: id};
  }

  /** What was taken was not used. */
  release(permitId: number): void {
    if (this.#hasTable()) this.#sql.exec('DELETE FROM takings WHERE id = ?', permitId);
  }

  /** What was taken turned out well. */
  confirm(permitId: number): void {
    if (this.#hasTable()) this.#sql.exec('UPDATE takings SET confirmed = 1 WHERE id = ?', permitId);
  }

  /** Whether the rule allows another one. */
  allows(rule: LimitRule): boolean {
    return waitMs(rule, this.#hasTable() ? this.#newest(rule) : [], Date.now()) === 0;
  }

  /**
   * Counts an order where fewer than `limit` of the last day are unpaid, less those that are paid: a payment gives back its own order and
   * makes up for another one, so that an address whose shoppers mostly pay is never full. Only counts an hour are kept, however many
   * orders there are; the key is used for nothing else.
   * @param limit null counts it in any case.
   */
  acquireUnpaid(limit: number | null): UnpaidResult {
    const now = Date.now();
    const hour = Math.floor(now / HOUR_MS);
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS hours (hour INTEGER PRIMARY KEY, orders INTEGER NOT NULL DEFAULT 0, paid INTEGER NOT NULL DEFAULT 0)',
    );
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

  /** The order that was counted in this hour was not made. */
  releaseUnpaid(hour: number): void {
    if (this.#hasTable('hours'))
      this.#sql.exec('UPDATE hours SET orders = orders - 1 WHERE hour = ? AND orders > 0', hour);
  }

  /** An order that was counted is paid. */
  recordPaid(): void {
    if (!this.#hasTable('hours')) return;
    this.#sql.exec(
      'INSERT INTO hours (hour, paid) VALUES (?, 1) ON CONFLICT (hour) DO UPDATE SET paid = paid + 1',
      Math.floor(Date.now() / HOUR_MS),
    );
  }

  /** Nothing was taken for a whole window: nothing is worth keeping. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #newest(rule: LimitRule): GuardPermit[] {
    const condition = rule.kind === 'most' && rule.unconfirmed ? 'AND confirmed = 0' : '';
    const query = `SELECT at, confirmed FROM takings WHERE at > ? ${condition} ORDER BY at DESC, id DESC LIMIT ?`;
    const rows = this.#sql.exec<Row>(query, Date.now() - rule.windowMs, consideredCount(rule));
    return rows.toArray().map(({at, confirmed}) => ({at, confirmed: confirmed === 1}));
  }

  /** Whether there is anything to change: a window may be over. */
  #hasTable(table = 'takings'): boolean {
    return this.#sql.exec('SELECT 1 FROM sqlite_master WHERE name = ?', table).toArray().length > 0;
  }
}
