import type {Clock} from './clock.ts';

const NUMBER_TOKEN_LIFETIME_MS = 10 * 60 * 1000;

export interface TokenOwner {
  readonly msisdn: string;
  readonly operator: number;
}

/** Tokens by which a network names a number for one-click (subscriptions 4.C). They can be used once and for ten minutes. */
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

  /** Eighteen digits: a client that makes a number of them loses the last ones. */
  issue({msisdn, operator}: TokenOwner): string {
    const digits = crypto.getRandomValues(new Uint32Array(2)).join('').padEnd(17, '7').slice(0, 17);
    const token = `9${digits}`;
    const query = 'INSERT INTO number_tokens (token, msisdn, operator, expires_at_ms) VALUES (?, ?, ?, ?)';
    this.sql.exec(query, token, msisdn, operator, this.clock.nowMs() + NUMBER_TOKEN_LIFETIME_MS);
    return token;
  }

  find(token: string): TokenOwner | undefined {
    const query = 'SELECT msisdn, operator FROM number_tokens WHERE token = ? AND expires_at_ms > ?';
    const [row] = this.sql.exec<{msisdn: string; operator: number}>(query, token, this.clock.nowMs()).toArray();
    return row;
  }

  useUp(token: string): void {
    this.sql.exec('DELETE FROM number_tokens WHERE token = ?', token);
  }
}
