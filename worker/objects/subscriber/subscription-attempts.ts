/** Stores the outcomes of requests for a subscription, and the requests that got no answer. */

import type {EventData} from '../../contract/merchant/descriptions/events.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {maskMsisdn} from '../../lib/msisdn.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import {PIN_LIFETIME_MS} from './sent-pins.ts';
import type {SoughtSubscription} from './subscription-lookup.ts';

/** An outcome is kept for as long as the request's PIN may be valid. */
const OUTCOME_RETENTION_MS = PIN_LIFETIME_MS;

/** A request's ids: the HMAC with the current secret, then the HMACs with the previous secrets. */
export type RequestIds = readonly [string, ...string[]];

export interface AttemptOutcome {
  readonly request: string;
  readonly at: number;
  /** When the first attempt was made, epoch milliseconds. */
  readonly since: number;
  readonly outcome: 'subscribed' | 'unknown';
  /** The subscription that began; absent until it is found in mobile billing. */
  readonly found?: SubscriptionName;
}

/** What a `management` session needs in order to name a subscription of mobile billing. */
export interface SubscriptionName {
  /** Code of the service. */
  readonly service: string;
  readonly id: string;
}

/**
 * The outcomes of the last ten minutes. Each outcome is stored with an HMAC of its request. By the HMAC the Worker
 * recognizes a repeated request, but the HMAC does not reveal the request.
 */
export class AttemptOutcomes {
  constructor(private readonly kv: SyncKvStorage) {}

  find(ids: RequestIds): AttemptOutcome | undefined {
    return this.#all().find(({request, at}) => ids.includes(request) && at > Date.now() - OUTCOME_RETENTION_MS);
  }

  save(request: string, outcome: AttemptOutcome['outcome'], since: number): void {
    this.kv.put<AttemptOutcome[]>('ended', [{request, at: Date.now(), since, outcome}, ...this.#others(request)]);
  }

  /** Records which subscription has begun. */
  setFound(request: string, found: SubscriptionName): void {
    const attempt = this.#all().find((one) => one.request === request);
    if (attempt) this.kv.put<AttemptOutcome[]>('ended', [{...attempt, found}, ...this.#others(request)]);
  }

  /** The ids of the subscriptions that were found for this number. */
  foundIds(): ReadonlySet<string> {
    return new Set(this.#all().flatMap(({found}) => found?.id ?? []));
  }

  /** Deletes the outcome of a request that failed. */
  delete(request: string): void {
    this.kv.put<AttemptOutcome[]>('ended', this.#others(request));
  }

  #others(request: string): AttemptOutcome[] {
    return this.#all().filter(
      (attempt) => attempt.request !== request && attempt.at > Date.now() - OUTCOME_RETENTION_MS,
    );
  }

  #all(): AttemptOutcome[] {
    return this.kv.get<AttemptOutcome[]>('ended') ?? [];
  }
}

/** Delay until the first lookup if the object dies during a request. The delay is longer than any request takes. */
const WATCHDOG_MS = MINUTE_MS;
/** Delay before each lookup. There are few lookups, because mobile billing allows only a thousand searches a day. */
export const CHECK_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS];

/** The data that the merchant's event and the lookup need. */
export interface SubscriptionStart {
  readonly product: number;
  readonly trackingId: string;
  readonly sought: SoughtSubscription;
}

export interface UnconfirmedAttempt extends SubscriptionStart {
  /** The request's id in `AttemptOutcomes`. */
  readonly request: string;
  /** How many lookups were made. */
  readonly looks: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/**
 * Stores requests without an answer for at most a quarter of an hour, with the data to look up their subscriptions.
 * This data contains the phone number, because mobile billing is searched by the number.
 */
export class UnconfirmedAttempts {
  constructor(private readonly kv: SyncKvStorage) {}

  /** Stores a request that is about to be sent. If it was sent before, the first entry stays. */
  add(request: string, start: SubscriptionStart): void {
    if (!this.has(request)) this.#put([...this.#all(), {request, ...start, looks: 0, dueAt: Date.now() + WATCHDOG_MS}]);
  }

  /**
   * Plans lookup number `checkCount` of an attempt without an answer. After the last lookup, the attempt is deleted.
   */
  scheduleCheck(request: string, checkCount: number): void {
    const delayMs = CHECK_DELAYS_MS[checkCount];
    if (delayMs === undefined) return this.delete(request);
    const later = (attempt: UnconfirmedAttempt): UnconfirmedAttempt => ({
      ...attempt,
      looks: checkCount,
      dueAt: Date.now() + delayMs,
    });
    this.#put(this.#all().map((attempt) => (attempt.request === request ? later(attempt) : attempt)));
  }

  /** Deletes an attempt that failed. */
  delete(request: string): void {
    this.#put(this.#all().filter((attempt) => attempt.request !== request));
  }

  /**
   * Deletes all attempts for a product to which a subscription has started. The other attempts cannot succeed, because
   * the platform refuses a second subscription.
   */
  deleteAll(product: number): void {
    this.#put(this.#all().filter((attempt) => attempt.product !== product));
  }

  has(request: string): boolean {
    return this.#all().some((attempt) => attempt.request === request);
  }

  due(now: number): UnconfirmedAttempt[] {
    return this.#all().filter(({dueAt}) => dueAt <= now);
  }

  nextDueAt(): number | null {
    const all = this.#all();
    return all.length > 0 ? Math.min(...all.map(({dueAt}) => dueAt)) : null;
  }

  #all(): UnconfirmedAttempt[] {
    return this.kv.get<UnconfirmedAttempt[]>('unknownStarts') ?? [];
  }

  #put(attempts: readonly UnconfirmedAttempt[]): void {
    if (attempts.length > 0) this.kv.put('unknownStarts', attempts);
    else this.kv.delete('unknownStarts');
  }
}

/** The data of the merchant's event about a started subscription. */
export type StartedSubscription = Pick<EventData<'subscription.started'>, 'tracking_id' | 'operator' | 'msisdn'> & {
  readonly product: number;
};

/**
 * What the merchant's event says about a subscription that this request started.
 * @param number - The number behind a number token; null when it is unknown.
 */
export function describeStart(
  {product, tracking_id, ...credentials}: OperationInput<'subscriptionRequest'>,
  number: {readonly msisdn: string; readonly operator: number} | null,
): StartedSubscription {
  const {operator, msisdn} = 'msisdn' in credentials ? credentials : (number ?? {operator: null, msisdn: null});
  return {product, tracking_id, operator, msisdn: msisdn === null ? null : maskMsisdn(msisdn)};
}
