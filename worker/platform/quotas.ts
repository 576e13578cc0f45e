/** How often the platform may be asked for what: subscriptions 8, and messages search as observed. */
export interface Limit {
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
} as const satisfies Record<string, Limit>;

export type QuotaName = keyof typeof QUOTAS;
export const QUOTA_NAMES = Object.keys(QUOTAS) as QuotaName[];

/** What we may use, by quota. */
export type Allowance = Readonly<Record<QuotaName, Limit>>;

/** One call that was counted before it is sent. */
export interface Taking {
  /** The call ended and counts, whatever became of it. @param refusal the platform said that it was one too many. */
  end(refusal?: Refusal): void;
  /** Surely nothing was sent: it does not count. */
  giveBack(): void;
}

/** The platform's own word that a limit is used up. */
export interface Refusal {
  /** When it wants to be asked again; null where it does not say. */
  readonly retryAfterMs: number | null;
}

/** Nothing may be sent for now. */
export interface Exhausted {
  readonly retryAfterMs: number;
  /** What is used up; absent where nobody could be asked. */
  readonly limit?: 'day' | 'second';
}

/** Where leave to make a limited call comes from. */
export interface QuotaSource {
  /**
   * Counts one call. It waits a moment for its turn where only this second is used up.
   * @param place in the line of those that wait for another day, where the call has one.
   */
  take(quota: QuotaName, place?: string): Promise<Taking | Exhausted>;
}

export type Taken =
  | {readonly taking: number}
  /** Nothing may be sent now. */
  | {readonly limit: 'day' | 'second'; readonly retryAfterMs: number};
