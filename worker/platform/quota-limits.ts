/** The platform's limits on how often the Worker may call it. */

export interface QuotaLimit {
  /** Number of calls in any 24 hours, and therefore on any calendar day of the platform; null means no limit. */
  readonly day: number | null;
  /** Number of calls in any second; null means no limit. */
  readonly second: number | null;
}

/** The platform's limits (`docs/spec/subscriptions.md`, section 8; `search_messages`: `docs/spec/observed.md`). */
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

/**
 * How many calls of `/phs` a minute may have if `QUOTAS.phs_calls` does not say it. The contract shows no limit. Mobile
 * billing allows as many: five a second.
 */
export const PHS_CALLS_PER_MINUTE = 300;

export type QuotaName = keyof typeof QUOTAS;
export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/**
 * The share of a day's calls that only the Worker itself may use: commands read before and after they are sent, and
 * sweeps search for money and for subscriptions. Pages and the merchant's server cannot use up these calls.
 */
export const OWN_SHARES: Readonly<Partial<Record<QuotaName, number>>> = {
  get_subscription: 0.2,
  get_charge: 0.2,
  search_subscriptions: 0.3,
  search_charges: 0.5,
};

/** The share of a day's calls that API keys which are limited to services may ask for together. */
export const LIMITED_KEYS_SHARE = 0.5;

/** The part of each limit that this Worker may use. */
export type Allowance = Readonly<Record<QuotaName, QuotaLimit>>;
