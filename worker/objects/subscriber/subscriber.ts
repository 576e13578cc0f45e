import {contextOf} from '../../context.ts';
import {hmac} from '../../lib/crypto.ts';
import {DAY_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import {maskMsisdn} from '../../lib/msisdn.ts';
import {formatInstant} from '../../lib/time.ts';
import {failureOf, isBroken, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import {runSafely, scheduleAlarm} from '../alarm.ts';
import {PENDING_EVENTS, PendingEvents} from '../events/pending-events.ts';
import type {LimitRule} from '../limits/guard-rules.ts';
import {StoredObject} from '../stored-object.ts';
import {PinLimits} from './pin-limits.ts';
import {
  type NewPin,
  type PinAttemptLimits,
  type PinAttemptRefusal,
  type PinRequestResult,
  SentPins,
  SUBSCRIBER,
} from './sent-pins.ts';
import {
  AttemptOutcomes,
  describeStart,
  hasSubscriptionStarted,
  type RequestIds,
  type SoughtSubscription,
  type StartedSubscription,
  UnconfirmedAttempts,
} from './subscription-attempts.ts';

export type SubscribeResult = {readonly subscribed: true} | PinAttemptRefusal | {readonly failure: PlatformFailure};

type SubscriptionRequest = OperationInput<'subscriptionRequest'>;
type PinSubscriptionRequest = Extract<SubscriptionRequest, {pin: string}>;

/** The platform's statuses for a PIN or token that is wrong or was used already. */
const MAY_BE_USED = new Set(['003', '027', '028']);
const ALREADY_SUBSCRIBED = '020';
const WRONG_PIN = '028';
/** Statuses that reveal something about the number. */
const NUMBER_STATUSES = new Set(['002', '004', '006', '007', '018', '019', ALREADY_SUBSCRIBED]);

/**
 * One number or one number token, with the PINs that were sent to it, the attempts to use them, and the outcomes of
 * these attempts. Concurrent equal requests share one call to the platform, and a request that is repeated after a
 * success gets the same success. The object deletes its data after a day without use.
 */
export class Subscriber extends StoredObject {
  static override readonly schemas = [SUBSCRIBER, PENDING_EVENTS];

  readonly #pending = new PendingEvents(this.ctx.storage, this.versions);
  readonly #pins = new SentPins(this.ctx.storage.kv);
  readonly #limits = new PinLimits(() => contextOf(this.env));
  readonly #outcomes = new AttemptOutcomes(this.ctx.storage.kv);
  readonly #unconfirmed = new UnconfirmedAttempts(this.ctx.storage.kv);
  readonly #running = new Map<string, Promise<SubscribeResult>>();

  /**
   * Stores a new PIN if the rules allow one. Only the newest PIN is valid.
   * @param newPin has the tickets from `PinLimits.admit`. From here on, this object cancels or confirms them.
   */
  async requestPin(rules: readonly LimitRule[], maxWrong: number | null, newPin: NewPin): Promise<PinRequestResult> {
    const now = Date.now();
    const result = this.#pins.request(rules, maxWrong, newPin, now);
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

  /** Subscribes the number with the PIN that was sent to it. @param price the price of one period. */
  subscribe(request: PinSubscriptionRequest, price: Kurus, limits: PinAttemptLimits): Promise<SubscribeResult> {
    return this.#deduplicate(request, (ids) => this.#tryPin(ids, request, price, limits), limits.perPin);
  }

  /** Subscribes without PIN limits: with a number token, or with a PIN that the merchant's own server requested. */
  subscribeUnlimited(request: SubscriptionRequest): Promise<SubscribeResult> {
    return this.#deduplicate(request, (ids) => this.#request(ids, request, null));
  }

  /** Whether the object was used in the last day. */
  isKnown(): boolean {
    return [...this.ctx.storage.kv.list({limit: 1})].length > 0;
  }

  /** Looks up unconfirmed subscriptions, hands over events, and deletes everything after a day without use. */
  override async alarm(): Promise<void> {
    await this.#checkUnconfirmed();
    await this.#pending.flush(() => contextOf(this.env).objects);
    if (this.#pending.dueAt() === null && this.#unconfirmed.nextDueAt() === null && Date.now() >= this.#deletesAt())
      await this.versions.erase();
    else await this.#schedule();
  }

  /**
   * Runs `subscribe` unless an equal request is running or has succeeded.
   * @param perPin after this many wrong attempts, an earlier success is no longer revealed.
   */
  async #deduplicate(
    {product, ...credentials}: SubscriptionRequest,
    subscribe: (ids: RequestIds) => Promise<SubscribeResult>,
    perPin: number | null = null,
  ): Promise<SubscribeResult> {
    const [current, ...others] = contextOf(this.env).config.sessionSecrets;
    const fields = 'token' in credentials ? credentials.token : [credentials.operator, credentials.pin];
    const idFrom = (secret: string) => hmac(secret, JSON.stringify([product, fields]));
    const ids: RequestIds = [await idFrom(current), ...(await Promise.all(others.map(idFrom)))];
    if (this.#outcomes.find(ids)?.outcome === 'subscribed') {
      return this.#pins.isBlocked(perPin, Date.now()) ? {refused: 'pin_blocked'} : {subscribed: true};
    }
    const [id] = ids;
    let running = this.#running.get(id);
    if (!running) this.#running.set(id, (running = subscribe(ids).finally(() => this.#running.delete(id))));
    return running;
  }

  async #tryPin(
    ids: RequestIds,
    request: PinSubscriptionRequest,
    price: Kurus,
    limits: PinAttemptLimits,
  ): Promise<SubscribeResult> {
    // The attempt is counted before the request, because attempts that are interrupted or sent in parallel must count,
    // too.
    const attempt = this.#pins.attempt(request.product, limits, Date.now());
    if (!('pin' in attempt)) return attempt;
    await this.#recordUse(Date.now());
    const {msisdn, operator} = request;
    const result = await this.#request(ids, request, {msisdn, operator, price});
    const outcome = attemptResult(result);
    if (outcome === null) return result;
    this.#pins.settle(attempt, outcome, Date.now());
    await this.#recordUse(Date.now());
    // The shopper does not have to wait for the counters.
    if (outcome === 'used') this.ctx.waitUntil(this.#limits.confirm(attempt.tickets));
    return result;
  }

  /**
   * Sends one request. What the platform's refusals mean after an earlier attempt whose answer was lost:
   * - "Wrong PIN": a PIN or token can be used for one subscription, so the earlier attempt may have used it. The
   *   subscription is looked up. If it is not found, the outcome stays unknown.
   * - "Already subscribed": the number's subscription may be older than the request. The subscription is looked up,
   *   too. If it is not found, the platform's answer is returned. Without `lookupData`, this refusal counts as a
   *   success.
   * @param lookupData the data with which the subscription can be looked up; null when there is no such data. Only
   * requests with this data can be guesses.
   */
  async #request(
    ids: RequestIds,
    request: SubscriptionRequest,
    lookupData: Omit<SoughtSubscription, 'since'> | null,
  ): Promise<SubscribeResult> {
    const before = this.#outcomes.find(ids);
    // Keep the id of the first attempt even if the secret was rotated since then, so that one start has one event.
    const id = before?.request ?? ids[0];
    const since = before?.since ?? Date.now();
    const sought = lookupData && {...lookupData, since};
    // The attempt is stored before the request. If the request is interrupted, its outcome is unknown, and a retry must
    // not be told that the PIN was wrong.
    this.#outcomes.save(id, 'unknown', since);
    if (sought) this.#unconfirmed.add(id, {product: request.product, trackingId: request.tracking_id, sought});
    await this.#recordUse(Date.now());
    try {
      await contextOf(this.env).platform.call('subscriptionRequest', request);
    } catch (error) {
      // This comes first: even after a lost answer, a guesser must not learn which numbers have the subscription.
      const isGuess = lookupData !== null && !this.#pins.wasSent(Date.now());
      const failure = isGuess ? hideNumberStatus(failureOf(error)) : failureOf(error);
      const isLostAnswer = before !== undefined && failure.outcome === 'refused';
      const mayBeUsed = isLostAnswer && MAY_BE_USED.has(failure.status);
      const hasIt = isLostAnswer && failure.status === ALREADY_SUBSCRIBED;
      const isDone = sought
        ? (mayBeUsed || hasIt) && (await hasSubscriptionStarted(sought, contextOf(this.env)))
        : hasIt;
      if (!isDone) {
        const isKnown = failure.outcome === 'unsent' || !isBroken(failure);
        if (!isKnown) this.#unconfirmed.scheduleCheck(id, 0);
        else if (before === undefined) this.#discard(id);
        await this.#schedule();
        return {failure: mayBeUsed ? {outcome: 'unknown', fault: 'unreadable'} : failure};
      }
    }
    await this.#recordStarted(id, since, describeStart(request));
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
    for (const {request, looks: checkCount, product, trackingId, sought} of this.#unconfirmed.due(Date.now())) {
      const checkLater = () => this.#unconfirmed.scheduleCheck(request, checkCount + 1);
      const check = async () => {
        const found = await hasSubscriptionStarted(sought, contextOf(this.env));
        // If the attempt is gone, a retry has settled it in the meantime.
        if (!this.#unconfirmed.has(request)) return;
        if (!found) return checkLater();
        await this.#recordStarted(request, sought.since, {
          product,
          tracking_id: trackingId,
          operator: sought.operator,
          msisdn: maskMsisdn(sought.msisdn),
        });
      };
      await runSafely({}, check, checkLater);
    }
  }

  /**
   * Records that the subscription has started. There is one event, whether a request or a lookup finds the start first.
   */
  async #recordStarted(id: string, since: number, started: StartedSubscription): Promise<void> {
    if (this.#outcomes.find([id])?.outcome === 'subscribed') return;
    // Event and outcome are written together. The event comes first, so that the alarm that is set with the outcome
    // hands the event over soon, and not a day later.
    this.#addStartedEvent(started);
    this.#outcomes.save(id, 'subscribed', since);
    this.#unconfirmed.deleteAll(started.product);
    await this.#recordUse(Date.now());
    await this.#pending.flush(() => contextOf(this.env).objects);
    await this.#schedule();
  }

  #addStartedEvent(started: StartedSubscription): void {
    const at = Date.now();
    const data = {
      service: null,
      subscription_id: null,
      status: null,
      state: 'active',
      reference: null,
      ...started,
      subscription_date: formatInstant(at),
      renewal_date: null,
      cancellation_date: null,
    };
    // The key is random, because a counter would restart after a day and give a later subscription the same key.
    this.#pending.add({type: 'subscription.started', key: crypto.randomUUID(), at, data});
  }

  async #recordUse(now: number): Promise<void> {
    this.versions.create(SUBSCRIBER);
    this.ctx.storage.kv.put('usedAt', now);
    await this.#schedule();
  }

  #deletesAt(): number {
    return (this.ctx.storage.kv.get<number>('usedAt') ?? 0) + DAY_MS;
  }

  async #schedule(): Promise<void> {
    await scheduleAlarm(this.ctx.storage, this.#deletesAt(), this.#pending.dueAt(), this.#unconfirmed.nextDueAt());
  }
}

/** For a guess, made when no PIN was sent: replaces statuses that reveal something about the number by "wrong PIN". */
function hideNumberStatus(failure: PlatformFailure): PlatformFailure {
  return failure.outcome === 'refused' && NUMBER_STATUSES.has(failure.status)
    ? {outcome: 'refused', status: WRONG_PIN, message: ''}
    : failure;
}

/** How an attempt to use a PIN ended; null when the PIN was wrong or the outcome is unknown. */
function attemptResult(result: SubscribeResult): 'used' | 'untried' | null {
  if ('subscribed' in result) return 'used';
  return 'failure' in result && (result.failure.outcome === 'unsent' || result.failure.outcome === 'unconfigured')
    ? 'untried'
    : null;
}
