/** Stores the webhooks that the merchant API created, and how deliveries to every webhook went. */

import type {ObjectStorage} from '../object-storage.ts';
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
  constructor(private readonly storage: ObjectStorage) {}

  /** All webhooks, oldest first. */
  list(): StoredWebhook[] {
    return this.storage.sql<Row<StoredWebhook>>`SELECT * FROM webhooks ORDER BY created_at, id`;
  }

  find(id: string): StoredWebhook | undefined {
    return this.storage.sql<Row<StoredWebhook>>`SELECT * FROM webhooks WHERE id = ${id}`[0];
  }

  put(webhook: StoredWebhook): void {
    const {id, url, types, services, enabled, secret, earlier, version, created_at, changed_at} = webhook;
    this.storage.sql`
      INSERT OR REPLACE INTO webhooks
        (id, url, types, services, enabled, secret, earlier, version, created_at, changed_at)
      VALUES (${id}, ${url}, ${types}, ${services}, ${enabled}, ${secret}, ${earlier}, ${version}, ${created_at},
        ${changed_at})`;
  }

  delete(id: string): void {
    this.storage.sql`DELETE FROM webhooks WHERE id = ${id}`;
    this.storage.sql`DELETE FROM webhook_health WHERE webhook = ${id}`;
  }

  health(webhook: string): WebhookHealth {
    const [health] = this.storage.sql<Row<WebhookHealth>>`
      SELECT last_success_at, last_failure_at, last_status, last_fault, failures FROM webhook_health
      WHERE webhook = ${webhook}`;
    return health ?? UNTRIED;
  }

  recordSuccess(webhook: string, now: number): void {
    const health = this.health(webhook);
    const {failures, last_success_at: last} = health;
    if (failures === 0 && last !== null && now - last < SUCCESS_ACCURACY_MS) return;
    this.#setHealth(webhook, {...health, last_success_at: now, failures: 0});
  }

  recordFailure(webhook: string, {status: last_status, fault: last_fault}: Failure, now: number): void {
    const health = this.health(webhook);
    this.#setHealth(webhook, {...health, last_failure_at: now, last_status, last_fault, failures: health.failures + 1});
  }

  #setHealth(
    webhook: string,
    {last_success_at, last_failure_at, last_status, last_fault, failures}: WebhookHealth,
  ): void {
    this.storage.sql`
      INSERT OR REPLACE INTO webhook_health
        (webhook, last_success_at, last_failure_at, last_status, last_fault, failures)
      VALUES (${webhook}, ${last_success_at}, ${last_failure_at}, ${last_status}, ${last_fault}, ${failures})`;
  }
}
