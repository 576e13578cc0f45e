/**
 * Stores the subscriptions that have begun, until their id in mobile billing is known and is added to the receipt of
 * the shopper's consent. A subscription is stored for at most a quarter of an hour, because its entry contains the
 * phone number with which mobile billing is searched.
 */

import {MINUTE_MS} from '../../lib/durations.ts';
import type {BilledSubscription} from '../consents/consent-store.ts';
import {CHECK_DELAYS_MS, type StartedSubscription} from './subscription-attempts.ts';
import type {SoughtSubscription} from './subscription-lookup.ts';

export interface UnidentifiedStart {
  /** The request's id in `AttemptOutcomes`. */
  readonly request: string;
  /** The key of the event `subscription.started`. */
  readonly eventKey: string;
  /** When the subscription started, epoch milliseconds. */
  readonly at: number;
  readonly started: StartedSubscription;
  readonly sought: SoughtSubscription;
  /** The subscription; absent until mobile billing shows its id. If it is present, only the receipt lacks the id. */
  readonly found?: BilledSubscription;
  /** Whether the event may have left this object. Then the event can no longer be changed. */
  readonly reported: boolean;
  /** How many lookups were made after the first lookup. */
  readonly checks: number;
  /** When the next lookup is due, epoch milliseconds. */
  readonly dueAt: number;
}

/** Delay until the next lookup if the object dies during the first lookup. The delay is longer than a lookup takes. */
const WATCHDOG_MS = MINUTE_MS;

export class UnidentifiedStarts {
  constructor(private readonly kv: SyncKvStorage) {}

  /** Stores a start whose first lookup is about to be made. */
  add(start: Omit<UnidentifiedStart, 'reported' | 'checks' | 'dueAt'>): void {
    this.#put([...this.#all(), {...start, reported: false, checks: 0, dueAt: start.at + WATCHDOG_MS}]);
  }

  find(request: string): UnidentifiedStart | undefined {
    return this.#all().find((start) => start.request === request);
  }

  setFound(request: string, found: BilledSubscription): void {
    const identified = (one: UnidentifiedStart) => ({...one, found});
    this.#put(this.#all().map((one) => (one.request === request ? identified(one) : one)));
  }

  delete(request: string): void {
    this.#put(this.#all().filter((start) => start.request !== request));
  }

  /** Plans the next lookup. After the last lookup, the start is deleted. */
  scheduleCheck(request: string, now: number): void {
    const start = this.find(request);
    const delayMs = start && CHECK_DELAYS_MS[start.checks];
    if (delayMs === undefined) return this.delete(request);
    const later = (one: UnidentifiedStart) => ({...one, checks: one.checks + 1, dueAt: now + delayMs});
    this.#put(this.#all().map((one) => (one.request === request ? later(one) : one)));
  }

  /** Records that all events are about to leave the object. */
  setReported(): void {
    this.#put(this.#all().map(toReported));
  }

  due(now: number): UnidentifiedStart[] {
    return this.#all().filter(({dueAt}) => dueAt <= now);
  }

  nextDueAt(): number | null {
    const all = this.#all();
    return all.length > 0 ? Math.min(...all.map(({dueAt}) => dueAt)) : null;
  }

  #all(): UnidentifiedStart[] {
    return this.kv.get<UnidentifiedStart[]>('unidentifiedStarts') ?? [];
  }

  #put(starts: readonly UnidentifiedStart[]): void {
    if (starts.length > 0) this.kv.put('unidentifiedStarts', starts);
    else this.kv.delete('unidentifiedStarts');
  }
}

function toReported(start: UnidentifiedStart): UnidentifiedStart {
  return {...start, reported: true};
}
