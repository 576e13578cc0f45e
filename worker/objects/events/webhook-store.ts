/** Stores the webhooks that the merchant API created, and how deliveries to every webhook went. */

import type {Failure} from './delivery-store.ts';
import type {DeliveryFault} from './sender.ts';

/** A webhook that the merchant API created. Its secrets are sealed. Times are epoch milliseconds. */
export interface StoredWebhook {
  readonly id: string;
  readonly url: string;
  /** JSON list of the types of events that the webhook gets; null for all. */
  readonly types: string | null;
  /** JSON list of the services whose events the webhook gets; null for all. */
  readonly services: string | null;
  readonly enabled: 0 | 1;
  readonly secret: string;
  /** JSON list of the secrets that rotations replaced, the last one first; see `earlierSecrets`. */
  readonly earlier: string;
  /** Counts the changes. */
  readonly version: number;
  readonly created_at: number;
  readonly changed_at: number;
}

/** A secret that a rotation replaced. It signs until `until`, epoch milliseconds. */
export interface EarlierSecret {
  /** Sealed. */
  readonly secret: string;
  readonly until: number;
}

/** The earlier secrets of a webhook that still sign. @param now - Epoch milliseconds. */
export const earlierSecrets = ({earlier}: StoredWebhook, now: number): EarlierSecret[] =>
  (JSON.parse(earlier) as EarlierSecret[]).filter(({until}) => until > now);

/** How deliveries to a webhook went. Times are epoch milliseconds. */
export interface WebhookHealth {
  readonly last_success_at: number | null;
  readonly last_failure_at: number | null;
  readonly last_status: number | null;
  readonly last_fault: DeliveryFault | null;
  /** Failed attempts since the last success. */
  readonly failures: number;
}

type Row<T> = {-readonly [K in keyof T]: T[K]};

const UNTRIED: WebhookHealth = {
  last_success_at: null,
  last_failure_at: null,
  last_status: null,
  last_fault: null,
  failures: 0,
};
/** Maximum difference between `last_success_at` and the last success. Without it, every delivery would write a row. */
const SUCCESS_ACCURACY_MS = 60_000;

export class WebhookStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
  }

  /** All webhooks, oldest first. */
  list(): StoredWebhook[] {
    return this.#sql.exec<Row<StoredWebhook>>('SELECT * FROM webhooks ORDER BY created_at, id').toArray();
  }

  find(id: string): StoredWebhook | undefined {
    return this.#sql.exec<Row<StoredWebhook>>('SELECT * FROM webhooks WHERE id = ?', id).toArray()[0];
  }

  put(webhook: StoredWebhook): void {
    this.#write('webhooks', webhook);
  }

  delete(id: string): void {
    this.#sql.exec('DELETE FROM webhooks WHERE id = ?', id);
    this.#sql.exec('DELETE FROM webhook_health WHERE webhook = ?', id);
  }

  health(webhook: string): WebhookHealth {
    const query = `SELECT last_success_at, last_failure_at, last_status, last_fault, failures FROM webhook_health
      WHERE webhook = ?`;
    return this.#sql.exec<Row<WebhookHealth>>(query, webhook).toArray()[0] ?? UNTRIED;
  }

  recordSuccess(webhook: string, now: number): void {
    const {failures, last_success_at, ...health} = this.health(webhook);
    if (failures === 0 && last_success_at !== null && now - last_success_at < SUCCESS_ACCURACY_MS) return;
    this.#write('webhook_health', {webhook, ...health, last_success_at: now, failures: 0});
  }

  recordFailure(webhook: string, {status: last_status, fault: last_fault}: Failure, now: number): void {
    const {failures, ...health} = this.health(webhook);
    const last = {last_failure_at: now, last_status, last_fault};
    this.#write('webhook_health', {webhook, ...health, ...last, failures: failures + 1});
  }

  /** Writes a whole row. */
  #write(table: string, row: object): void {
    const columns = Object.keys(row);
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${table} (${columns.join()}) VALUES (${columns.map(() => '?').join()})`,
      ...(Object.values(row) as SqlStorageValue[]),
    );
  }
}
