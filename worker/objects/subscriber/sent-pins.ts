/** Stores the PINs that were sent to one number in the last day, and when wrong PINs were tried. */

import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import {retryDelayMs} from '../../lib/retry.ts';
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
import type {ObjectStorage} from '../object-storage.ts';

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

/** The store of a subscriber: a key for PINs, and a key for attempts. */
export const SUBSCRIBER: StoreSchema = {name: 'subscriber', createdOn: 'first key', steps: [NO_TABLES]};

interface StoredPins {
  /** When they last changed, epoch milliseconds. */
  readonly at: number;
  /** The number of the newest PIN. */
  readonly number: number;
  /** The PINs of the last day, newest first. */
  readonly sent: readonly StoredPin[];
  /** The wrong PINs that were tried. */
  readonly wrong: StoredCounter;
}

const NO_PINS: StoredPins = {at: 0, number: 0, sent: [], wrong: {windowMs: DAY_MS, parts: []}};

export class SentPins {
  constructor(private readonly storage: ObjectStorage) {}

  /** When the PINs last changed, epoch milliseconds; 0 if there was none. */
  lastChangeAt(): number {
    return this.#stored().at;
  }

  /** Stores a new PIN if the rules allow a new PIN now. Only the newest PIN is valid. */
  request(rules: NumberRules, {product, network, tickets}: NewPin, now: number): PinRequestResult {
    const pins = this.#pins(now);
    const leftMs = Math.max(this.#blockedMs(rules.wrongPerDay, now), waitForPin(rules, pins, now));
    if (leftMs > 0) return {allowed: false, retryAfterSeconds: toRetryAfterSeconds(leftMs)};
    const pin = this.#stored().number + 1;
    const newPin = {pin, product, network, at: now, tickets, wrong: 0, wrongByOthers: 0, used: false, sent: false};
    const all = [newPin, ...pins];
    this.#save(now, {number: pin, sent: all});
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
    this.#save(now, {sent: pins.filter((stored) => stored.pin !== pin)});
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
      ...(perDay === null ? [] : [perDay - counterStateOf(this.#stored().wrong, wrongPerDay(perDay), now).count]),
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
      this.#save(now, {sent: [counted, ...older]});
      return {refused: 'pin_expired'};
    }
    const blockedMs = this.#blockedMs(perDay, now);
    if (blockedMs > 0) return {limited: {retryAfterSeconds: toRetryAfterSeconds(blockedMs)}};
    if (this.isBlocked(network, perPin, now)) return {refused: 'pin_blocked'};
    this.#save(now, {
      sent: [counted, ...older],
      wrong: withOneMore(this.#stored().wrong, wrongPerDay(perDay), now),
    });
    return {pin: current.pin, at: this.#stored().wrong.parts.at(-1)?.[0] ?? now, byOther, tickets: current.tickets};
  }

  /** Records that the attempt was not wrong: the PIN was correct and is now used, or the platform never received it. */
  settle({pin, at, byOther}: PinAttempt, outcome: 'used' | 'untried', now: number): void {
    const settle = (stored: StoredPin): StoredPin => ({
      ...stored,
      wrong: stored.wrong - 1,
      wrongByOthers: stored.wrongByOthers - byOther,
      used: stored.used || outcome === 'used',
    });
    this.#change(pin, now, settle, {wrong: withChange(this.#stored().wrong, at, 'release')});
  }

  /** Milliseconds until another attempt is allowed; 0 when an attempt is allowed now. */
  #blockedMs(maxWrong: number | null, now: number): number {
    return waitMs(this.#stored().wrong, wrongPerDay(maxWrong), now);
  }

  /** The PINs of the last day, newest first. */
  #pins(now: number): readonly StoredPin[] {
    return this.#stored().sent.filter(({at}) => at > now - DAY_MS);
  }

  #change(pin: number, now: number, change: (stored: StoredPin) => StoredPin, changes: Partial<StoredPins> = {}): void {
    const sent = this.#pins(now).map((stored) => (stored.pin === pin ? change(stored) : stored));
    this.#save(now, {...changes, sent});
  }

  #stored(): StoredPins {
    return this.storage.kv.get<StoredPins>('pins') ?? NO_PINS;
  }

  #save(now: number, changes: Partial<StoredPins>): void {
    this.storage.versions.create(SUBSCRIBER);
    this.storage.kv.put<StoredPins>('pins', {...this.#stored(), ...changes, at: now});
  }
}

/** Milliseconds until the rules allow another PIN. @param pins - The PINs of the last day, newest first. */
function waitForPin({pauseMs, most}: NumberRules, pins: readonly StoredPin[], now: number): number {
  const [newest] = pins;
  const pauseLeftMs =
    newest && pauseMs !== null ? newest.at + retryDelayMs({firstMs: pauseMs, maxMs: DAY_MS}, pins.length) - now : 0;
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
