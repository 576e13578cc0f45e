import {contextOf} from '../../context.ts';
import {maskMsisdn} from '../../contract/readers/mobile-number.ts';
import {hmac} from '../../lib/crypto.ts';
import {DAY_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import {failureOf, isBroken, isUnsent, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import {type DueTime, earliest, runSafely, scheduleAlarm} from '../alarm.ts';
import type {Consent} from '../archive/consent-store.ts';
import {PENDING_EVENTS, PendingEvents} from '../events/pending-events.ts';
import {StoredObject} from '../stored-object.ts';
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
import {StartedSubscriptions} from './started-subscriptions.ts';
import {
  type AttemptName,
  AttemptOutcomes,
  ConsentReceipts,
  describeStart,
  type RequestIds,
  type StartedSubscription,
  type SubscriptionName,
  UnconfirmedAttempts,
} from './subscription-attempts.ts';
import {findStartedSubscriptions, type Lookup, readNumber} from './subscription-lookup.ts';

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
  static override readonly schemas = [SUBSCRIBER, ...PENDING_EVENTS];

  protected override readonly restoreAlarm = async () => {
    if (this.ctx.storage.kv.get('usedAt') !== undefined) await this.#schedule();
  };
  readonly #pending = new PendingEvents(this.ctx.storage, this.versions);
  readonly #pins = new SentPins(this.ctx.storage.kv);
  readonly #limits = new PinLimits(() => contextOf(this.env));
  readonly #outcomes = new AttemptOutcomes(this.ctx.storage.kv);
  readonly #unconfirmed = new UnconfirmedAttempts(this.ctx.storage.kv);
  readonly #running = new Map<string, Promise<SubscribeResult>>();
  readonly #receipts = new ConsentReceipts(this.#outcomes, String(this.ctx.id), () => contextOf(this.env).objects);
  readonly #started = new StartedSubscriptions(this.ctx.storage.kv, this.#pending, this.#outcomes, this.#receipts, () =>
    contextOf(this.env),
  );

  /**
   * Stores a new PIN if the rules allow a new PIN now. Only the newest PIN is valid.
   * @param newPin - Has the tickets from `PinLimits.admit`. From here on, this object cancels or confirms these
   * tickets.
   */
  async requestPin(rules: NumberRules, newPin: NewPin): Promise<PinRequestResult> {
    const now = Date.now();
    const result = this.#pins.request(rules, newPin, now);
    if (result.allowed) await this.#recordUse(now);
    else await this.#limits.cancel(newPin.tickets);
    return result;
  }

  /** Records that the SMS was sent, or may have been sent. */
  async recordPinSent(pin: number): Promise<void> {
    const now = Date.now();
    this.#pins.markSent(pin, now);
    await this.#recordUse(now);
  }

  /** Removes a PIN that was not sent, so that the previous PIN is valid again. */
  async cancelPin(pin: number): Promise<void> {
    const now = Date.now();
    const tickets = this.#pins.cancel(pin, now);
    await this.#recordUse(now);
    await this.#limits.cancel(tickets);
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
    return [...this.ctx.storage.kv.list({limit: 1})].length > 0;
  }

  /** Looks up subscriptions, and hands over receipts and events. After a day without use, deletes everything. */
  override async alarm(): Promise<void> {
    await this.#checkUnconfirmed();
    await this.#receipts.checkDue((request) => this.#unconfirmed.find(request) !== undefined);
    await this.#started.checkDue();
    const isWaiting = earliest(...this.#dueTimes()) !== null;
    if (!isWaiting && Date.now() >= this.#deletesAt()) await this.versions.erase();
    else await this.#schedule();
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
    const before = this.#outcomes.find(ids);
    if (before?.outcome === 'subscribed') {
      if (this.#pins.isBlocked(network, perPin, Date.now())) return {refused: 'pin_blocked'};
      return {subscribed: true, found: before.found ?? null};
    }
    const [id] = ids;
    let running = this.#running.get(id);
    if (!running) this.#running.set(id, (running = subscribe(ids).finally(() => this.#running.delete(id))));
    const result = await running;
    if (!('subscribed' in result) || waitForIdMs === 0) return result;
    const request = before?.request ?? id;
    await this.#started.awaitLookup(request, waitForIdMs);
    return {...result, found: this.#outcomes.find([request])?.found ?? null};
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
    await this.#recordUse(Date.now());
    const {msisdn, operator} = request;
    const lookup = {msisdn, operator, price: consent.price};
    const result = await this.#request({ids, request, consent, lookupData: lookup, identity: lookup});
    const outcome = attemptResult(result);
    if (outcome === null) return this.#withAttemptsLeft(result, limits);
    this.#pins.settle(attempt, outcome, Date.now());
    await this.#recordUse(Date.now());
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
    const before = this.#outcomes.find(ids);
    // Keep the id of the first attempt even if the secret was rotated since then, so that one start has one event.
    const id = before?.request ?? ids[0];
    const since = before?.since ?? Date.now();
    const sought = lookupData && {...lookupData, since, until: Date.now()};
    // The attempt and the consent are stored before the request. If the request is interrupted, its outcome is unknown,
    // the answer to a retry must not be that the PIN was wrong, and the subscription may have started.
    const attempt = {request: id, product: request.product, since};
    this.#outcomes.begin(attempt, consent);
    if (sought) this.#unconfirmed.add(id, {product: request.product, trackingId: request.tracking_id, sought});
    await this.#recordUse(Date.now());
    try {
      await contextOf(this.env).platform.call('subscriptionRequest', request);
    } catch (error) {
      // Guesses are handled first, because even after a lost answer, a guesser must not learn which numbers have the
      // subscription.
      const isGuess = lookupData !== null && !this.#pins.wasSent(Date.now());
      const failure = isGuess ? hideNumberStatus(failureOf(error)) : failureOf(error);
      const isLostAnswer = before !== undefined && failure.outcome === 'refused';
      const isKnown = failure.outcome === 'unsent' || !isBroken(failure);
      if (before && isKnown) this.#outcomes.restoreReceipt(before);
      const mayBeUsed = isLostAnswer && MAY_BE_USED.has(failure.status);
      const hasIt = isLostAnswer && failure.status === ALREADY_SUBSCRIBED;
      const isDone = sought
        ? (mayBeUsed || hasIt) && (await findStartedSubscriptions(sought, contextOf(this.env))).matching.length > 0
        : hasIt;
      if (!isDone) {
        if (!isKnown) {
          this.#unconfirmed.beginChecks(id);
          if (sought) this.ctx.waitUntil(this.#started.announceLookups());
          this.ctx.waitUntil(this.#receipts.handOver(id).then(() => this.#schedule()));
        } else if (before === undefined) this.#discard(id);
        await this.#schedule();
        return {failure: mayBeUsed ? {outcome: 'unknown', fault: 'unreadable'} : failure};
      }
      // The other request's start is reported.
      if (this.#outcomes.isStartedByAnother(attempt)) {
        this.#unconfirmed.delete(id);
        await this.#schedule();
        return {subscribed: true};
      }
    }
    await this.#recordStarted(attempt, describeStart(request, identity), identity);
    const reporting = this.#started.report(id).then(() => this.#schedule());
    // The shopper's answer does not wait for a lookup.
    if (this.#started.isLookedUp(id)) this.ctx.waitUntil(reporting);
    else await reporting;
    return {subscribed: true};
  }

  /** Deletes an attempt whose request failed. */
  #discard(id: string): void {
    this.#outcomes.delete(id);
    this.#unconfirmed.delete(id);
  }

  /**
   * Looks up subscriptions whose outcome is unknown, so that the merchant gets the event even if the shopper never
   * retries.
   */
  async #checkUnconfirmed(): Promise<void> {
    for (const {request, product, trackingId, sought} of this.#unconfirmed.due(Date.now())) {
      const check = async () => {
        const {matching, isComplete} = await findStartedSubscriptions(sought, contextOf(this.env));
        // If the attempt is gone, a retry has settled it during the lookup.
        if (!this.#unconfirmed.find(request)) return;
        if (matching.length === 0) return this.#unconfirmed.scheduleCheck(request, {isAnswered: isComplete});
        const {since, until: _until, ...lookup} = sought;
        const attempt = {request, product, since};
        if (this.#outcomes.isStartedByAnother(attempt)) return this.#unconfirmed.delete(request);
        await this.#recordStarted(
          attempt,
          {product, tracking_id: trackingId, operator: sought.operator, msisdn: maskMsisdn(sought.msisdn)},
          lookup,
        );
        await this.#started.report(request);
      };
      await runSafely({}, check, () => this.#unconfirmed.scheduleCheck(request, {isAnswered: false}));
    }
  }

  /**
   * Records that the subscription has started. There is one event and one receipt, whether a request or a lookup finds
   * the start first.
   */
  async #recordStarted(attempt: AttemptName, started: StartedSubscription, identity: Lookup | null): Promise<void> {
    const {request, since} = attempt;
    if (this.#outcomes.find([request])?.outcome === 'subscribed') return;
    // Event, outcome and receipt are written together. The event comes first. The alarm that is set with it then hands
    // the event over soon, and not a day later.
    this.#started.add({request, since, started, identity});
    this.#outcomes.setSubscribed(attempt);
    this.#unconfirmed.deleteAll(started.product);
    await this.#recordUse(Date.now());
  }

  async #recordUse(now: number): Promise<void> {
    this.versions.create(SUBSCRIBER);
    this.ctx.storage.kv.put('usedAt', now);
    await this.#schedule();
  }

  #deletesAt(): number {
    return (this.ctx.storage.kv.get<number>('usedAt') ?? 0) + DAY_MS;
  }

  /** The times at which the alarm has work other than deleting everything. */
  #dueTimes(): DueTime[] {
    return [
      this.#pending.dueAt(),
      this.#outcomes.nextReceiptAt(),
      this.#unconfirmed.nextDueAt(),
      this.#started.nextDueAt(),
    ];
  }

  /** Plans the work that is due next. The data is deleted only when no work is left. */
  async #schedule(): Promise<void> {
    await scheduleAlarm(this.ctx.storage, earliest(...this.#dueTimes()) ?? this.#deletesAt());
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
