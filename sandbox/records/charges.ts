import {countRows, insert, newId, selectPage, update, type Condition} from './sql.ts';
import type {Subscription} from './subscriptions.ts';

/** One attempt to charge a number, which mobile billing calls a transaction (subscriptions.md 2.3). */
export interface Charge {
  readonly id: number;
  readonly subscriptionId: number;
  readonly serviceId: number;
  readonly status: number;
  readonly msisdn: string;
  readonly operator: number;
  readonly item: string;
  readonly amountKurus: number;
  readonly referenceCode: string | undefined;
  readonly chargedAt: string;
  readonly refundedAt: string | undefined;
}

export class Charges {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS charges (
      id INTEGER PRIMARY KEY,
      subscription_id INTEGER NOT NULL,
      service_id INTEGER NOT NULL,
      status INTEGER NOT NULL,
      msisdn TEXT NOT NULL,
      operator INTEGER NOT NULL,
      item TEXT NOT NULL,
      amount_kurus INTEGER NOT NULL,
      reference_code TEXT,
      charged_at TEXT NOT NULL,
      refunded_at TEXT,
      modified_at TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS charges_by_subscription ON charges (subscription_id);
  `;

  constructor(private readonly sql: SqlStorage) {}

  find(id: number): Charge | undefined {
    return this.page({sql: 'id = ?', bindings: [id]}, 'id', 1, 0)[0];
  }

  /** Finds the newest charge of one cycle, and the newest of the cycle's charges that the subscriber paid. */
  lastOf({id}: Subscription): {last: Charge | undefined; lastPaid: Charge | undefined} {
    const charges = this.page({sql: 'subscription_id = ?', bindings: [id]}, 'id DESC', -1, 0);
    return {last: charges[0], lastPaid: charges.find(({status}) => isPaid(status))};
  }

  count(condition: Condition): number {
    return countRows(this.sql, 'charges', condition);
  }

  /** @param order - The SQL after ORDER BY. */
  page(condition: Condition, ...page: [order: string, limit: number, offset: number]): Charge[] {
    return selectPage(this.sql, 'charges', condition, page);
  }

  create(subscription: Subscription, status: number, at: string): Charge {
    const {id: subscriptionId, serviceId, msisdn, operator, item, feeKurus: amountKurus, referenceCode} = subscription;
    const charged = {subscriptionId, serviceId, msisdn, operator, item, amountKurus, referenceCode};
    const id = newId(this.sql, 'charges');
    return insert(this.sql, 'charges', {id, ...charged, status, chargedAt: at, modifiedAt: at});
  }

  refund({id}: Charge, at: string): void {
    update(this.sql, 'charges', {id}, {status: CHARGE_STATUS.refunded, refundedAt: at, modifiedAt: at});
  }

  setStatus({id}: Charge, status: number, at: string): void {
    update(this.sql, 'charges', {id}, {status, modifiedAt: at});
  }
}

/** The statuses that have a name in the sandbox's code (observed.md, "Integer statuses", mobile billing). */
export const CHARGE_STATUS = {
  waiting: 1,
  success: 3,
  operatorError: 4,
  expired: 5,
  refunded: 6,
  refundInProgress: 7,
} as const;

/** Every status that a charge can have. */
export const CHARGE_STATUSES: readonly number[] = [1, 3, 4, 5, 6, 7, 8, 9, -5, -8, -18];

/**
 * The fields `error` and `errorDetail` of a failed charge, by status (subscriptions.md 2.3). Their texts are invented.
 */
const CHARGE_ERRORS: ReadonlyMap<number, readonly [error: string, detail: string]> = new Map([
  [CHARGE_STATUS.operatorError, ['Operator charging error', '51|Insufficient balance']],
  [CHARGE_STATUS.expired, ['Expired', '54|Not confirmed in time']],
  [8, ['Cancelled', '8|Other pending payment']],
  [9, ['Cancelled', '9|Not confirmed']],
  [-5, ['Cancelled', '-5|Price mismatch']],
  [-8, ['Cancelled', '-8|Bad number']],
  [-18, ['Cancelled', '-18|Other pending payment']],
]);

/** Returns true if the subscriber has paid, even if the money was refunded afterwards. */
export function isPaid(status: number): boolean {
  return (
    status === CHARGE_STATUS.success || status === CHARGE_STATUS.refunded || status === CHARGE_STATUS.refundInProgress
  );
}

export function describeChargeError(status: number): {error: string | null; errorDetail: string | null} {
  const [error = null, errorDetail = null] = CHARGE_ERRORS.get(status) ?? [];
  return {error, errorDetail};
}
