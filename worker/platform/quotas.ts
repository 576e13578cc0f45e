/** The platform's limits: how often it may be asked for what (subscriptions 8, and messages search as observed). */

export interface QuotaLimit {
  /** In any 24 hours, and so in any day of the platform's; null is as often as one likes. */
  readonly day: number | null;
  /** In any second. */
  readonly second: number | null;
}

export const QUOTAS = {
  get_subscription: {day: 1000, second: 5},
  cancel_subscription: {day: 1000, second: 5},
  search_subscriptions: {day: 1000, second: 1},
  reset_test_number: {day: 20, second: 5},
  get_charge: {day: 1000, second: 5},
  refund_charge: {day: 20, second: 5},
  search_charges: {day: 1000, second: 1},
  search_messages: {day: 1000, second: 1},
} as const satisfies Record<string, QuotaLimit>;

export type QuotaName = keyof typeof QUOTAS;
export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** What we may use, by quota. */
export type Allowance = Readonly<Record<QuotaName, QuotaLimit>>;

export type QuotaPermitResult =
  | {readonly permitId: number}
  /** Nothing may be sent now. */
  | {readonly limit: 'day' | 'second'; readonly retryAfterMs: number};
