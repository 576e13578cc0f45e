/** The PINs that one number was sent in the last day, and the wrong ones that were tried on it. */

import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import {type LimitRule, toRetryAfterSeconds, waitMs} from '../limits/guard-rules.ts';
import type {GuardTicket} from '../limits/guard.ts';

/** Subscriptions 8: how long a PIN counts. */
export const PIN_LIFETIME_MS = 10 * MINUTE_MS;

export type PinRequestResult =
  /** Epoch milliseconds; nothing but these times depends on the number, and they only on how often it was asked for. */
  | {readonly allowed: true; readonly pin: number; readonly expiresAt: number; readonly resendAt: number}
  | {readonly allowed: false; readonly retryAfterSeconds: number};

/** Null is no limit. */
export interface PinAttemptLimits {
  readonly perPin: number | null;
  readonly perDay: number | null;
}

/** Why nothing is tried. */
export type PinAttemptRefusal =
  /** No PIN was sent, it was used, or its time is over; or too many wrong ones were tried on it. */
  | {readonly refused: 'pin_expired' | 'pin_blocked'}
  /** Too many wrong ones were tried on the number today. */
  | {readonly limited: {readonly retryAfterSeconds: number}};

/** What is tried on the newest PIN. */
export interface PinAttempt {
  readonly pin: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Where the PIN was counted when it was sent. */
  readonly tickets: readonly GuardTicket[];
}

interface StoredPin extends PinAttempt {
  /** How many were tried that were not it, or of which we do not know. */
  readonly wrong: number;
  readonly used: boolean;
  /** Whether the SMS went out, or may have. Of one that did not, whatever is typed is a guess. */
  readonly sent: boolean;
}

export class SentPins {
  constructor(private readonly kv: SyncKvStorage) {}

  /** Counts one as sent, where the rules allow one. The newest PIN is the one that counts. */
  request(
    rules: readonly LimitRule[],
    maxWrong: number | null,
    tickets: readonly GuardTicket[],
    now: number,
  ): PinRequestResult {
    const pins = this.#pins(now);
    const leftMs = Math.max(this.#blockedMs(maxWrong, now), ...waitTimes(rules, pins, now));
    if (leftMs > 0) return {allowed: false, retryAfterSeconds: toRetryAfterSeconds(leftMs)};
    const pin = this.#nextNumber();
    const all = [{pin, at: now, tickets, wrong: 0, used: false, sent: false}, ...pins];
    this.#save(all);
    return {
      allowed: true,
      pin,
      expiresAt: now + PIN_LIFETIME_MS,
      resendAt: now + Math.max(0, ...waitTimes(rules, all, now)),
    };
  }

  /** The SMS went out, or may have. */
  markSent(pin: number, now: number): void {
    this.#change(pin, now, (one) => ({...one, sent: true}));
  }

  /** It was not sent after all: the one before it counts again. @returns where it was counted. */
  cancel(pin: number, now: number): readonly GuardTicket[] {
    const pins = this.#pins(now);
    this.#save(pins.filter((one) => one.pin !== pin));
    return pins.find((one) => one.pin === pin)?.tickets ?? [];
  }

  /** Whether a PIN that still counts went out. */
  wasSent(now: number): boolean {
    return this.#pins(now).some(({sent, at}) => sent && at + PIN_LIFETIME_MS > now);
  }

  /** Whether so many wrong ones were tried on the newest that nothing more is. */
  isBlocked(perPin: number | null, now: number): boolean {
    const [newest] = this.#pins(now);
    return perPin !== null && newest !== undefined && newest.wrong >= perPin;
  }

  /** Begins an attempt on the newest PIN, where there may be one. It counts as wrong until it is settled. */
  attempt({perPin, perDay}: PinAttemptLimits, now: number): PinAttempt | PinAttemptRefusal {
    const [current, ...older] = this.#pins(now);
    if (!current || current.at + PIN_LIFETIME_MS <= now) return {refused: 'pin_expired'};
    if (current.used) {
      // Who guesses would else learn, as often as they like, which one it was and that it was good.
      this.#save([{...current, wrong: current.wrong + 1}, ...older]);
      return {refused: 'pin_expired'};
    }
    const blockedMs = this.#blockedMs(perDay, now);
    if (blockedMs > 0) return {limited: {retryAfterSeconds: toRetryAfterSeconds(blockedMs)}};
    if (this.isBlocked(perPin, now)) return {refused: 'pin_blocked'};
    this.kv.put('wrong', [now, ...this.#wrong(now)]);
    this.#save([{...current, wrong: current.wrong + 1}, ...older]);
    return {pin: current.pin, at: now, tickets: current.tickets};
  }

  /** It was not wrong: it was right, and the PIN is used up, or it was never tried. */
  settle({pin, at}: PinAttempt, outcome: 'used' | 'untried', now: number): void {
    const wrong = this.#wrong(now);
    const index = wrong.indexOf(at);
    this.kv.put(
      'wrong',
      wrong.filter((_at, each) => each !== index),
    );
    this.#change(pin, now, (one) => ({...one, wrong: one.wrong - 1, used: one.used || outcome === 'used'}));
  }

  /** Milliseconds until another PIN may be tried; 0 when it may now. */
  #blockedMs(maxWrong: number | null, now: number): number {
    const permits = this.#wrong(now).map((at) => ({at, confirmed: false}));
    return maxWrong === null ? 0 : waitMs({kind: 'most', limit: maxWrong, windowMs: DAY_MS}, permits, now);
  }

  /** Of the last day, newest first. */
  #pins(now: number): StoredPin[] {
    return (this.kv.get<StoredPin[]>('pins') ?? []).filter(({at}) => at > now - DAY_MS);
  }

  #change(pin: number, now: number, change: (one: StoredPin) => StoredPin): void {
    this.#save(this.#pins(now).map((one) => (one.pin === pin ? change(one) : one)));
  }

  #save(pins: readonly StoredPin[]): void {
    this.kv.put('pins', pins);
  }

  /** When wrong ones were tried in the last day, newest first. */
  #wrong(now: number): number[] {
    return (this.kv.get<number[]>('wrong') ?? []).filter((at) => at > now - DAY_MS);
  }

  /** One that nothing here has had before. */
  #nextNumber(): number {
    const number = (this.kv.get<number>('number') ?? 0) + 1;
    this.kv.put('number', number);
    return number;
  }
}

function waitTimes(rules: readonly LimitRule[], pins: readonly StoredPin[], now: number): number[] {
  const permits = pins.map(({at}) => ({at, confirmed: false}));
  return rules.map((rule) => waitMs(rule, permits, now));
}
