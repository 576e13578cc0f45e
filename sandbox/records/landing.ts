import type {Clock} from './clock.ts';

/** A PIN expires after ten minutes (subscriptions 8). */
const PIN_LIFETIME_MS = 10 * 60 * 1000;

export interface PinHolder {
  /** What the PIN confirms: a product or a payment page. */
  readonly purpose: string;
  readonly msisdn: string;
  readonly operator: number;
}

/** PINs that were sent and not used yet. A newer one takes the place of an older one. */
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

  /** Four digits. */
  issue({purpose, msisdn, operator}: PinHolder): string {
    const pin = String(Math.floor(Math.random() * 10_000)).padStart(4, '0');
    const query = 'INSERT OR REPLACE INTO pins (purpose, msisdn, operator, pin, expires_at_ms) VALUES (?, ?, ?, ?, ?)';
    this.sql.exec(query, purpose, msisdn, operator, pin, this.clock.nowMs() + PIN_LIFETIME_MS);
    return pin;
  }

  check({purpose, msisdn, operator}: PinHolder, pin: string): 'right' | 'wrong' | 'late' {
    const query = 'SELECT expires_at_ms FROM pins WHERE purpose = ? AND msisdn = ? AND operator = ? AND pin = ?';
    const [row] = this.sql.exec<{expires_at_ms: number}>(query, purpose, msisdn, operator, pin).toArray();
    if (!row) return 'wrong';
    return row.expires_at_ms > this.clock.nowMs() ? 'right' : 'late';
  }

  useUp({purpose, msisdn, operator}: PinHolder): void {
    this.sql.exec('DELETE FROM pins WHERE purpose = ? AND msisdn = ? AND operator = ?', purpose, msisdn, operator);
  }
}
