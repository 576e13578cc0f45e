/** The limit rules that `Guard` and `Subscriber` apply. The functions are pure: they use no clock and no storage. */

export interface GuardPermit {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether the permit was confirmed: the shopper entered the PIN that was sent. */
  readonly confirmed: boolean;
}

export type LimitRule =
  /** At most `limit` permits in any window of `windowMs`. With `unconfirmed`, confirmed permits do not count. */
  | {readonly kind: 'most'; readonly limit: number; readonly windowMs: number; readonly unconfirmed?: true}
  /** Refuses nothing, but stores permits for `windowMs`. */
  | {readonly kind: 'kept'; readonly windowMs: number}
  /** A delay after each permit. The delay doubles with every permit in the same window. */
  | {readonly kind: 'pause'; readonly firstMs: number; readonly windowMs: number}
  /**
   * At least `percent` of the last `ofLast` permits in the window must be confirmed. With fewer than `ofLast` permits
   * the rule does not apply.
   */
  | {readonly kind: 'confirmed'; readonly ofLast: number; readonly percent: number; readonly windowMs: number}
  /** Like `confirmed`, but the rule also applies with fewer permits, and at least one of them must be confirmed. */
  | {readonly kind: 'proven'; readonly ofLast: number; readonly percent: number; readonly windowMs: number};

export function atMost(limit: number, windowMs: number): LimitRule {
  return {kind: 'most', limit, windowMs};
}

/** How many of the newest permits must be known to apply the rule. */
export function consideredCount(rule: LimitRule): number {
  switch (rule.kind) {
    case 'most':
      return rule.limit;
    case 'kept':
      return 0;
    case 'pause':
      return MAX_DELAY_EXPONENT + 1;
    case 'confirmed':
    case 'proven':
      return rule.ofLast;
  }
}

/** After this many doublings the delay stops growing. Other rules refuse a caller long before that. */
const MAX_DELAY_EXPONENT = 12;

/**
 * Milliseconds until the rule allows another permit; 0 when the rule allows it now.
 * @param permits - Newest first: all permits, or at least the newest `consideredCount(rule)`.
 */
export function waitMs(rule: LimitRule, permits: readonly GuardPermit[], now: number): number {
  const recent = permits.filter(
    ({at, confirmed}) => at > now - rule.windowMs && !(confirmed && rule.kind === 'most' && rule.unconfirmed),
  );
  switch (rule.kind) {
    case 'kept':
      return 0;
    case 'most': {
      const oldest = recent[rule.limit - 1];
      return oldest ? oldest.at + rule.windowMs - now : 0;
    }
    case 'pause': {
      const [newest] = recent;
      const exponent = Math.min(recent.length - 1, MAX_DELAY_EXPONENT);
      return newest ? Math.max(0, newest.at + rule.firstMs * 2 ** exponent - now) : 0;
    }
    case 'confirmed': {
      const last = recent.slice(0, rule.ofLast);
      const confirmedCount = last.filter(({confirmed}) => confirmed).length;
      const oldest = last[rule.ofLast - 1];
      return oldest && confirmedCount * 100 < rule.percent * rule.ofLast ? oldest.at + rule.windowMs - now : 0;
    }
    case 'proven': {
      const last = recent.slice(0, rule.ofLast);
      const confirmedCount = last.filter(({confirmed}) => confirmed).length;
      return confirmedCount > 0 && confirmedCount * 100 >= rule.percent * last.length
        ? 0
        : (last.at(-1)?.at ?? now) + rule.windowMs - now;
    }
  }
}

/** Rounds up to whole seconds, and to at least one second, as `Retry-After` requires. */
export function toRetryAfterSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
