/**
 * Counts how often something happened in a window of time. The functions are pure: they use no clock and no storage.
 * All times are epoch milliseconds.
 */

/**
 * What happened in one part of a window: when it first happened, how often, and how many of these were confirmed (the
 * order was paid, or the shopper entered the PIN).
 */
export type CounterPart = readonly [at: number, counted: number, confirmed: number];

/** A counter as it is stored. */
export interface StoredCounter {
  readonly windowMs: number;
  /** Oldest first. */
  readonly parts: readonly CounterPart[];
}

/** What a request asks of a counter. */
export interface CounterRule {
  /** The same key always has the same window. */
  readonly windowMs: number;
  /** With null, the counter counts and refuses nothing. */
  readonly limit: number | null;
  /**
   * How much a confirmation lowers the count: 1 if only what is not confirmed counts, 2 if a confirmation also makes
   * room for something else. The default is 0.
   */
  readonly credit?: 0 | 1 | 2;
  /** Only `last` is read. The counter forgets what is older than the last `JUDGED_BY_LAST` things. */
  readonly isJudged?: true;
}

/** A counter before a request was counted. */
export interface CounterState {
  /** The count that the limit is compared with. */
  readonly count: number;
  /**
   * The last things that were counted: `JUDGED_BY_LAST` of them, or a part more, or all if there are fewer. A judged
   * counter has parts of ten things, or more if they happened in the same millisecond.
   */
  readonly last: {readonly counted: number; readonly confirmed: number};
}

/** How many of the last things determine the rate of confirmations. */
export const JUDGED_BY_LAST = 100;

/**
 * A window has this many parts. A part begins when something happens after the last part has ended. What happens in the
 * same part expires together with the first of it. So nothing counts for longer than the window, and nothing for less
 * than eleven twelfths of it: a limit for a day holds in any 22 hours, and almost twice as many may fit into 24. If the
 * limit is not greater than this number, each thing has its own part, so the limit holds in every whole window.
 */
const PARTS = 12;

/** The parts that have not expired. */
export function livingParts({parts, windowMs}: StoredCounter, now: number): readonly CounterPart[] {
  return parts.filter(([at]) => at > now - windowMs);
}

export function counterStateOf(counter: StoredCounter, {credit = 0}: CounterRule, now: number): CounterState {
  const parts = livingParts(counter, now);
  const last = {counted: 0, confirmed: 0};
  for (const [, counted, confirmed] of newestParts(parts)) {
    last.counted += counted;
    last.confirmed += confirmed;
  }
  return {count: parts.reduce((sum, [, counted, confirmed]) => sum + counted - credit * confirmed, 0), last};
}

/** The newest parts that together have at least `JUDGED_BY_LAST` things. */
function newestParts(parts: readonly CounterPart[]): readonly CounterPart[] {
  let sum = 0;
  const first = parts.findLastIndex(([, counted]) => (sum += counted) >= JUDGED_BY_LAST);
  return parts.slice(Math.max(0, first));
}

/** Milliseconds until the counter is below the limit; 0 if it is below the limit now. */
export function waitMs(counter: StoredCounter, rule: CounterRule, now: number): number {
  const {limit, credit = 0, windowMs} = rule;
  let {count} = counterStateOf(counter, rule, now);
  if (limit === null || count < limit) return 0;
  for (const [at, counted, confirmed] of livingParts(counter, now)) {
    count -= counted - credit * confirmed;
    if (count < limit) return at + windowMs - now;
  }
  return windowMs;
}

/** The counter after one more thing was counted. The last part is where it was counted. */
export function withOneMore(counter: StoredCounter, rule: CounterRule, now: number): StoredCounter {
  const living = livingParts(counter, now);
  const last = living.at(-1);
  // Things of the same millisecond have the same part, because a part is named by its time.
  const isFull = last !== undefined && last[1] >= maxOfPart(rule) && now > last[0];
  const parts: readonly CounterPart[] =
    last && !isFull && now < last[0] + counter.windowMs / PARTS
      ? [...living.slice(0, -1), [last[0], last[1] + 1, last[2]]]
      : [...living, [now, 1, 0]];
  return {...counter, parts: rule.isJudged ? newestParts(parts) : parts};
}

/** After how many things a part ends, even before its time. */
function maxOfPart({limit, credit = 0, isJudged}: CounterRule): number {
  if (isJudged) return JUDGED_BY_LAST / 10;
  // With a credit, a counter below its limit may have counted any number of things.
  return limit !== null && limit <= PARTS && credit === 0 ? 1 : Infinity;
}

/** The counter after one thing of the part that began at `at` was released or confirmed. Empty parts are left out. */
export function withChange(counter: StoredCounter, at: number, change: 'release' | 'confirm'): StoredCounter {
  const parts = counter.parts.map(([start, counted, confirmed]): CounterPart => {
    if (start !== at) return [start, counted, confirmed];
    return change === 'release'
      ? [start, Math.max(confirmed, counted - 1), confirmed]
      : [start, counted, confirmed + 1];
  });
  return {...counter, parts: parts.filter(([, counted]) => counted > 0)};
}

/** When the last part expires. */
export function expiresAt({parts, windowMs}: StoredCounter): number {
  return (parts.at(-1)?.[0] ?? -Infinity) + windowMs;
}

/**
 * Whether too few of the last things were confirmed.
 * @param atLeast - With fewer things than this, the rate is not judged.
 */
export function isRarelyConfirmed({last}: CounterState, percent: number, atLeast = JUDGED_BY_LAST): boolean {
  return last.counted >= atLeast && last.confirmed * 100 < percent * last.counted;
}

/** Rounds up to whole seconds, and to at least one second, as `Retry-After` requires. */
export function toRetryAfterSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
