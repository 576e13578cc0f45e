import {DurableObject} from 'cloudflare:workers';
import {reachOf, type Rule, type Taking, toSeconds, waitMs} from './guard-rules.ts';

export type Taken =
  /** The number under which it may be given back or confirmed; null where it had been taken before. */
  | {readonly allowed: true; readonly taking: number | null}
  | {readonly allowed: false; readonly retryAfterSeconds: number; readonly broken: Rule['kind']};

/** Where something was taken, so that it can be given back or confirmed: the guard's name and its number there. */
export interface GuardTicket {
  readonly guard: string;
  readonly taking: number;
}

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
  take(rules: readonly Rule[], what: string | null = null): Taken {
    const now = Date.now();
    const keptMs = Math.max(...rules.map(({windowMs}) => windowMs));
    // Here and not at every waking: an object that is only woken to forget must not leave a table.
    this.#sql.exec(
      'CREATE TABLE IF NOT EXISTS takings (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, what TEXT, confirmed INTEGER NOT NULL DEFAULT 0)',
    );
    this.#sql.exec('CREATE INDEX IF NOT EXISTS takings_at ON takings (at)');
    this.#sql.exec('DELETE FROM takings WHERE at <= ?', now - keptMs);
    if (what !== null && this.#sql.exec('SELECT 1 FROM takings WHERE what = ?', what).toArray().length > 0)
      return {allowed: true, taking: null};
    for (const rule of rules) {
      const leftMs = waitMs(rule, this.#newest(rule), now);
      if (leftMs > 0) return {allowed: false, retryAfterSeconds: toSeconds(leftMs), broken: rule.kind};
    }
    const {id} = this.#sql
      .exec<{id: number}>('INSERT INTO takings (at, what) VALUES (?, ?) RETURNING id', now, what)
      .one();
    void this.ctx.storage.setAlarm(now + keptMs);
    return {allowed: true, taking: id};
  }

  /** What was taken was not used. */
  giveBack(taking: number): void {
    if (this.#isKnown()) this.#sql.exec('DELETE FROM takings WHERE id = ?', taking);
  }

  /** What was taken turned out well. */
  confirm(taking: number): void {
    if (this.#isKnown()) this.#sql.exec('UPDATE takings SET confirmed = 1 WHERE id = ?', taking);
  }

  /** Whether the rule allows another one. */
  allows(rule: Rule): boolean {
    return waitMs(rule, this.#isKnown() ? this.#newest(rule) : [], Date.now()) === 0;
  }

  /** Nothing was taken for a whole window: nothing is worth keeping. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #newest(rule: Rule): Taking[] {
    const condition = rule.kind === 'most' && rule.unconfirmed ? 'AND confirmed = 0' : '';
    const query = `SELECT at, confirmed FROM takings WHERE at > ? ${condition} ORDER BY at DESC, id DESC LIMIT ?`;
    const rows = this.#sql.exec<Row>(query, Date.now() - rule.windowMs, reachOf(rule));
    return rows.toArray().map(({at, confirmed}) => ({at, confirmed: confirmed === 1}));
  }

  /** Whether there is anything to change: a window may be over. */
  #isKnown(): boolean {
    return this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'takings'").toArray().length > 0;
  }
}
