import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import type {DueTime, StandingTask} from '../schedule.ts';
import {StoredObject} from '../stored-object.ts';
import {
  type CounterRule,
  type CounterState,
  expiresAt,
  livingParts,
  counterStateOf,
  type StoredCounter,
  toRetryAfterSeconds,
  waitMs,
  withChange,
  withOneMore,
} from './counter.ts';

/** A counter of a guard. The key is an HMAC. */
export interface KeyedRule extends CounterRule {
  readonly key: string;
}

/** Where a request was counted: the key of each counter, and the part of its window. */
export interface CountedKey {
  readonly key: string;
  readonly at: number;
}

export type GuardAnswer = {
  /** The counters before this request, in the order of the rules. */
  readonly before: readonly CounterState[];
} & (
  | {readonly counted: readonly CountedKey[]}
  /** `full` is the index of the rule that refuses the request. */
  | {readonly full: number; readonly retryAfterSeconds: number}
);

/** Each counter is one key. */
const GUARD: StoreSchema = {name: 'guard', createdOn: 'first key', steps: [NO_TABLES]};

/**
 * A counter with a window up to this length is only kept in memory. The runtime forgets an object that nobody calls for
 * some ten seconds, and with it what was counted. So a limit for a minute is exact only against a steady flood: a
 * network with no other traffic that pauses for ten seconds after each burst gets up to six times the limit.
 */
const MAX_WINDOW_IN_MEMORY_MS = MINUTE_MS;
/** With more counters than this in memory, those that count nothing any more are deleted. */
const MAX_IN_MEMORY = 1_000;
/** How many keys are read at a time. */
const KEYS_PER_READ = 500;

/**
 * Counts for one network, product, service, order or session; see `counting.ts`. The names of the object and of its
 * counters are HMACs, so that no IP address or phone number is stored.
 *
 * A count is written before the answer is sent. The first write also plans when the counters are deleted that count
 * nothing any more. The time is only in memory, because each counter would otherwise move it or cost a row.
 */
export class Guard extends StoredObject {
  static override readonly schemas = [GUARD];

  readonly #recent = new Map<string, StoredCounter>();
  #recentLimit = MAX_IN_MEMORY;
  /** When counters are deleted next; null if nothing is stored, or if the object was restarted since it was planned. */
  #cleanAt: DueTime = null;

  readonly #clean: StandingTask = {
    retry: {firstMs: MINUTE_MS, maxMs: HOUR_MS},
    afterWaking: true,
    dueAt: () => this.#cleanAt,
    run: () => this.#deleteExpired(),
  };
  protected override readonly tasks = {clean: this.#clean};

  /** Counts a request in each of these counters, or in none of them if one is full. */
  count(rules: readonly KeyedRule[]): GuardAnswer {
    const now = Date.now();
    const counters = rules.map(({key, windowMs}) => this.#read(key, windowMs) ?? {windowMs, parts: []});
    const before = counters.map((counter, index) => counterStateOf(counter, rules[index] as KeyedRule, now));
    const waits = counters.map((counter, index) => waitMs(counter, rules[index] as KeyedRule, now));
    const full = waits.findIndex((ms) => ms > 0);
    if (full >= 0) return {before, full, retryAfterSeconds: toRetryAfterSeconds(waits[full] ?? 0)};
    const isFirst = !this.storage.versions.has(GUARD);
    const counted = counters.map((counter, index): CountedKey => {
      const {key} = rules[index] as KeyedRule;
      const after = withOneMore(counter, rules[index] as KeyedRule, now);
      this.#write(key, after);
      return {key, at: after.parts.at(-1)?.[0] ?? now};
    });
    if (isFirst && this.storage.versions.has(GUARD))
      this.#cleanAt = now + Math.max(...rules.map(({windowMs}) => windowMs));
    return {before, counted};
  }

  /** Releases or confirms what was counted. What counts no longer is not changed. */
  change(counted: readonly CountedKey[], change: 'release' | 'confirm'): void {
    for (const {key, at} of counted) {
      const counter = this.#recent.get(key) ?? this.storage.kv.get<StoredCounter>(key);
      if (counter && livingParts(counter, Date.now()).some(([start]) => start === at))
        this.#write(key, withChange(counter, at, change));
    }
  }

  /** Deletes the counters that count nothing any more: one row if these are all, else one row each. */
  async #deleteExpired(): Promise<void> {
    const now = Date.now();
    let last = -Infinity;
    for (const [, counter] of this.#stored()) last = Math.max(last, expiresAt(counter));
    this.#cleanAt = last > now ? last : null;
    if (this.#cleanAt === null) return this.erase();
    for (const [key, counter] of this.#stored()) if (expiresAt(counter) <= now) this.storage.kv.delete(key);
  }

  *#stored(): Iterable<[string, StoredCounter]> {
    let after = '';
    for (;;) {
      const keys = [...this.storage.kv.list<StoredCounter>({startAfter: after, limit: KEYS_PER_READ})];
      yield* keys;
      const last = keys.at(-1);
      if (!last) return;
      [after] = last;
    }
  }

  #read(key: string, windowMs: number): StoredCounter | undefined {
    return windowMs > MAX_WINDOW_IN_MEMORY_MS ? this.storage.kv.get<StoredCounter>(key) : this.#recent.get(key);
  }

  /** Writes a counter. A counter without parts is deleted. */
  #write(key: string, counter: StoredCounter): void {
    if (counter.parts.length === 0) {
      this.#recent.delete(key);
      if (counter.windowMs > MAX_WINDOW_IN_MEMORY_MS) this.storage.kv.delete(key);
      return;
    }
    if (counter.windowMs > MAX_WINDOW_IN_MEMORY_MS) {
      this.storage.versions.create(GUARD);
      this.storage.kv.put(key, counter);
      return;
    }
    this.#recent.set(key, counter);
    if (this.#recent.size <= this.#recentLimit) return;
    for (const [known, other] of this.#recent) if (expiresAt(other) <= Date.now()) this.#recent.delete(known);
    this.#recentLimit = Math.max(MAX_IN_MEMORY, 2 * this.#recent.size);
  }
}
