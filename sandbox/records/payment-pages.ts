import type {Clock} from './clock.ts';
import {insert, select, update} from './sql.ts';

const LIFETIME_MS = 30 * 60 * 1000;

/** A payment on the payment page (subscriptions.md 4.B). */
export interface PaymentPage {
  readonly token: string;
  readonly serviceId: number;
  readonly referenceCode: string;
  readonly item: string;
  readonly priceKurus: number;
  readonly successUrl: string;
  readonly failureUrl: string;
  /** Free days of a subscription; undefined for a one-off payment. */
  readonly trialDays: number | undefined;
  readonly expiresAtMs: number;
  readonly progress: Progress;
}

export type Progress =
  | {readonly step: 'number'}
  | {readonly step: 'pin'; readonly msisdn: string; readonly operator: number; readonly wrong: number}
  | {readonly step: 'done' | 'failed'};

export type NewPaymentPage = Omit<PaymentPage, 'token' | 'expiresAtMs' | 'progress'>;

export class PaymentPages {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS payment_pages (
      token TEXT PRIMARY KEY,
      service_id INTEGER NOT NULL,
      reference_code TEXT NOT NULL,
      item TEXT NOT NULL,
      price_kurus INTEGER NOT NULL,
      success_url TEXT NOT NULL,
      failure_url TEXT NOT NULL,
      trial_days INTEGER,
      expires_at_ms INTEGER NOT NULL,
      progress TEXT NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  find(token: string): PaymentPage | undefined {
    return this.#select('SELECT * FROM payment_pages WHERE token = ?', token)[0];
  }

  /** The open pages on which nobody has begun to pay. */
  unpaid(): PaymentPage[] {
    const query = `SELECT * FROM payment_pages WHERE expires_at_ms > ? AND progress = '{"step":"number"}'`;
    return this.#select(query, this.clock.nowMs());
  }

  isOpen({expiresAtMs}: PaymentPage): boolean {
    return expiresAtMs > this.clock.nowMs();
  }

  create({serviceId, referenceCode, item, priceKurus, successUrl, failureUrl, trialDays}: NewPaymentPage): PaymentPage {
    const page = {
      token: crypto.randomUUID(),
      serviceId,
      referenceCode,
      item,
      priceKurus,
      successUrl,
      failureUrl,
      trialDays,
      expiresAtMs: this.clock.nowMs() + LIFETIME_MS,
      progress: {step: 'number'} as const,
    };
    insert(this.sql, 'payment_pages', page);
    return page;
  }

  setProgress({token}: PaymentPage, progress: Progress): void {
    update(this.sql, 'payment_pages', {token}, {progress});
  }

  #select(query: string, ...bindings: (string | number)[]): PaymentPage[] {
    const rows = select<PaymentPage & {progress: string}>(this.sql, query, ...bindings);
    return rows.map((row) => Object.assign(row, {progress: JSON.parse(row.progress)}));
  }
}
