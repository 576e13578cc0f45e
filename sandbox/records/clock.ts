import {toLocalTime} from '../formats.ts';

/** The sandbox's time: the real time plus what the control `clock` has added. */
export class Clock {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS clock (
      advanced_ms INTEGER NOT NULL
    );
  `;

  constructor(private readonly sql: SqlStorage) {}

  nowMs(): number {
    return Date.now() + this.#advancedMs();
  }

  /** The current time in the format of the platform. */
  now(): string {
    return toLocalTime(this.nowMs());
  }

  /** Advances the clock. Only a reset sets it back. */
  advance(ms: number): void {
    const advancedMs = this.#advancedMs() + ms;
    this.sql.exec('DELETE FROM clock');
    this.sql.exec('INSERT INTO clock (advanced_ms) VALUES (?)', advancedMs);
  }

  #advancedMs(): number {
    const [row] = this.sql.exec<{advanced_ms: number}>('SELECT advanced_ms FROM clock').toArray();
    return row?.advanced_ms ?? 0;
  }
}
