import {DurableObject} from 'cloudflare:workers';
import type {Env} from '../env.ts';

export type Taken = {readonly allowed: true} | {readonly allowed: false; readonly retryAfterSeconds: number};

/**
 * A limit, one object a key: at most so many in any window of so long, exactly, over restarts. The object's
 * name is an HMAC of the key, so that no address or number stands anywhere.
 */
export class Guard extends DurableObject<Env> {
  readonly #sql = this.ctx.storage.sql;

  /**
   * Takes one of `limit` in any `windowMs`; tells when to come back where none is left.
   * @param what is taken, where taking it again within the window is to cost nothing; never a person's data.
   */
  take(limit: number, windowMs: number, what: string | null = null): Taken {
    const now = Date.now();
    // Here and not at every waking: an object that is only woken to forget must not leave a table.
    this.#sql.exec('CREATE TABLE IF NOT EXISTS takings (at INTEGER NOT NULL, what TEXT)');
    this.#sql.exec('DELETE FROM takings WHERE at <= ?', now - windowMs);
    if (what !== null && this.#sql.exec('SELECT 1 FROM takings WHERE what = ?', what).toArray().length > 0) return {allowed: true};
    const {count, oldest} = this.#sql.exec<{count: number; oldest: number | null}>('SELECT count(*) AS count, min(at) AS oldest FROM takings').one();
    if (count >= limit && oldest !== null) {
      return {allowed: false, retryAfterSeconds: Math.max(1, Math.ceil((oldest + windowMs - now) / 1000))};
    }
    this.#sql.exec('INSERT INTO takings (at, what) VALUES (?, ?)', now, what);
    void this.ctx.storage.setAlarm(now + windowMs);
    return {allowed: true};
  }

  /** Nothing was taken for a whole window: nothing is worth keeping. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }
}
