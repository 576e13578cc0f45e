/**
 * The requests of one number, or of one number token, to start a subscription. Each is stored before it is sent, and
 * until nothing more can be learnt of it. All are in one key, so that each change of an attempt is one write.
 */

import type {EventData} from '../../contract/merchant/events.ts';
import {maskMsisdn} from '../../contract/readers/mobile-number.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {type Failures, nextFailures, type Retry, retryDelayMs} from '../../lib/retry.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {BilledSubscription, Consent} from '../archive/consent-store.ts';
import type {ObjectStorage} from '../object-storage.ts';
import {type DueTime, earliest, watchdogAt} from '../schedule.ts';
import {PIN_LIFETIME_MS, SUBSCRIBER} from './sent-pins.ts';
import {LOOKUP_TOLERANCE_MS, type Lookup, MAY_START_MS, type SoughtSubscription} from './subscription-lookup.ts';

/** An equal request gets the outcome of an attempt for as long as the attempt's PIN may be valid. */
const OUTCOME_RETENTION_MS = PIN_LIFETIME_MS;
/** When the alarm assumes that the object died during a request. This is longer than any request takes. */
const REQUEST_MS = MINUTE_MS;
/**
 * When a subscription is looked up again. Mobile billing allows only a thousand searches a day. So there are few lookups
 * that it answers; those that it does not answer are repeated for a day.
 */
const LOOKUP: Retry = {
  delaysMs: [
    5 * SECOND_MS,
    30 * SECOND_MS,
    2 * MINUTE_MS,
    10 * MINUTE_MS,
    15 * MINUTE_MS,
    30 * MINUTE_MS,
    HOUR_MS,
    2 * HOUR_MS,
    4 * HOUR_MS,
  ],
};
const MAX_ANSWERED_LOOKUPS = 4;
/**
 * Lookups that are due together, such as after an outage, compete for the searches of a second. Equal delays would let
 * the same lookups lose each time.
 */
const LATE_LOOKUP: Retry = {...LOOKUP, jitter: 0.5};
/** How long an event waits for a lookup that the alarm makes after a restart. */
const MAX_EVENT_DELAY_MS = 10 * SECOND_MS;
/** When `Archive` gets a receipt again that it could not store. */
const RECEIPT: Retry = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS};

/** A request's ids: the HMAC with the current secret, then the HMACs with the previous secrets. */
export type RequestIds = readonly [string, ...string[]];

/** What a `management` session needs in order to name a subscription of mobile billing. */
export interface SubscriptionName {
  /** Code of the service. */
  readonly service: string;
  readonly id: string;
}

export interface AttemptName {
  /** HMAC of the request, by which the Worker recognizes a repeated request. It does not reveal the request. */
  readonly request: string;
  readonly product: number;
  /** When the request was sent for the first time, epoch milliseconds. */
  readonly since: number;
}

export interface Attempt extends AttemptName {
  /** When it last changed, epoch milliseconds. */
  readonly at: number;
  readonly outcome: 'subscribed' | 'unknown';
  /** The subscription that began; null until it is found in mobile billing. */
  readonly found: SubscriptionName | null;
  /** Null if the receipt cannot change any more, or if the merchant's server sent the request. */
  readonly receipt: Receipt | null;
  /** Null when the subscription is not looked up, or not any more. */
  readonly lookup: PlannedLookup | null;
  /** The start, until the subscription's id is known and is added to the receipt. Null also if it is not looked up. */
  readonly start: Start | null;
}

/** The receipt of the shopper's consent, until `Archive` has stored it with its final outcome. */
interface Receipt extends Failures {
  readonly consent: Consent;
  /** Whether `Archive` has stored the receipt with the present outcome. Then `retryAt` says when it is deleted. */
  readonly isStored: boolean;
}

/** A lookup in mobile billing. It needs the phone number. */
interface PlannedLookup {
  readonly sought: SoughtSubscription;
  /** For the event, if the lookup finds that the subscription has started. */
  readonly trackingId: string | null;
  /** How many lookups were planned after the first. */
  readonly tries: number;
  /** Epoch milliseconds. */
  readonly dueAt: number;
}

/** The data of the merchant's event about a started subscription. */
export type StartedSubscription = Pick<EventData<'subscription.started'>, 'tracking_id' | 'operator' | 'msisdn'> & {
  readonly product: number;
};

