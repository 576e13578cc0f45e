import type {Clock} from './clock.ts';

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

type Row = {
  token: string;
  service_id: number;
  reference_code: string;
  item: string;
  price_kurus: number;
  success_url: string;
  failure_url: string;
  trial_days: number | null;
  expires_at_ms: number;
  progress: string;
};

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
    return this.sql.exec<Row>('SELECT * FROM payment_pages WHERE token = ?', token).toArray().map(toPaymentPage)[0];
  }

  /** The open pages on which nobody has begun to pay. */
  unpaid(): PaymentPage[] {
    const query = `SELECT * FROM payment_pages WHERE expires_at_ms > ? AND progress = '{"step":"number"}'`;
    return this.sql.exec<Row>(query, this.clock.nowMs()).toArray().map(toPaymentPage);
  }

  isOpen({expiresAtMs}: PaymentPage): boolean {
    return expiresAtMs > this.clock.nowMs();
  }

  create({serviceId, referenceCode, item, priceKurus, successUrl, failureUrl, trialDays}: NewPaymentPage): PaymentPage {
    const query = `
      INSERT INTO payment_pages (token, service_id, reference_code, item, price_kurus, success_url, failure_url, trial_days, expires_at_ms, progress)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, '{"step":"number"}') RETURNING *`;
    const columns = [serviceId, referenceCode, item, priceKurus, successUrl, failureUrl, trialDays ?? null];
    return toPaymentPage(
      this.sql.exec<Row>(query, crypto.randomUUID(), ...columns, this.clock.nowMs() + LIFETIME_MS).one(),
    );
  }

  setProgress({token}: PaymentPage, progress: Progress): void {
    this.sql.exec('UPDATE payment_pages SET progress = ? WHERE token = ?', JSON.stringify(progress), token);
  }
}

function toPaymentPage(row: Row): PaymentPage {
  return {
    token: row.token,
    serviceId: row.service_id,
    referenceCode: row.reference_code,
    item: row.item,
    priceKurus: row.price_kurus,
    successUrl: row.success_url,
    failureUrl: row.failure_url,
    trialDays: row.trial_days ?? undefined,
    expiresAtMs: row.expires_at_ms,
    progress: JSON.parse(row.progress),
  };
}
