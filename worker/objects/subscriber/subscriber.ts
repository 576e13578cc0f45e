import {contextOf} from '../../context.ts';
import {hmac} from '../../lib/crypto.ts';
import {DAY_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import type {Retry} from '../../lib/retry.ts';
import {failureOf, isBroken, isUnsent, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {Consent} from '../archive/consent-store.ts';
import {EventQueue, PENDING_EVENTS} from '../events/event-queue.ts';
import {type DueTime, earliest} from '../schedule.ts';
import {StoredObject} from '../stored-object.ts';
import {AttemptWork} from './attempt-work.ts';
import {Attempts, describeStart, idOf, type RequestIds, type SubscriptionName} from './attempts.ts';
import {PinLimits} from './pin-limits.ts';
import {
  type NewPin,
  type NumberRules,
  type PinAttemptLimits,
  type PinAttemptRefusal,
  type PinRequestResult,
  SentPins,
  SUBSCRIBER,
} from './sent-pins.ts';
import {findStartedSubscriptions, type Lookup, readNumber, type SubscriptionSearch} from './subscription-lookup.ts';

type SubscriptionRequest = OperationInput<'subscriptionRequest'>;
type PinSubscriptionRequest = Extract<SubscriptionRequest, {pin: string}>;

export type SubscribeResult =
  | {
      readonly subscribed: true;
      /** The subscription in mobile billing; null or absent while it is unknown. */
      readonly found?: SubscriptionName | null;
    }
  | PinAttemptRefusal
  | {
      readonly failure: PlatformFailure;
      /** After a wrong PIN: how many more PINs may be tried. Absent if there is no limit. */
      readonly attemptsLeft?: number;
    };

/** The platform's statuses for a PIN or token that is wrong or was used already. */
const MAY_BE_USED = new Set(['003', '027', '028']);
const ALREADY_SUBSCRIBED = '020';
const WRONG_PIN = '028';
/** Statuses that reveal something about the number. */
const NUMBER_STATUSES = new Set(['002', '004', '006', '007', '018', '019', ALREADY_SUBSCRIBED]);

/** How a request with a PIN that the merchant's server requested, or with a number token, is sent. */
export interface UnlimitedOptions {
  /** The price of one period; null when it is unknown. */
  readonly price: Kurus | null;
  /** Null if the merchant's server sends the request. */
  readonly consent: Consent | null;
  /** How long to wait for the id of the subscription. By default, the answer does not wait. */
  readonly waitForIdMs?: number;
}

/** The data is deleted a day after its last use. Times are rounded up to these steps, because each alarm costs a row. */
const DELETION_STEP_MS = 10 * MINUTE_MS;
/** When work is repeated that our own code could not do. */
const RETRY: Retry = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS};

/** One request to the platform. */
interface Attempt {
  readonly ids: RequestIds;
  readonly request: SubscriptionRequest;
  readonly consent: Consent | null;
  /**
   * The data with which the subscription can be looked up after a lost answer; null when there is no such data. Only
   * requests with this data can be guesses.
   */
  readonly lookupData: Lookup | null;
  /** The data with which the id of a subscription that has begun is looked up; null without such data. */
  readonly identity: Lookup | null;
}

/**
 * One number or one number token, with the PINs that were sent to it, the attempts to use them, and the outcomes of
 * these attempts. Concurrent equal requests share one call to the platform, and a request that is repeated after a
 * success gets the same success. The object deletes its data after a day without use.
 */
export class Subscriber extends StoredObject {
  static override readonly schemas = [SUBSCRIBER, PENDING_EVENTS];

  readonly #events = new EventQueue(this.storage, () => contextOf(this.env).objects);
  readonly #pins = new SentPins(this.storage);
  readonly #limits = new PinLimits(() => contextOf(this.env));
  readonly #attempts = new Attempts(this.storage);
  readonly #work = new AttemptWork(this.#attempts, this.#events, String(this.ctx.id), () => contextOf(this.env));
  readonly #running = new Map<string, Promise<SubscribeResult>>();

  protected override readonly tasks = {
    attempts: {retry: RETRY, dueAt: () => this.#attempts.dueAt(), run: () => this.#advanceDue()},
    events: {
      ...this.#events.task,
      dueAt: () => this.#handOverAt(),
      run: () => {
        this.#attempts.setReported();
        return this.#events.task.run();
      },
    },
    deletion: {retry: RETRY, dueAt: () => this.#deletesAt(), run: () => this.#deleteUnused()},
  };

  /**
   * Stores a new PIN if the rules allow a new PIN now. Only the newest PIN is valid.
   * @param newPin - Has the tickets from `PinLimits.admit`. From here on, this object cancels or confirms these
   * tickets.
   */
  async requestPin(rules: NumberRules, newPin: NewPin): Promise<PinRequestResult> {
    const result = this.#pins.request(rules, newPin, Date.now());
    if (!result.allowed) await this.#limits.cancel(newPin.tickets);
    return result;
  }

  /** Records that the SMS was sent, or may have been sent. */
  recordPinSent(pin: number): void {
    this.#pins.markSent(pin, Date.now());
  }

  /** Removes a PIN that was not sent, so that the previous PIN is valid again. */
  async cancelPin(pin: number): Promise<void> {
    await this.#limits.cancel(this.#pins.cancel(pin, Date.now()));
  }

  /**
   * Subscribes the number with the PIN that was sent to it.
   * @param network - The shopper's network, an HMAC. A network that did not request the PIN learns only that the PIN is
   * wrong, whether the number has one or not.
   */
  async subscribe(
    request: PinSubscriptionRequest,
    consent: Consent,
    limits: PinAttemptLimits,
    network: string,
  ): Promise<SubscribeResult> {
    const isRequester = this.#pins.isRequester(network, Date.now());
    const send = (ids: RequestIds) => this.#tryPin(ids, request, consent, limits, network);
    const result = await this.#deduplicate(request, send, {perPin: limits.perPin, network});
    return isRequester ? result : hideFromOthers(result);
  }

  /** Subscribes without PIN limits: with a number token, or with a PIN that the merchant's own server requested. */
  subscribeUnlimited(
    request: SubscriptionRequest,
    {price, consent, waitForIdMs = 0}: UnlimitedOptions,
  ): Promise<SubscribeResult> {
    const send = async (ids: RequestIds) => {
      const context = contextOf(this.env);
      const number = await readNumber(request, context);
      const identity = context.config.micropayment && number && {...number, price};
      const withNumber = context.config.oneClick === 'with_number' ? {...request, ...number} : request;
      return this.#request({ids, request: withNumber, consent, lookupData: null, identity});
    };
    return this.#deduplicate(request, send, {waitForIdMs});
  }

  /** Whether the object was used in the last day. */
  isKnown(): boolean {
    return [...this.storage.kv.list({limit: 1})].length > 0;
  }

  /**
   * Runs `subscribe` unless an equal request is running or has succeeded.
   * @param perPin - After this many wrong attempts, an earlier success is no longer revealed.
   * @param waitForIdMs - How long to wait for the id of a subscription that has just begun.
   */
  async #deduplicate(
    {product, ...credentials}: SubscriptionRequest,
    subscribe: (ids: RequestIds) => Promise<SubscribeResult>,
    {perPin = null, network = '', waitForIdMs = 0}: {perPin?: number | null; network?: string; waitForIdMs?: number},
  ): Promise<SubscribeResult> {
    const [current, ...others] = contextOf(this.env).config.sessionSecrets;
    const fields = 'pin' in credentials ? [credentials.operator, credentials.pin] : credentials.token;
    const idFrom = (secret: string) => hmac(secret, JSON.stringify([product, fields]));
    const ids: RequestIds = [await idFrom(current), ...(await Promise.all(others.map(idFrom)))];
    const before = this.#attempts.find(ids);
    if (before?.outcome === 'subscribed') {
      if (this.#pins.isBlocked(network, perPin, Date.now())) return {refused: 'pin_blocked'};
      return {subscribed: true, found: before.found};
    }
    const [id] = ids;
    let running = this.#running.get(id);
    if (!running) this.#running.set(id, (running = subscribe(ids).finally(() => this.#running.delete(id))));
    const result = await running;
    if (!('subscribed' in result) || waitForIdMs === 0) return result;
    const attempt = this.#attempts.find(ids);
    if (attempt) await this.#work.wait(idOf(attempt), waitForIdMs);
    return {...result, found: this.#attempts.find(ids)?.found ?? null};
  }

  async #tryPin(
    ids: RequestIds,
    request: PinSubscriptionRequest,
    consent: Consent,
    limits: PinAttemptLimits,
    network: string,
  ): Promise<SubscribeResult> {
    // The attempt is counted before the request, because attempts that are interrupted or sent in parallel must count,
    // too.
    const attempt = this.#pins.attempt(request.product, network, limits, Date.now());
    if (!('pin' in attempt)) return attempt;
    const {msisdn, operator} = request;
    const lookup = {msisdn, operator, price: consent.price};
    const result = await this.#request({ids, request, consent, lookupData: lookup, identity: lookup});
    const outcome = attemptResult(result);
    if (outcome === null) return this.#withAttemptsLeft(result, limits);
    this.#pins.settle(attempt, outcome, Date.now());
    // The shopper's answer does not wait for the counters.
    if (outcome === 'used') this.ctx.waitUntil(this.#limits.confirm(attempt.tickets));
    return result;
  }

  /**
   * Adds to the answer for a wrong PIN how many more PINs may be tried. This reveals nothing about the phone number.
   */
  #withAttemptsLeft(result: SubscribeResult, limits: PinAttemptLimits): SubscribeResult {
    const isWrong = 'failure' in result && result.failure.outcome === 'refused' && result.failure.status === WRONG_PIN;
    const attemptsLeft = isWrong ? this.#pins.attemptsLeft(limits, Date.now()) : null;
    return attemptsLeft === null ? result : {...result, attemptsLeft};
  }

  /**
   * Sends one request. If the answer to an earlier attempt was lost, the platform's refusals mean:
   * - "Wrong PIN": a PIN or token can be used for one subscription, so the earlier attempt may have used it. The
   *   subscription is looked up. If it is not found, the outcome stays unknown.
   * - "Already subscribed": the number's subscription may be older than the request. The subscription is looked up too.
   *   If the subscription is not found, the platform's answer is returned. Without `lookupData`, this refusal counts as
   *   a success.
   */
  async #request({ids, request, consent, lookupData, identity}: Attempt): Promise<SubscribeResult> {
    const before = this.#attempts.find(ids);
    // Keep the id of the first attempt even if the secret was rotated since then, so that one start has one event.
    const {product, tracking_id: trackingId} = request;
    const name = {request: before?.request ?? ids[0], product, since: before?.since ?? Date.now()};
    const id = idOf(name);
    const sought = lookupData && {...lookupData, since: name.since, until: Date.now()};
    // The attempt and the consent are stored before the request. If the request is interrupted, its outcome is unknown,
    // the answer to a retry must not be that the PIN was wrong, and the subscription may have started.
    this.#attempts.begin(name, trackingId, consent, lookupData);
    let search: SubscriptionSearch | undefined;
    try {
      await contextOf(this.env).platform.call('subscriptionRequest', request);
    } catch (error) {
      // Guesses are handled first, because even after a lost answer, a guesser must not learn which numbers have the
      // subscription.
      const isGuess = lookupData !== null && !this.#pins.wasSent(Date.now());
      const failure = isGuess ? hideNumberStatus(failureOf(error)) : failureOf(error);
      const isLostAnswer = before !== undefined && failure.outcome === 'refused';
      const isKnown = failure.outcome === 'unsent' || !isBroken(failure);
      // A retry that started nothing leaves the consent of the attempt before it.
      if (before && isKnown && this.#attempts.get(id)?.outcome === 'unknown')
        this.#attempts.change(id, {receipt: before.receipt});
      const mayBeUsed = isLostAnswer && MAY_BE_USED.has(failure.status);
      const hasIt = isLostAnswer && failure.status === ALREADY_SUBSCRIBED;
      if (sought && (mayBeUsed || hasIt)) search = await findStartedSubscriptions(sought, contextOf(this.env));
      const isDone = sought ? (search?.matching.length ?? 0) > 0 : hasIt;
      if (!isDone) {
        if (!isKnown) {
          this.#attempts.beginLookups(id);
          if (sought) this.ctx.waitUntil(this.#work.announceLookups());
          this.ctx.waitUntil(this.#work.handOverReceipt(id));
        } else if (before === undefined) this.#attempts.delete(name);
        return {failure: mayBeUsed ? {outcome: 'unknown', fault: 'unreadable'} : failure};
      }
      // The other request's start is reported.
      if (this.#attempts.isStartedByAnother(name)) {
        this.#attempts.change(id, {lookup: null});
        return {subscribed: true};
      }
    }
    this.#work.recordStarted(name, describeStart(request, identity), identity);
    const reporting = this.#report(() => this.#work.advance(id, Infinity, search));
    // The shopper's answer does not wait for a lookup.
    if (this.#attempts.isIdSought(id)) this.ctx.waitUntil(reporting);
    else await reporting;
    return {subscribed: true};
  }

  /** When the alarm hands over the events. After a restart, they wait for a lookup that the alarm makes. */
  #handOverAt(): DueTime {
    const due = this.#events.task.dueAt();
    return due === 0 ? (this.#attempts.reportAt() ?? 0) : due;
  }

  /** Hands over the events after this work, in which they may get the id of their subscription. */
  async #report(work: () => Promise<void>): Promise<void> {
    await this.#events.holdDuring(work);
    await this.runNow('events');
  }

  #advanceDue(): Promise<void> {
    const now = Date.now();
    return this.#report(async () => {
      for (const id of this.#attempts.due(now)) await this.#work.advance(id, now);
    });
  }

  /** When the data is deleted; null while there is no data, or work is left. */
  #deletesAt(): DueTime {
    const isWaiting = earliest(this.#attempts.dueAt(), this.#events.task.dueAt()) !== null;
    if (isWaiting || !this.storage.versions.has(SUBSCRIBER)) return null;
    const usedAt = Math.max(this.#pins.lastChangeAt(), this.#attempts.lastChangeAt());
    return Math.ceil((usedAt + DAY_MS) / DELETION_STEP_MS) * DELETION_STEP_MS;
  }

  async #deleteUnused(): Promise<void> {
    if (Date.now() >= (this.#deletesAt() ?? Infinity)) await this.erase();
  }
}

/**
 * Replaces statuses that reveal something about the number by "wrong PIN". This is for guesses: PINs that were entered
 * although no PIN was sent.
 */
function hideNumberStatus(failure: PlatformFailure): PlatformFailure {
  return failure.outcome === 'refused' && NUMBER_STATUSES.has(failure.status)
    ? {outcome: 'refused', status: WRONG_PIN, message: ''}
    : failure;
}

/**
 * What a network that did not request the PIN learns: all refusals are alike, so that they do not show whether the
 * number has a PIN.
 */
function hideFromOthers(result: SubscribeResult): SubscribeResult {
  const isRefused = 'refused' in result || 'limited' in result;
  const status = 'failure' in result && result.failure.outcome === 'refused' ? result.failure.status : null;
  const isHidden = isRefused || status === WRONG_PIN || (status !== null && NUMBER_STATUSES.has(status));
  return isHidden ? {refused: 'pin_wrong'} : result;
}

/** How an attempt to use a PIN ended; null when the PIN was wrong or the outcome is unknown. */
function attemptResult(result: SubscribeResult): 'used' | 'untried' | null {
  if ('subscribed' in result) return 'used';
  return 'failure' in result && isUnsent(result.failure) ? 'untried' : null;
}