/** A subscription that has begun. */
export interface Start {
  /** The key of the event `subscription.started`. */
  readonly key: string;
  /** When the subscription started, epoch milliseconds. */
  readonly at: number;
  readonly data: StartedSubscription;
  /** Whether the event may have left this object. Then the event can no longer be changed. */
  readonly isReported: boolean;
  /** The subscription, once it is found. Then only the receipt lacks its id. */
  readonly billed: BilledSubscription | null;
}

/** Names an attempt. A later attempt may have the same request, because PINs repeat. */
export const idOf = ({request, since}: AttemptName): string => `${request} ${since}`;

/** When something of an attempt is due. */
const dueAtOf = ({receipt, lookup}: Attempt): DueTime => earliest(receipt?.retryAt ?? null, lookup?.dueAt ?? null);

export class Attempts {
  constructor(private readonly storage: ObjectStorage) {}

  /** The attempt of an equal request whose outcome is still valid. */
  find(ids: RequestIds): Attempt | undefined {
    return this.#all().find(({request, at}) => ids.includes(request) && at > Date.now() - OUTCOME_RETENTION_MS);
  }

  get(id: string): Attempt | undefined {
    return this.#all().find((attempt) => idOf(attempt) === id);
  }

  /** The ids of the attempts of which something is due. */
  due(now: number): string[] {
    return this.#all().flatMap((attempt) => ((dueAtOf(attempt) ?? Infinity) <= now ? idOf(attempt) : []));
  }

  dueAt(): DueTime {
    return earliest(...this.#all().map(dueAtOf));
  }

  /** Until when an event waits for the first lookup of its subscription's id; null if there is no such event. */
  reportAt(): DueTime {
    const waiting = this.#all().filter(({start}) => start?.isReported === false);
    return earliest(...waiting.map(({lookup}) => lookup && lookup.dueAt + MAX_EVENT_DELAY_MS));
  }

  /** When an attempt last changed, epoch milliseconds; 0 if there is none. */
  lastChangeAt(): number {
    return Math.max(0, ...this.#all().map(({at}) => at));
  }

  /**
   * Stores a request that is about to be sent. Until its answer arrives, its outcome is unknown.
   * @param consent - What the shopper agreed to, which replaces the consent of an earlier attempt; null if the
   * merchant's server sends the request.
   * @param identity - The data with which the subscription can be looked up after a lost answer; null without such data.
   */
  begin(name: AttemptName, trackingId: string | null, consent: Consent | null, identity: Lookup | null): void {
    const [now, before] = [Date.now(), this.get(idOf(name))];
    const dueAt = now + REQUEST_MS;
    const receipt = consent && {consent, isStored: false, failures: 0, retryAt: dueAt};
    const sought = identity && {...identity, since: name.since, until: now};
    const lookup = sought && {tries: 0, dueAt, trackingId, ...before?.lookup, sought};
    this.#put({
      ...name,
      at: now,
      outcome: 'unknown',
      found: null,
      start: null,
      receipt: receipt ?? before?.receipt ?? null,
      lookup: lookup ?? before?.lookup ?? null,
    });
  }

