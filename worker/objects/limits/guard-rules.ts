/** The rules a `Guard` and a `Subscriber` hold to. Pure: no clock, no storage. */

export interface GuardPermit {
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether it turned out well: the PIN that was sent came back. */
  readonly confirmed: boolean;
}

export type LimitRule =
  /** At most so many in any window of so long; with `unconfirmed`, those that turned out well do not count. */
  | {readonly kind: 'most'; readonly limit: number; readonly windowMs: number; readonly unconfirmed?: true}
  /** No limit: what was taken is remembered for so long. */
  | {readonly kind: 'kept'; readonly windowMs: number}
  /** A pause after each one, twice as long as the one before while they stand in the same window. */
  | {readonly kind: 'pause'; readonly firstMs: number; readonly windowMs: number}
  /** Of the last so many in the window at least this percentage turned out well; fewer than so many say nothing. */
  | {readonly kind: 'confirmed'; readonly ofLast: number; readonly percent: number; readonly windowMs: number}
  /** The same however few they are, and at least one. */
  | {readonly kind: 'proven'; readonly ofLast: number; readonly percent: number; readonly windowMs: number};

export function atMost(limit: number, windowMs: number): LimitRule {
  return {kind: 'most', limit, windowMs};
}

/** How many of the newest takings the rule looks at. */
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

/** Beyond it a pause grows no more: a number that is asked for so often has met other rules. */
const MAX_DELAY_EXPONENT = 12;

/**
 * Milliseconds until the rule allows another one; 0 when it does now.
 * @param permits newest first, at least `consideredCount(rule)` of them where there are so many.
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
      const good = last.filter(({confirmed}) => confirmed).length;
      const oldest = last[rule.ofLast - 1];
      return oldest && good * 100 < rule.percent * rule.ofLast ? oldest.at + rule.windowMs - now : 0;
    }
    case 'proven': {
      const last = recent.slice(0, rule.ofLast);
      const good = last.filter(({confirmed}) => confirmed).length;
      return good > 0 && good * 100 >= rule.percent * last.length ? 0 : (last.at(-1)?.at ?? now) + rule.windowMs - now;
    }
  }
}

/** Whole seconds, at least one: what a `Retry-After` says. */
export function toRetryAfterSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
