/** Stores the PINs that were sent to one number in the last day, and when wrong PINs were tried. */

import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import {
  type CounterRule,
  counterStateOf,
  type StoredCounter,
  toRetryAfterSeconds,
  waitMs,
  withChange,
  withOneMore,
} from '../limits/counter.ts';
import type {Ticket} from '../limits/counting.ts';
import {NO_TABLES, type StoreSchema} from '../migrations.ts';

/** How long a PIN is valid (`docs/spec/subscriptions.md`, 8). */
export const PIN_LIFETIME_MS = 10 * MINUTE_MS;

export type PinRequestResult =
  /** The times are epoch milliseconds. They reveal only how often a PIN was requested for the number. */
  | {readonly allowed: true; readonly pin: number; readonly expiresAt: number; readonly resendAt: number}
  | {readonly allowed: false; readonly retryAfterSeconds: number};

/** How many wrong attempts of networks that did not request the PIN end it for them. */
const MAX_WRONG_BY_OTHERS = 2;

/** The limits of one number. With null, there is no limit. */
export interface NumberRules {
  /** The pause after the first PIN. It doubles with each further PIN of the same day. */
  readonly pauseMs: number | null;
  /** How many PINs may be sent in each of these windows. */
  readonly most: readonly CounterRule[];
  /** How many wrong PINs may be tried in a day. */
  readonly wrongPerDay: number | null;
}

/** How many wrong PINs are allowed; null for no limit. */
export interface PinAttemptLimits {
  readonly perPin: number | null;
  readonly perDay: number | null;
}

/** Why the Worker does not send the PIN to the platform. */
export type PinAttemptRefusal =
  /**
   * `pin_expired`: the newest PIN was used, has expired or is for another product. `pin_blocked`: too many wrong PINs
   * were tried. `pin_wrong`: to a network that did not request the newest PIN, whatever the reason, so that nobody else
   * learns whether a number has a PIN.
   */
  | {readonly refused: 'pin_expired' | 'pin_blocked' | 'pin_wrong'}
  /** Too many wrong PINs were tried for this number in the last day. */
  | {readonly limited: {readonly retryAfterSeconds: number}};

/** A PIN to be sent. */
export interface NewPin {
  /** The product for which the page requests the PIN. */
  readonly product: number;
  /** The network that requests the PIN: an HMAC. */
  readonly network: string;
  /** The counters that counted the PIN. */
  readonly tickets: readonly Ticket[];
}

/** An attempt to use the newest PIN. */
export interface PinAttempt {
  /** The sequence number of the PIN. The Worker does not know the PIN's digits. */
  readonly pin: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Whether another network than the requester's made the attempt: 1, otherwise 0. */
  readonly byOther: number;
  /** The counters that counted the PIN when it was sent. */
  readonly tickets: readonly Ticket[];
}

interface StoredPin extends Omit<PinAttempt, 'byOther'>, Pick<NewPin, 'product' | 'network'> {
  /** How many attempts were wrong or have an unknown outcome. */
  readonly wrong: number;
  /** How many of them other networks made. */
  readonly wrongByOthers: number;
  readonly used: boolean;
  /** Whether the SMS was sent, or may have been sent. If not, a PIN that somebody enters is a guess. */
  readonly sent: boolean;
}

/** The store of a subscriber: PINs, attempts and outcomes, each in a separate key. */
export const SUBSCRIBER: StoreSchema = {name: 'subscriber', createdOn: 'first key', steps: [NO_TABLES]};

export class SentPins {
  constructor(private readonly kv: SyncKvStorage) {}