  /** Records that the subscription has started. @param start - Null if its id is not looked up. */
  setStarted(name: AttemptName, start: (Pick<Start, 'key' | 'at' | 'data'> & {identity: Lookup}) | null): void {
    const now = Date.now();
    const dueAt = watchdogAt(now);
    const receipt = this.get(idOf(name))?.receipt ?? null;
    // Other attempts for the product cannot succeed, because the platform refuses a second subscription.
    const others = this.#others(name).map((other) =>
      other.product === name.product && other.outcome === 'unknown' ? Object.assign(other, {lookup: null}) : other,
    );
    const {identity, ...started} = start ?? {};
    const attempt: Attempt = {
      ...name,
      at: now,
      outcome: 'subscribed',
      found: null,
      receipt: receipt && {consent: receipt.consent, isStored: false, failures: 0, retryAt: dueAt},
      lookup: identity
        ? {sought: {...identity, since: name.since, until: now}, trackingId: null, tries: 0, dueAt}
        : null,
      start: start && {...(started as Omit<typeof start, 'identity'>), isReported: false, billed: null},
    };
    this.#save([attempt, ...others]);
  }

  change(id: string, changes: Partial<Attempt>): void {
    const attempt = this.get(id);
    if (attempt) this.#put({...attempt, ...changes});
  }

  /** Plans the first lookup after an attempt that got no answer. */
  beginLookups(id: string): void {
    const lookup = this.get(id)?.lookup;
    if (lookup) this.change(id, {lookup: {...lookup, tries: 1, dueAt: Date.now() + retryDelayMs(LOOKUP, 1)}});
  }

  /**
   * Plans the next lookup, or ends the lookups.
   * @param isAnswered - Whether mobile billing answered this lookup.
   */
  lookUpLater(id: string, isAnswered: boolean): void {
    const lookup = this.get(id)?.lookup;
    if (!lookup) return;
    const now = Date.now();
    const isEnd = lookup.tries >= MAX_ANSWERED_LOOKUPS && (isAnswered || now - lookup.sought.since > DAY_MS);
    if (isEnd) return this.change(id, {lookup: null, start: null});
    const tries = lookup.tries + 1;
    const retry = tries > MAX_ANSWERED_LOOKUPS ? LATE_LOOKUP : LOOKUP;
    this.change(id, {lookup: {...lookup, tries, dueAt: now + retryDelayMs(retry, tries)}});
  }

  /** Whether the id of the subscription is still looked up. */
  isIdSought(id: string): boolean {
    const start = this.get(id)?.start;
    return start !== undefined && start !== null && start.billed === null;
  }

  /**
   * Whether another request has started a subscription to the product so shortly before that a lookup cannot tell which
   * of the two requests started it. A number has only one subscription to a product.
   */
  isStartedByAnother(name: AttemptName): boolean {
    return this.#all().some(
      (other) =>
        idOf(other) !== idOf(name) &&
        other.product === name.product &&
        other.outcome === 'subscribed' &&
        other.at >= name.since - LOOKUP_TOLERANCE_MS,
    );
  }

  /** The ids of the subscriptions that were found for this number. */
  foundIds(): ReadonlySet<string> {
    return new Set(this.#all().flatMap(({found}) => found?.id ?? []));
  }

  /**
   * Records that `Archive` has stored the receipt, unless the attempt has changed since then. A receipt with an unknown
   * outcome is kept for as long as the outcome may still be learnt.
   */
  setReceiptStored({outcome, receipt, ...name}: Attempt): void {
    const id = idOf(name);
    const now = this.get(id);
    if (now?.outcome !== outcome || now.receipt?.consent.at !== receipt?.consent.at) return;
    if (outcome === 'unknown') this.keepReceipt(now);
    else this.change(id, {receipt: null});
  }

  /** Keeps a receipt that is stored, because the outcome may still be learnt. */
  keepReceipt({receipt, ...name}: Attempt): void {
    if (!receipt) return;
    const kept = {...receipt, isStored: true, failures: 0, retryAt: Date.now() + MAY_START_MS};
    this.change(idOf(name), {receipt: kept});
  }

  /** Records that `Archive` could not be reached. */
  setReceiptFailed(id: string): void {
    const receipt = this.get(id)?.receipt;
    if (receipt) this.change(id, {receipt: {...receipt, ...nextFailures(RECEIPT, receipt, Date.now())}});
  }

  /** Records that all events are about to leave the object. */
  setReported(): void {
    const all = this.#all();
    if (!all.some(({start}) => start?.isReported === false)) return;
    this.#save(
      all.map((one) => Object.assign(one, {start: one.start && Object.assign(one.start, {isReported: true})})),
    );
  }

  delete(name: AttemptName): void {
    this.#save(this.#others(name));
  }

  #put(attempt: Attempt): void {
    this.#save([attempt, ...this.#others(attempt)]);
  }

  /** The other attempts, without those that are no longer needed. */
  #others(name: AttemptName): Attempt[] {
    const isNeeded = ({at, receipt, lookup}: Attempt) =>
      receipt !== null || lookup !== null || at > Date.now() - OUTCOME_RETENTION_MS;
    return this.#all().filter((attempt) => idOf(attempt) !== idOf(name) && isNeeded(attempt));
  }

  #save(attempts: readonly Attempt[]): void {
    this.storage.versions.create(SUBSCRIBER);
    this.storage.kv.put('attempts', attempts);
  }

  #all(): readonly Attempt[] {
    return this.storage.kv.get<readonly Attempt[]>('attempts') ?? [];
  }
}

/**
 * What the merchant's event says about a subscription that this request started.
 * @param number - The number behind a number token; null when it is unknown.
 */
export function describeStart(
  {product, tracking_id, ...credentials}: OperationInput<'subscriptionRequest'>,
  number: {readonly msisdn: string; readonly operator: number} | null,
): StartedSubscription {
  const {operator = number?.operator ?? null, msisdn = number?.msisdn} = credentials;
  return {product, tracking_id, operator, msisdn: msisdn === undefined ? null : maskMsisdn(msisdn)};
}
