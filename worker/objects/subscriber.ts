import {DurableObject} from 'cloudflare:workers';
import {contextOf} from '../context.ts';
import {hmac} from '../digest.ts';
import type {Env} from '../env.ts';
import {formatInstant} from '../instant.ts';
import type {Kurus} from '../money.ts';
import {maskMsisdn} from '../msisdn.ts';
import {failureOf, isBroken, type PlatformFailure} from '../platform/failure.ts';
import type {Input} from '../platform/operations/operations.ts';
import {PIN_MS} from '../platform/pin-time.ts';
import {hasBegun} from './begun-subscription.ts';
import {EndedRequests, type RequestIds} from './ended-requests.ts';
import type {GuardTicket} from './guard.ts';
import {type Rule, toSeconds, waitMs} from './guard-rules.ts';
import {PendingEvents} from './pending-events.ts';

const DAY_MS = 24 * 60 * 60_000;

export type PinAsked =
  /** Epoch milliseconds; nothing but these times depends on the number, and they only on how often it was asked for. */
  | {readonly allowed: true; readonly pin: number; readonly expiresAt: number; readonly resendAt: number}
  | {readonly allowed: false; readonly retryAfterSeconds: number};

/** Null is no limit. */
export interface AttemptLimits {
  readonly perPin: number | null;
  readonly perDay: number | null;
}

export type Subscribing =
  /** With where the PIN was counted when it was sent; none where it had been confirmed before. */
  | {readonly subscribed: true; readonly tickets: readonly GuardTicket[]}
  /** No PIN was sent, it was used, or its time is over; or too many wrong ones were tried on it. */
  | {readonly refused: 'pin_expired' | 'pin_blocked'}
  /** Too many wrong ones were tried on the number today. */
  | {readonly limited: {readonly retryAfterSeconds: number}}
  | {readonly failure: PlatformFailure};

type Request = Input<'subscriptionRequest'>;
type ByPin = Extract<Request, {pin: string}>;

interface Pin {
  readonly pin: number;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly tickets: readonly GuardTicket[];
  /** How many were tried that were not it, or of which we do not know. */
  readonly wrong: number;
  readonly used: boolean;
  /** Whether the SMS went out, or may have. Of one that did not, whatever is typed is a guess. */
  readonly sent: boolean;
}

/** The platform's words for a PIN or token that is wrong or used, and for a number that has the subscription. */
const MAY_BE_USED = new Set(['003', '027', '028']);
const HAS_IT = '020';
const WRONG = '028';
/** What it says of a number's standing. */
const OF_NUMBERS = new Set(['002', '004', '006', '007', '018', '019', HAS_IT]);

/**
 * One number, or one number token: what it was sent, what was tried on it, and what came of that. Two requests at once
 * become one at the platform, and one that is repeated after a success is told so. It forgets after a day.
 */
export class Subscriber extends DurableObject<Env> {
  readonly #pending = new PendingEvents(this.ctx.storage);
  readonly #ended = new EndedRequests(this.ctx.storage.kv);
  readonly #running = new Map<string, Promise<Subscribing>>();

