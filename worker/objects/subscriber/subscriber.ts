import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../../context.ts';
import type {EventData} from '../../contract/merchant/descriptions/events.ts';
import {hmac} from '../../lib/crypto.ts';
import {DAY_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import {maskMsisdn} from '../../lib/msisdn.ts';
import {formatInstant} from '../../lib/time.ts';
import {failureOf, isBroken, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import {runSafely, scheduleAlarm} from '../alarm.ts';
import {PendingEvents} from '../events/pending-events.ts';
import type {LimitRule} from '../limits/guard-rules.ts';
import type {GuardTicket} from '../limits/guard.ts';
import {PinLimits} from './pin-limits.ts';
import {type PinAttemptLimits, type PinAttemptRefusal, type PinRequestResult, SentPins} from './sent-pins.ts';
import {AttemptOutcomes, type RequestIds, UnconfirmedAttempts} from './subscription-attempts.ts';
import {hasSubscriptionStarted, type SoughtSubscription} from './subscription-lookup.ts';

export type SubscribeResult = {readonly subscribed: true} | PinAttemptRefusal | {readonly failure: PlatformFailure};

type SubscriptionRequest = OperationInput<'subscriptionRequest'>;
type PinSubscriptionRequest = Extract<SubscriptionRequest, {pin: string}>;

/** What the merchant is told of a start. */
type StartedSubscription = Pick<EventData<'subscription.started'>, 'tracking_id' | 'operator' | 'msisdn'> & {
  readonly product: number;
};

/** The platform's words for a PIN or token that is wrong or used, and for a number that has the subscription. */
const MAY_BE_USED = new Set(['003', '027', '028']);
const ALREADY_SUBSCRIBED = '020';
const WRONG_PIN = '028';
/** What it says of a number's standing. */
const NUMBER_STATUSES = new Set(['002', '004', '006', '007', '018', '019', ALREADY_SUBSCRIBED]);

/**
 * One number, or one number token: what it was sent, what was tried on it, and what came of that. Two requests at once
 * become one at the platform, and one that is repeated after a success is told so. It forgets after a day.
 */
export class Subscriber extends DurableObject<Env> {
  readonly #pending = new PendingEvents(this.ctx.storage);
  readonly #pins = new SentPins(this.ctx.storage.kv);
  readonly #limits = new PinLimits(() => contextOf(this.env));
  readonly #outcomes = new AttemptOutcomes(this.ctx.storage.kv);
  readonly #unconfirmed = new UnconfirmedAttempts(this.ctx.storage.kv);
  readonly #running = new Map<string, Promise<SubscribeResult>>();

  /**
   * Counts a PIN as sent, where the rules allow one. The newest PIN is the one that counts.
   * @param tickets from `PinLimits.admit`; this object cancels or confirms them from here on.
   */
  async requestPin(
    rules: readonly LimitRule[],
    maxWrong: number | null,
    tickets: readonly GuardTicket[],
  ): Promise<PinRequestResult> {
    const now = Date.now();
    const result = this.#pins.request(rules, maxWrong, tickets, now);
    if (result.allowed) await this.#recordUse(now);
    else await this.#limits.cancel(tickets);
    return result;
  }

  /** The SMS went out, or may have. */
  async recordPinSent(pin: number): Promise<void> {
    const now = Date.now();
    this.#pins.markSent(pin, now);
    await this.#recordUse(now);
  }

  /** The PIN was not sent after all: the one before it counts again. */
  async cancelPin(pin: number): Promise<void> {
    const now = Date.now();
    const tickets = this.#pins.cancel(pin, now);
    await this.#recordUse(now);
    await this.#limits.cancel(tickets);
  }

  /** Subscribes the number with the PIN it was sent. @param price of one period. */
  subscribe(request: PinSubscriptionRequest, price: Kurus, limits: PinAttemptLimits): Promise<SubscribeResult> {
    return this.#deduplicate(request, (ids) => this.#tryPin(ids, request, price, limits), limits.perPin);
  }

  /** Subscribes whoever the network made the token for, or whom the merchant's own server sent a PIN, which nobody guesses at here. */
  subscribeUnlimited(request: SubscriptionRequest): Promise<SubscribeResult> {
    return this.#deduplicate(request, (ids) => this.#request(ids, request, null));
  }

  /** Whether anything was asked of it in the last day. */
  isKnown(): boolean {
    return [...this.ctx.storage.kv.list({limit: 1})].length > 0;
  }

  /** Nothing was asked of it for a day, a start is to be looked for, or the outbox could not be reached. */
  override async alarm(): Promise<void> {
    await this.#checkUnconfirmed();
    await this.#pending.flush(() => contextOf(this.env).objects);
    if (this.#pending.dueAt() === null && this.#unconfirmed.nextDueAt() === null && Date.now() >= this.#deletesAt())
      await this.ctx.storage.deleteAll();
    else await this.#schedule();
  }

  /** @param perPin so many guesses, and what a PIN did is not told any more. */
  async #deduplicate(
    {product, ...by}: SubscriptionRequest,
    subscribe: (ids: RequestIds) => Promise<SubscribeResult>,
    perPin: number | null = null,
  ): Promise<SubscribeResult> {
    const [current, ...others] = contextOf(this.env).config.sessionSecrets;
    const idBy = (secret: string) =>
      hmac(secret, JSON.stringify([product, 'token' in by ? by.token : [by.operator, by.pin]]));
    const ids: RequestIds = [await idBy(current), ...(await Promise.all(others.map(idBy)))];
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
    // Before it is sent: what is cut off, or asked a thousand times at once, has been tried all the same.
    const attempt = this.#pins.attempt(limits, Date.now());
    if (!('pin' in attempt)) return attempt;
    await this.#recordUse(Date.now());
    const {msisdn, operator} = request;
    const result = await this.#request(ids, request, {msisdn, operator, price});
    const outcome = attemptResult(result);
    if (outcome === null) return result;
    this.#pins.settle(attempt, outcome, Date.now());
    await this.#recordUse(Date.now());
    // The shopper does not wait for our bookkeeping.
    if (outcome === 'used') this.ctx.waitUntil(this.#limits.confirm(attempt.tickets));
    return result;
  }

  /**
   * One attempt. After one whose answer was lost, "wrong" may mean "used up by us", for a PIN and a token are good for one
   * subscription: then it is looked up, and stays unknown where it is not found. That the number has it may be older than
   * the request: it is looked up too, and said as it is where it is not found or nothing can be looked for.
   * @param by what it can be looked for with; null where it cannot, and nobody guesses.
   */
  async #request(
    ids: RequestIds,
    request: SubscriptionRequest,
    by: Omit<SoughtSubscription, 'since'> | null,
  ): Promise<SubscribeResult> {
    const before = this.#outcomes.find(ids);
    // Under the name that it was begun with, whatever signs now: it is one start, and told once.
    const id = before?.request ?? ids[0];
    const since = before?.since ?? Date.now();
    const sought = by && {...by, since};
    // Before it is sent: where this is cut off, nobody knows, and who asks again must not hear that it was wrong.
    this.#outcomes.save(id, 'unknown', since);
    if (sought) this.#unconfirmed.add(id, {product: request.product, trackingId: request.tracking_id, sought});
    await this.#recordUse(Date.now());
    try {
      await contextOf(this.env).platform.call('subscriptionRequest', request);
    } catch (error) {
      // First of all: after a lost answer, who guesses is not to tell a number that has it from any other.
      const isGuess = by !== null && !this.#pins.wasSent(Date.now());
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

  /** It came to nothing. */
  #discard(id: string): void {
    this.#outcomes.delete(id);
    this.#unconfirmed.delete(id);
  }

  /** Whoever subscribed may not ask again, and the merchant is to hear of it all the same. */
  async #checkUnconfirmed(): Promise<void> {
    for (const {request, looks: checkCount, product, trackingId, sought} of this.#unconfirmed.due(Date.now())) {
      const checkLater = () => this.#unconfirmed.scheduleCheck(request, checkCount + 1);
      const check = async () => {
        const found = await hasSubscriptionStarted(sought, contextOf(this.env));
        // Meanwhile somebody asked again, and was answered.
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

  /** It is done, and told once, whoever finds out first. */
  async #recordStarted(id: string, since: number, started: StartedSubscription): Promise<void> {
    if (this.#outcomes.find([id])?.outcome === 'subscribed') return;
    // In one go with what it tells of: neither is on disk without the other.
    // The event comes first, so that the alarm which is set with the other hands it over soon and not in a day.
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
    // No counter of ours: it begins anew after a day, and whoever subscribes again then has another subscription.
    this.#pending.add({type: 'subscription.started', key: crypto.randomUUID(), at, data});
  }

  async #recordUse(now: number): Promise<void> {
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

/** Nobody has a PIN: what the platform says of the number is not for who guesses one. */
function hideNumberStatus(failure: PlatformFailure): PlatformFailure {
  return failure.outcome === 'refused' && NUMBER_STATUSES.has(failure.status)
    ? {outcome: 'refused', status: WRONG_PIN, message: ''}
    : failure;
}

/** What is known of an attempt on a PIN by what came of it; null where it was wrong, or nobody knows. */
function attemptResult(result: SubscribeResult): 'used' | 'untried' | null {
  if ('subscribed' in result) return 'used';
  return 'failure' in result && (result.failure.outcome === 'unsent' || result.failure.outcome === 'unconfigured')
    ? 'untried'
    : null;
}

function describeStart({product, tracking_id, ...by}: SubscriptionRequest): StartedSubscription {
  return {
    product,
    tracking_id,
    operator: 'operator' in by ? by.operator : null,
    msisdn: 'msisdn' in by ? maskMsisdn(by.msisdn) : null,
  };
}
