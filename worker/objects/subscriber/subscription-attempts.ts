/** Stores what became of requests for a subscription, and those that nobody answered yet. */

import type {Context} from '../../context.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {type Kurus, parseAmount} from '../../lib/money.ts';
import {failureOf} from '../../platform/failure.ts';
import type {SimpleSubscriptionRecord} from '../../platform/operations/micropayment.ts';
import {subscriptionState} from '../../platform/statuses.ts';
import {PIN_LIFETIME_MS} from './sent-pins.ts';

/** As long as what is asked with may count. */
const OUTCOME_RETENTION_MS = PIN_LIFETIME_MS;

/** A request by the secret that names it now, and by the ones that did before. */
export type RequestIds = readonly [string, ...string[]];

export interface AttemptOutcome {
  readonly request: string;
  readonly at: number;
  /** When it was first asked for. */
  readonly since: number;
  readonly outcome: 'subscribed' | 'unknown';
}

/**
 * How requests for a subscription ended in the last ten minutes, each under an HMAC: it can be recognised, not read.
 */
export class AttemptOutcomes {
  constructor(private readonly kv: SyncKvStorage) {}

  find(ids: RequestIds): AttemptOutcome | undefined {
    return this.#all().find(({request, at}) => ids.includes(request) && at > Date.now() - OUTCOME_RETENTION_MS);
  }

  save(request: string, outcome: AttemptOutcome['outcome'], since: number): void {
    this.kv.put<AttemptOutcome[]>('ended', [{request, at: Date.now(), since, outcome}, ...this.#others(request)]);
  }

  /** It came to nothing. */
  delete(request: string): void {
    this.kv.put<AttemptOutcome[]>('ended', this.#others(request));
  }

  #others(request: string): AttemptOutcome[] {
    return this.#all().filter((one) => one.request !== request && one.at > Date.now() - OUTCOME_RETENTION_MS);
  }

  #all(): AttemptOutcome[] {
    return this.kv.get<AttemptOutcome[]>('ended') ?? [];
  }
}

/** Longer than any request takes: the object may be cut off while one is on its way. */
const WATCHDOG_MS = MINUTE_MS;
/** Before each look. They are few: mobile billing may be searched a thousand times a day. */
const CHECK_DELAYS_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS, 10 * MINUTE_MS];

/** What the merchant is told of it. */
export interface SubscriptionStart {
  readonly product: number;
  readonly trackingId: string;
  readonly sought: SoughtSubscription;
}

export interface UnconfirmedAttempt extends SubscriptionStart {
  /** The request's id in `AttemptOutcomes`. */
  readonly request: string;
  readonly looks: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/**
 * Subscriptions that were requested and not answered: what is needed to look them up, for a quarter of an hour at most.
 * It is the only place that stores a phone number, because mobile billing is searched by it.
 */
export class UnconfirmedAttempts {
  constructor(private readonly kv: SyncKvStorage) {}

  /** It is about to be sent. One that was sent before is looked for as it was. */
  add(request: string, start: SubscriptionStart): void {
    if (!this.has(request)) this.#put([...this.#all(), {request, ...start, looks: 0, dueAt: Date.now() + WATCHDOG_MS}]);
  }

  /** Nobody answered for it, or a look did not find it. After the last look it is forgotten. */
  scheduleCheck(request: string, checkCount: number): void {
    const delayMs = CHECK_DELAYS_MS[checkCount];
    if (delayMs === undefined) return this.delete(request);
    const later = (one: UnconfirmedAttempt): UnconfirmedAttempt => ({
      ...one,
      looks: checkCount,
      dueAt: Date.now() + delayMs,
    });
    this.#put(this.#all().map((one) => (one.request === request ? later(one) : one)));
  }

  /** It came to nothing. */
  delete(request: string): void {
    this.#put(this.#all().filter((one) => one.request !== request));
  }

  /** A subscription to a product began: another of the same number was none, or it would have been refused. */
  deleteAll(product: number): void {
    this.#put(this.#all().filter((one) => one.product !== product));
  }

  has(request: string): boolean {
    return this.#all().some((one) => one.request === request);
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

/** Clocks differ. */
const CLOCK_TOLERANCE_MS = 2 * MINUTE_MS;
/** A number has few subscriptions, and the newest come first. */
const NEWEST_COUNT = 10;
const STARTED_STATES = new Set(['active', 'retry', 'suspend']);

export interface SoughtSubscription {
  readonly msisdn: string;
  readonly operator: number;
  /** Of one period. */
  readonly price: Kurus;
  /** Epoch milliseconds. */
  readonly since: number;
}

/**
 * Whether it is there. That it is not says nothing: an offer does not name its service, and not every service is known
 * here.
 */
export async function hasSubscriptionStarted(
  sought: SoughtSubscription,
  {platform, config}: Context,
): Promise<boolean> {
  const serviceIds = new Set([...config.services.values()].flatMap(({micropaymentId}) => micropaymentId ?? []));
  for (const serviceId of serviceIds) {
    const search = {
      serviceId,
      search: [{column: 'msisdn', term: sought.msisdn}],
      sort: [{column: 'id', asc: false}],
      limit: NEWEST_COUNT,
    };
    const found = await platform.call('subscriptionSearch', search).catch(failureOf);
    if ('subscriptions' in found && found.subscriptions.rows.some((record) => matches(record, sought))) return true;
  }
  return false;
}

function matches(
  {status, operator, subscriptionFee, subscriptionDate}: SimpleSubscriptionRecord,
  {operator: own, price, since}: SoughtSubscription,
): boolean {
  return (
    STARTED_STATES.has(subscriptionState(status)) &&
    operator === String(own) &&
    parseAmount(subscriptionFee ?? '') === price &&
    Date.parse(subscriptionDate ?? '') >= since - CLOCK_TOLERANCE_MS
  );
}