  /** Stores a new PIN if the rules allow a new PIN now. Only the newest PIN is valid. */
  request(rules: NumberRules, {product, network, tickets}: NewPin, now: number): PinRequestResult {
    const pins = this.#pins(now);
    const leftMs = Math.max(this.#blockedMs(rules.wrongPerDay, now), waitForPin(rules, pins, now));
    if (leftMs > 0) return {allowed: false, retryAfterSeconds: toRetryAfterSeconds(leftMs)};
    const pin = this.#nextNumber();
    const newPin = {pin, product, network, at: now, tickets, wrong: 0, wrongByOthers: 0, used: false, sent: false};
    const all = [newPin, ...pins];
    this.#save(all);
    return {
      allowed: true,
      pin,
      expiresAt: now + PIN_LIFETIME_MS,
      resendAt: now + waitForPin(rules, all, now),
    };
  }

  /** Records that the SMS was sent, or may have been sent. */
  markSent(pin: number, now: number): void {
    this.#change(pin, now, (stored) => ({...stored, sent: true}));
  }

  /** Removes a PIN that was not sent, so that the previous PIN is valid again. @returns the tickets of its counters. */
  cancel(pin: number, now: number): readonly Ticket[] {
    const pins = this.#pins(now);
    this.#save(pins.filter((stored) => stored.pin !== pin));
    return pins.find((stored) => stored.pin === pin)?.tickets ?? [];
  }

  /** Whether a PIN was sent that has not expired yet. */
  wasSent(now: number): boolean {
    return this.#pins(now).some(({sent, at}) => sent && at + PIN_LIFETIME_MS > now);
  }

  /** Whether the network requested the newest PIN. */
  isRequester(network: string, now: number): boolean {
    return this.#pins(now)[0]?.network === network;
  }

  /** Whether the network, or all networks together, tried too many wrong PINs since the newest PIN was sent. */
  isBlocked(network: string, perPin: number | null, now: number): boolean {
    const [newest] = this.#pins(now);
    if (perPin === null || newest === undefined) return false;
    const isOther = newest.network !== network;
    return newest.wrong >= perPin || (isOther && newest.wrongByOthers >= MAX_WRONG_BY_OTHERS);
  }

  /** How many more wrong PINs are allowed, by the lower of the two limits; null if there is no limit. */
  attemptsLeft({perPin, perDay}: PinAttemptLimits, now: number): number | null {
    const left = [
      ...(perPin === null ? [] : [perPin - (this.#pins(now)[0]?.wrong ?? 0)]),
      ...(perDay === null ? [] : [perDay - counterStateOf(this.#wrong(), wrongPerDay(perDay), now).count]),
    ];
    return left.length === 0 ? null : Math.max(0, Math.min(...left));
  }

  /**
   * Begins an attempt to use the newest PIN, if an attempt is allowed. The attempt counts as wrong until `settle` is
   * called. A PIN is valid only for the product for which it was requested, because the SMS names that product and its
   * price.
   */
  attempt(
    product: number,
    network: string,
    {perPin, perDay}: PinAttemptLimits,
    now: number,
  ): PinAttempt | PinAttemptRefusal {
    const [current, ...older] = this.#pins(now);
    if (!current || current.at + PIN_LIFETIME_MS <= now || current.product !== product) return {refused: 'pin_expired'};
    const byOther = current.network === network ? 0 : 1;
    const counted = {...current, wrong: current.wrong + 1, wrongByOthers: current.wrongByOthers + byOther};
    if (current.used) {
      // This attempt counts too. Otherwise an attacker could try any number of guesses.
      this.#save([counted, ...older]);
      return {refused: 'pin_expired'};
    }
    const blockedMs = this.#blockedMs(perDay, now);
    if (blockedMs > 0) return {limited: {retryAfterSeconds: toRetryAfterSeconds(blockedMs)}};
    if (this.isBlocked(network, perPin, now)) return {refused: 'pin_blocked'};
    this.kv.put('wrong', withOneMore(this.#wrong(), wrongPerDay(perDay), now));
    this.#save([counted, ...older]);
    return {pin: current.pin, at: this.#wrong().parts.at(-1)?.[0] ?? now, byOther, tickets: current.tickets};
  }

  /** Records that the attempt was not wrong: the PIN was correct and is now used, or the platform never received it. */
  settle({pin, at, byOther}: PinAttempt, outcome: 'used' | 'untried', now: number): void {
    this.kv.put('wrong', withChange(this.#wrong(), at, 'release'));
    this.#change(pin, now, (stored) => ({
      ...stored,
      wrong: stored.wrong - 1,
      wrongByOthers: stored.wrongByOthers - byOther,
      used: stored.used || outcome === 'used',
    }));
  }

  /** Milliseconds until another attempt is allowed; 0 when an attempt is allowed now. */
  #blockedMs(maxWrong: number | null, now: number): number {
    return waitMs(this.#wrong(), wrongPerDay(maxWrong), now);
  }

  /** The PINs of the last day, newest first. */
  #pins(now: number): StoredPin[] {
    return (this.kv.get<StoredPin[]>('pins') ?? []).filter(({at}) => at > now - DAY_MS);
  }

  #change(pin: number, now: number, change: (stored: StoredPin) => StoredPin): void {
    this.#save(this.#pins(now).map((stored) => (stored.pin === pin ? change(stored) : stored)));
  }

  #save(pins: readonly StoredPin[]): void {
    this.kv.put('pins', pins);
  }

  /** The wrong PINs that were tried. */
  #wrong(): StoredCounter {
    return this.kv.get<StoredCounter>('wrong') ?? {windowMs: DAY_MS, parts: []};
  }

  /** Returns a sequence number that no PIN of this object has had. */
  #nextNumber(): number {
    const number = (this.kv.get<number>('number') ?? 0) + 1;
    this.kv.put('number', number);
    return number;
  }
}

/** After this many doublings the pause stops growing. Other limits refuse a number long before that. */
const MAX_PAUSE_EXPONENT = 12;

/** Milliseconds until the rules allow another PIN. @param pins - The PINs of the last day, newest first. */
function waitForPin({pauseMs, most}: NumberRules, pins: readonly StoredPin[], now: number): number {
  const [newest] = pins;
  const exponent = Math.min(pins.length - 1, MAX_PAUSE_EXPONENT);
  const pauseLeftMs = newest && pauseMs !== null ? newest.at + pauseMs * 2 ** exponent - now : 0;
  const times = pins.map(({at}) => at);
  return Math.max(0, pauseLeftMs, ...most.map((rule) => waitForRoom(rule, times, now)));
}

/** Milliseconds until fewer than `limit` of these times are in the window. @param times - Newest first. */
function waitForRoom({limit, windowMs}: CounterRule, times: readonly number[], now: number): number {
  const oldest = limit === null ? undefined : times[limit - 1];
  return oldest === undefined ? 0 : Math.max(0, oldest + windowMs - now);
}

function wrongPerDay(limit: number | null): CounterRule {
  return {windowMs: DAY_MS, limit};
}