  /** Counts a PIN as sent, where the rules allow one. The newest PIN is the one that counts. */
  async askPin(rules: readonly Rule[], mostWrong: number | null, tickets: readonly GuardTicket[]): Promise<PinAsked> {
    const now = Date.now();
    const pins = this.#pins(now);
    const leftMs = Math.max(this.#stoppedMs(mostWrong, now), ...waits(rules, pins, now));
    if (leftMs > 0) return {allowed: false, retryAfterSeconds: toSeconds(leftMs)};
    const pin = this.#number();
    const kept = [{pin, at: now, tickets, wrong: 0, used: false, sent: false}, ...pins];
    await this.#keepPins(kept, now);
    return {allowed: true, pin, expiresAt: now + PIN_MS, resendAt: now + Math.max(0, ...waits(rules, kept, now))};
  }

  /** The SMS went out, or may have. */
  async notePinSent(pin: number): Promise<void> {
    const now = Date.now();
    await this.#keepPins(this.#pins(now).map((one) => (one.pin === pin ? asSent(one) : one)), now);
  }

  /** The PIN was not sent after all: the one before it counts again. */
  async forgetPin(pin: number): Promise<void> {
    const now = Date.now();
    await this.#keepPins(this.#pins(now).filter((one) => one.pin !== pin), now);
  }

  /** Subscribes the number with the PIN it was sent. @param price of one period. */
  subscribe(request: ByPin, price: Kurus, limits: AttemptLimits): Promise<Subscribing> {
    return this.#once(request, (ids) => this.#tryPin(ids, request, price, limits), limits.perPin);
  }

  /** Subscribes whoever the network made the token for. */
  subscribeByToken(request: Request & {readonly token: string}): Promise<Subscribing> {
    return this.#once(request, (ids) => this.#request(ids, request, [], () => Promise.resolve(false)));
  }

  /** Whether anything was asked of it in the last day. */
  remembers(): boolean {
    return [...this.ctx.storage.kv.list({limit: 1})].length > 0;
  }

  /** Nothing was asked of it for a day, or the outbox could not be reached. */
  override async alarm(): Promise<void> {
    await this.#pending.handOver(contextOf(this.env).objects);
    if (this.#pending.dueAt() === null && Date.now() >= this.#forgetsAt()) await this.ctx.storage.deleteAll();
    else await this.#schedule();
  }

  /** @param perPin so many guesses, and what a PIN did is not told any more. */
  async #once({product, ...by}: Request, perform: (ids: RequestIds) => Promise<Subscribing>, perPin: number | null = null): Promise<Subscribing> {
    const [current, ...others] = contextOf(this.env).config.sessionSecrets;
    const idBy = (secret: string) => hmac(secret, JSON.stringify([product, 'token' in by ? by.token : [by.operator, by.pin]]));
    const ids: RequestIds = [await idBy(current), ...(await Promise.all(others.map(idBy)))];
    if (this.#ended.find(ids)?.outcome === 'subscribed') {
      const [newest] = this.#pins(Date.now());
      return perPin !== null && newest && newest.wrong >= perPin ? {refused: 'pin_blocked'} : {subscribed: true, tickets: []};
    }
    const [id] = ids;
    let running = this.#running.get(id);
    if (!running) this.#running.set(id, (running = perform(ids).finally(() => this.#running.delete(id))));
    return running;
  }

  async #tryPin(ids: RequestIds, request: ByPin, price: Kurus, {perPin, perDay}: AttemptLimits): Promise<Subscribing> {
    const now = Date.now();
    const pins = this.#pins(now);
    const [current, ...older] = pins;
    if (!current || current.at + PIN_MS <= now) return {refused: 'pin_expired'};
    if (current.used) {
      // Who guesses would else learn, as often as they like, which one it was and that it was good.
      await this.#keepPins([{...current, wrong: current.wrong + 1}, ...older], now);
      return {refused: 'pin_expired'};
    }
    const stoppedMs = this.#stoppedMs(perDay, now);
    if (stoppedMs > 0) return {limited: {retryAfterSeconds: toSeconds(stoppedMs)}};
    if (perPin !== null && current.wrong >= perPin) return {refused: 'pin_blocked'};

    // Before it is sent: what is cut off, or asked a thousand times at once, has been tried all the same.
    this.ctx.storage.kv.put('wrong', [now, ...this.#wrong(now)]);
    await this.#keepPins([{...current, wrong: current.wrong + 1}, ...older], now);
    const {msisdn, operator} = request;
    const result = await this.#request(ids, request, current.tickets, (since) => hasBegun({msisdn, operator, price, since}, contextOf(this.env)));
    // Nobody has a PIN: what the platform says of the number is not for who guesses one.
    const isGuess = 'failure' in result && result.failure.outcome === 'refused' && OF_NUMBERS.has(result.failure.status) && !this.#wasSent();
    if (isGuess) return {failure: {outcome: 'refused', status: WRONG, message: ''}};
    if ('subscribed' in result) await this.#settle(current.pin, now, {used: true});
    else if ('failure' in result && (result.failure.outcome === 'unsent' || result.failure.outcome === 'unconfigured')) await this.#settle(current.pin, now, {});
    return result;
  }

  /** Whether a PIN that still counts went out. */
  #wasSent(): boolean {
    const now = Date.now();
    return this.#pins(now).some(({sent, at}) => sent && at + PIN_MS > now);
  }

  /** It was not wrong: it was right, or never tried. */
  async #settle(pin: number, at: number, change: Partial<Pin>): Promise<void> {
    const now = Date.now();
    const wrong = this.#wrong(now);
    const index = wrong.indexOf(at);
    this.ctx.storage.kv.put('wrong', wrong.filter((_at, each) => each !== index));
    const settle = (one: Pin): Pin => ({...one, wrong: one.wrong - 1, ...change});
    await this.#keepPins(this.#pins(now).map((one) => (one.pin === pin ? settle(one) : one)), now);
  }

