/** PINs, number tokens and activities of landing pages. */

import type {Clock} from './clock.ts';
import type {Reading} from './readings.ts';
import {insert, replace, select} from './sql.ts';

/** A PIN expires after ten minutes (subscriptions.md 8). */
const PIN_LIFETIME_MS = 10 * 60 * 1000;

/** The number that gets a PIN, and what the PIN is for. */
export interface PinHolder {
  /** The product or payment page that the PIN is for. */
  readonly purpose: string;
  readonly msisdn: string;
  readonly operator: number;
}

/** PINs that were sent and not used yet. A newer PIN replaces an older one. */
export class Pins {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS pins (
      purpose TEXT NOT NULL,
      msisdn TEXT NOT NULL,
      operator INTEGER NOT NULL,
      pin TEXT NOT NULL,
      expires_at_ms INTEGER NOT NULL,
      PRIMARY KEY (purpose, msisdn, operator)
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  /** Creates and returns a PIN of four digits. */
  issue({purpose, msisdn, operator}: PinHolder): string {
    const pin = String(Math.floor(Math.random() * 10_000)).padStart(4, '0');
    replace(this.sql, 'pins', {purpose, msisdn, operator, pin, expiresAtMs: this.clock.nowMs() + PIN_LIFETIME_MS});
    return pin;
  }

  check({purpose, msisdn, operator}: PinHolder, pin: string): 'correct' | 'wrong' | 'expired' {
    const query = 'SELECT expires_at_ms FROM pins WHERE purpose = ? AND msisdn = ? AND operator = ? AND pin = ?';
    const [row] = select<{expiresAtMs: number}>(this.sql, query, purpose, msisdn, operator, pin);
    if (!row) return 'wrong';
    return row.expiresAtMs > this.clock.nowMs() ? 'correct' : 'expired';
  }

  useUp({purpose, msisdn, operator}: PinHolder): void {
    this.sql.exec('DELETE FROM pins WHERE purpose = ? AND msisdn = ? AND operator = ?', purpose, msisdn, operator);
  }
}

const NUMBER_TOKEN_LIFETIME_MS = 10 * 60 * 1000;

export interface NumberTokenOwner {
  readonly msisdn: string;
  readonly operator: number;
}

/**
 * Number tokens of mobile networks, for one-click (subscriptions.md 4.C). Each token can be used once, within ten
 * minutes.
 */
export class NumberTokens {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS number_tokens (
      token TEXT PRIMARY KEY,
      msisdn TEXT NOT NULL,
      operator INTEGER NOT NULL,
      expires_at_ms INTEGER NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  /**
   * Creates a token of eighteen digits. A client that wrongly parses such a token as a number loses the last digits, so
   * that the client's tests fail. Under the reading `number_tokens`, the token is other text, with characters that a
   * form or a URL has to encode.
   */
  issue({msisdn, operator}: NumberTokenOwner, form: Reading<'number_tokens'>): string {
    const digits = crypto.getRandomValues(new Uint32Array(2)).join('').padEnd(17, '7').slice(0, 17);
    const token = form === 'digits' ? `9${digits}` : `Nt+/${digits}&=ş`;
    const expiresAtMs = this.clock.nowMs() + NUMBER_TOKEN_LIFETIME_MS;
    insert(this.sql, 'number_tokens', {token, msisdn, operator, expiresAtMs});
    return token;
  }

  find(token: string): NumberTokenOwner | undefined {
    const query = 'SELECT msisdn, operator FROM number_tokens WHERE token = ? AND expires_at_ms > ?';
    return select<NumberTokenOwner>(this.sql, query, token, this.clock.nowMs())[0];
  }

  useUp(token: string): void {
    this.sql.exec('DELETE FROM number_tokens WHERE token = ?', token);
  }
}

/** A visit or click that a landing page reported (subscriptions.md 4.C, rule 5). */
export interface Activity {
  readonly product: number;
  readonly tracking_id: string;
  readonly type: string;
  readonly url: string;
  readonly userip: string;
  readonly browser: string;
  readonly referer: string;
}

export class Activities {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS activities (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      activity TEXT NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  add(activity: Activity): void {
    insert(this.sql, 'activities', {at: this.clock.now(), activity});
  }

  /** Returns activities, newest first. */
  recent(limit: number): (Activity & {at: string})[] {
    const query = 'SELECT at, activity FROM activities ORDER BY id DESC LIMIT ?';
    const rows = select<{at: string; activity: string}>(this.sql, query, limit);
    return rows.map(({at, activity}) => Object.assign(JSON.parse(activity), {at}));
  }
}
