import type {Clock} from './clock.ts';
import type {Readings} from './readings.ts';
import {insert} from './sql.ts';

/**
 * The tokens of the merchant (orders.md 2.1). The reading `older_tokens` says whether a new token ends the older
 * tokens.
 */
export class Tokens {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS tokens (
      token TEXT PRIMARY KEY,
      expires_at_ms INTEGER NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
    private readonly lifetimeMs: number,
    private readonly readings: Readings,
  ) {}

  /** Issues a token of 38 characters: a UUID in upper case, braces included (observed.md, "Shapes and spellings"). */
  issue(): string {
    const token = `{${crypto.randomUUID().toUpperCase()}}`;
    const nowMs = this.clock.nowMs();
    const until = this.readings.get('older_tokens') === 'ended' ? Number.MAX_SAFE_INTEGER : nowMs;
    this.sql.exec('DELETE FROM tokens WHERE expires_at_ms <= ?', until);
    insert(this.sql, 'tokens', {token, expiresAtMs: nowMs + this.lifetimeMs});
    return token;
  }

  isValid(token: string): boolean {
    const query = 'SELECT 1 FROM tokens WHERE token = ? AND expires_at_ms > ?';
    return this.sql.exec(query, token, this.clock.nowMs()).toArray().length > 0;
  }

  /** Makes all tokens invalid and returns their number. */
  expireAll(): number {
    return this.sql.exec('DELETE FROM tokens RETURNING token').toArray().length;
  }
}