  /**
   * One attempt. After one whose answer was lost, "wrong" may mean "used up by us", for a PIN and a token are good for one
   * subscription: then it is looked up, and stays unknown where it is not found. That the number has it now says that
   * it was done.
   * @param look whether it has begun since then.
   */
  async #request(ids: RequestIds, request: Request, tickets: readonly GuardTicket[], look: (since: number) => Promise<boolean>): Promise<Subscribing> {
    const [id] = ids;
    const before = this.#ended.find(ids);
    const since = before?.since ?? Date.now();
    // Before it is sent: where this is cut off, nobody knows, and who asks again must not hear that it was wrong.
    this.#ended.keep(id, 'unknown', since);
    await this.#noteUse(Date.now());
    try {
      await contextOf(this.env).platform.call('subscriptionRequest', request);
    } catch (error) {
      const failure = failureOf(error);
      const lost = before !== undefined && failure.outcome === 'refused';
      const mayBeUsed = lost && MAY_BE_USED.has(failure.status);
      const isDone = mayBeUsed ? await look(since) : lost && failure.status === HAS_IT;
      if (!isDone) {
        const isKnown = failure.outcome === 'unsent' || !isBroken(failure);
        if (isKnown && before === undefined) this.#ended.forget(id);
        return {failure: mayBeUsed ? {outcome: 'unknown', fault: 'unreadable'} : failure};
      }
    }
    // In one go with what it tells of: neither is on disk without the other.
    // The event comes first, so that the alarm which is set with the other hands it over soon and not in a day.
    this.#tell(request);
    this.#ended.keep(id, 'subscribed', since);
    await this.#noteUse(Date.now());
    await this.#pending.handOver(contextOf(this.env).objects);
    await this.#schedule();
    return {subscribed: true, tickets};
  }

  #tell(request: Request): void {
    const at = Date.now();
    const data = {
      service: null, product: request.product, subscription_id: null, status: null, state: 'active', reference: null,
      operator: 'operator' in request ? request.operator : null, msisdn: 'msisdn' in request ? maskMsisdn(request.msisdn) : null,
      tracking_id: request.tracking_id, subscription_date: formatInstant(at), renewal_date: null, cancellation_date: null,
    };
    // No counter of ours: it begins anew after a day, and whoever subscribes again then has another subscription.
    this.#pending.add({type: 'subscription.started', key: crypto.randomUUID(), at, data});
  }

  /** Milliseconds until another PIN may be tried; 0 when it may now. */
  #stoppedMs(most: number | null, now: number): number {
    const takings = this.#wrong(now).map((at) => ({at, confirmed: false}));
    return most === null ? 0 : waitMs({kind: 'most', limit: most, windowMs: DAY_MS}, takings, now);
  }

  /** Of the last day, newest first. */
  #pins(now: number): Pin[] {
    return (this.ctx.storage.kv.get<Pin[]>('pins') ?? []).filter(({at}) => at > now - DAY_MS);
  }

  async #keepPins(pins: readonly Pin[], now: number): Promise<void> {
    this.ctx.storage.kv.put('pins', pins);
    await this.#noteUse(now);
  }

  /** When wrong ones were tried in the last day, newest first. */
  #wrong(now: number): number[] {
    return (this.ctx.storage.kv.get<number[]>('wrong') ?? []).filter((at) => at > now - DAY_MS);
  }

  async #noteUse(now: number): Promise<void> {
    this.ctx.storage.kv.put('usedAt', now);
    await this.#schedule();
  }

  #forgetsAt(): number {
    return (this.ctx.storage.kv.get<number>('usedAt') ?? 0) + DAY_MS;
  }

  async #schedule(): Promise<void> {
    await this.ctx.storage.setAlarm(Math.min(this.#forgetsAt(), this.#pending.dueAt() ?? Infinity));
  }

  /** One that nothing here has had before. */
  #number(): number {
    const number = (this.ctx.storage.kv.get<number>('number') ?? 0) + 1;
    this.ctx.storage.kv.put('number', number);
    return number;
  }
}

function asSent(pin: Pin): Pin {
  return {...pin, sent: true};
}

function waits(rules: readonly Rule[], pins: readonly Pin[], now: number): number[] {
  const takings = pins.map(({at}) => ({at, confirmed: false}));
  return rules.map((rule) => waitMs(rule, takings, now));
}
