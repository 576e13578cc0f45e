import {countRows, insert, newId, select, selectPage, update, type Condition} from './sql.ts';

/**
 * One cycle of a subscription in mobile billing (subscriptions.md 2.2). Times are text in the platform's local time.
 */
export interface Subscription {
  readonly id: number;
  /** The id of the subscription's first cycle, which all its cycles share. */
  readonly firstId: number;
  readonly serviceId: number;
  /** The product that a landing page sold; undefined if the subscription began on the payment page. */
  readonly productId: number | undefined;
  readonly msisdn: string;
  readonly operator: number;
  /** One of `SUBSCRIPTION_STATUSES`. Deployed platforms may have more statuses (observed.md). */
  readonly status: string;
  readonly item: string;
  readonly feeKurus: number;
  readonly period: Period;
  readonly trialDays: number;
  readonly referenceCode: string | undefined;
  readonly subscribedAt: string;
  readonly renewsAt: string;
  readonly cancelledAt: string | undefined;
  readonly cancellationSource: string | undefined;
  /** The number of consecutive failed charges. */
  readonly failures: number;
}

/** `once` means a payment that does not renew. */
export type Period = 'weekly' | 'monthly' | 'once';

export const SUBSCRIPTION_STATUSES = ['unknown', 'active', 'retry', 'cancelled', 'suspend', 'rejected'] as const;

export type NewSubscription = Pick<
  Subscription,
  'serviceId' | 'productId' | 'msisdn' | 'operator' | 'item' | 'feeKurus' | 'period' | 'trialDays' | 'referenceCode'
>;

interface Cycle {
  readonly at: string;
  readonly renewsAt: string;
}

export class Subscriptions {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS subscriptions (
      id INTEGER PRIMARY KEY,
      first_id INTEGER NOT NULL,
      service_id INTEGER NOT NULL,
      product_id INTEGER,
      msisdn TEXT NOT NULL,
      operator INTEGER NOT NULL,
      status TEXT NOT NULL,
      item TEXT NOT NULL,
      fee_kurus INTEGER NOT NULL,
      period TEXT NOT NULL,
      trial_days INTEGER NOT NULL,
      reference_code TEXT,
      subscribed_at TEXT NOT NULL,
      renews_at TEXT NOT NULL,
      cancelled_at TEXT,
      cancellation_source TEXT,
      modified_at TEXT NOT NULL,
      due_at TEXT,
      failures INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS subscriptions_due ON subscriptions (due_at) WHERE due_at IS NOT NULL;
    CREATE INDEX IF NOT EXISTS subscriptions_by_number ON subscriptions (msisdn);
    CREATE INDEX IF NOT EXISTS subscriptions_by_first ON subscriptions (first_id);
  `;

  constructor(private readonly sql: SqlStorage) {}

  find(id: number): Subscription | undefined {
    return this.page({sql: 'id = ?', bindings: [id]}, 'id', 1, 0)[0];
  }

  /** Returns true if a number is subscribed to a product. A subscription in its trial or in `retry` counts too. */
  hasActive(msisdn: string, productId: number): boolean {
    const query = `SELECT 1 FROM subscriptions WHERE msisdn = ? AND product_id = ? AND status IN ('active', 'retry') LIMIT 1`;
    return this.sql.exec(query, msisdn, productId).toArray().length > 0;
  }

  count(condition: Condition): number {
    return countRows(this.sql, 'subscriptions', condition);
  }

  /** @param order - The SQL after ORDER BY. */
  page(condition: Condition, ...page: [order: string, limit: number, offset: number]): Subscription[] {
    return selectPage(this.sql, 'subscriptions', condition, page);
  }

  create(subscription: NewSubscription, cycle: Cycle): Subscription {
    const id = newId(this.sql, 'subscriptions');
    return this.#insert({...subscription, id, firstId: id}, cycle);
  }

  /** Begins the next cycle. The previous cycle stays in the table and is no longer due. */
  renew(previous: Subscription, cycle: Cycle): Subscription {
    update(this.sql, 'subscriptions', {id: previous.id}, {dueAt: null});
    return this.#insert({...previous, id: newId(this.sql, 'subscriptions')}, cycle);
  }

  /** Begins the next cycle in the same record. */
  extend({id}: Subscription, {at, renewsAt}: Cycle): Subscription {
    const query =
      'UPDATE subscriptions SET renews_at = ?, due_at = ?, failures = 0, modified_at = ? WHERE id = ? RETURNING *';
    const [renewed] = select<Subscription>(this.sql, query, renewsAt, renewsAt, at, id);
    return renewed as Subscription;
  }

  /** Returns true if the subscription will renew and this record is its newest cycle. */
  isDueLater({id}: Subscription): boolean {
    return this.count({sql: 'id = ? AND due_at IS NOT NULL', bindings: [id]}) > 0;
  }

  /** Finds the subscription that became due first; undefined if no subscription is due. */
  firstDue(now: string): {subscription: Subscription; at: string} | undefined {
    const query = 'SELECT * FROM subscriptions WHERE due_at <= ? ORDER BY due_at, id LIMIT 1';
    const [subscription] = select<Subscription & {dueAt?: string}>(this.sql, query, now);
    return subscription && {subscription, at: subscription.dueAt ?? now};
  }

  updateCycle(
    {id}: Subscription,
    {status, failures, at, dueAt}: {status: string; failures: number; at: string; dueAt: string | null},
  ): void {
    update(this.sql, 'subscriptions', {id}, {status, failures, modifiedAt: at, dueAt});
  }

  cancel({firstId}: Subscription, source: string, at: string): void {
    this.sql.exec(
      `UPDATE subscriptions SET status = 'cancelled', cancelled_at = ?, cancellation_source = ?, modified_at = ?, due_at = NULL
       WHERE first_id = ? AND status <> 'cancelled'`,
      at,
      source,
      at,
      firstId,
    );
  }

  /** Sets a status. A subscription continues to renew only if its status is `active` or `retry`. */
  setStatus({id}: Subscription, status: string, at: string): void {
    const renews = status === 'active' || status === 'retry';
    this.sql.exec(
      `UPDATE subscriptions SET status = ?, modified_at = ?, due_at = IIF(? AND period <> 'once', renews_at, NULL) WHERE id = ?`,
      status,
      at,
      Number(renews),
      id,
    );
  }

  #insert(subscription: NewSubscription & {id: number; firstId: number}, {at, renewsAt}: Cycle): Subscription {
    const {id, firstId, serviceId, productId, msisdn, operator, item, feeKurus, period, trialDays, referenceCode} =
      subscription;
    const sold = {serviceId, productId, msisdn, operator, item, feeKurus, period, trialDays, referenceCode};
    const cycle = {subscribedAt: at, renewsAt, modifiedAt: at, dueAt: renewsAt};
    return insert(this.sql, 'subscriptions', {id, firstId, ...sold, ...cycle, status: 'active', failures: 0});
  }
}

/** Statuses of subscriptions that never became active. They cannot be cancelled. */
const NEVER_ACTIVE: ReadonlySet<string> = new Set(['unknown', 'rejected']);

/** Returns `cancellable`, or the reason why a subscription cannot be cancelled (subscriptions.md 3). */
export function cancellability({status}: Subscription): 'cancellable' | 'cancelled' | 'unavailable' {
  if (status === 'cancelled') return 'cancelled';
  return NEVER_ACTIVE.has(status) ? 'unavailable' : 'cancellable';
}
