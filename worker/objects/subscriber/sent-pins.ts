/** The PINs that one number was sent in the last day, and the wrong ones that were tried on it. */

import {type Rule, toSeconds, waitMs} from '../limits/guard-rules.ts';
import type {GuardTicket} from '../limits/guard.ts';

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

/** Why nothing is tried. */
export type AttemptRefused =
  /** No PIN was sent, it was used, or its time is over; or too many wrong ones were tried on it. */
  | {readonly refused: 'pin_expired' | 'pin_blocked'}
  /** Too many wrong ones were tried on the number today. */
  | {readonly limited: {readonly retryAfterSeconds: number}};

/** What is tried on the newest PIN. */
export interface Attempt {
  readonly pin: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Where the PIN was counted when it was sent. */
  readonly tickets: readonly GuardTicket[];
}

interface Pin extends Attempt {
  /** How many were tried that were not it, or of which we do not know. */
  readonly wrong: number;
  readonly used: boolean;
  /** Whether the SMS went out, or may have. Of one that did not, whatever is typed is a guess. */
  readonly sent: boolean;
}

export class SentPins {
  constructor(private readonly kv: SyncKvStorage) {}

  /** Counts one as sent, where the rules allow one. The newest PIN is the one that counts. */
  ask(rules: readonly Rule[], mostWrong: number | null, tickets: readonly GuardTicket[], now: number): PinAsked {
    const pins = this.#pins(now);
    const leftMs = Math.max(this.#stoppedMs(mostWrong, now), ...waits(rules, pins, now));
    if (leftMs > 0) return {allowed: false, retryAfterSeconds: toSeconds(leftMs)};
    const pin = this.#number();
    const kept = [{pin, at: now, tickets, wrong: 0, used: false, sent: false}, ...pins];
    this.#keep(kept);
    return {allowed: true, pin, expiresAt: now + PIN_MS, resendAt: now + Math.max(0, ...waits(rules, kept, now))};
  }

  /** The SMS went out, or may have. */
  noteSent(pin: number, now: number): void {
    this.#change(pin, now, (one) => ({...one, sent: true}));
  }

  /** It was not sent after all: the one before it counts again. */
  forget(pin: number, now: number): void {
    this.#keep(this.#pins(now).filter((one) => one.pin !== pin));
  }

  /** Whether a PIN that still counts went out. */
  wasSent(now: number): boolean {
    return this.#pins(now).some(({sent, at}) => sent && at + PIN_MS > now);
  }

  /** Whether so many wrong ones were tried on the newest that nothing more is. */
  isBlocked(perPin: number | null, now: number): boolean {
    const [newest] = this.#pins(now);
    return perPin !== null && newest !== undefined && newest.wrong >= perPin;
  }

  /** Begins an attempt on the newest PIN, where there may be one. It counts as wrong until it is settled. */
  attempt({perPin, perDay}: AttemptLimits, now: number): Attempt | AttemptRefused {
    const [current, ...older] = this.#pins(now);
    if (!current || current.at + PIN_MS <= now) return {refused: 'pin_expired'};
    if (current.used) {
      // Who guesses would else learn, as often as they like, which one it was and that it was good.
      this.#keep([{...current, wrong: current.wrong + 1}, ...older]);
      return {refused: 'pin_expired'};
    }
    const stoppedMs = this.#stoppedMs(perDay, now);
    if (stoppedMs > 0) return {limited: {retryAfterSeconds: toSeconds(stoppedMs)}};
    if (this.isBlocked(perPin, now)) return {refused: 'pin_blocked'};
    this.kv.put('wrong', [now, ...this.#wrong(now)]);
    this.#keep([{...current, wrong: current.wrong + 1}, ...older]);
    return {pin: current.pin, at: now, tickets: current.tickets};
  }

  /** It was not wrong: it was right, and the PIN is used up, or it was never tried. */
  settle({pin, at}: Attempt, how: 'used' | 'untried', now: number): void {
    const wrong = this.#wrong(now);
    const index = wrong.indexOf(at);
    this.kv.put(
      'wrong',
      wrong.filter((_at, each) => each !== index),
    );
    this.#change(pin, now, (one) => ({...one, wrong: one.wrong - 1, used: one.used || how === 'used'}));
  }

  /** Milliseconds until another PIN may be tried; 0 when it may now. */
  #stoppedMs(most: number | null, now: number): number {
    const takings = this.#wrong(now).map((at) => ({at, confirmed: false}));
    return most === null ? 0 : waitMs({kind: 'most', limit: most, windowMs: DAY_MS}, takings, now);
  }

  /** Of the last day, newest first. */
  #pins(now: number): Pin[] {
    return (this.kv.get<Pin[]>('pins') ?? []).filter(({at}) => at > now - DAY_MS);
  }

  #change(pin: number, now: number, change: (one: Pin) => Pin): void {
    this.#keep(this.#pins(now).map((one) => (one.pin === pin ? change(one) : one)));
  }

  #keep(pins: readonly Pin[]): void {
    this.kv.put('pins', pins);
  }

  /** When wrong ones were tried in the last day, newest first. */
  #wrong(now: number): number[] {
    return (this.kv.get<number[]>('wrong') ?? []).filter((at) => at > now - DAY_MS);
  }

  /** One that nothing here has had before. */
  #number(): number {
    const number = (this.kv.get<number>('number') ?? 0) + 1;
    this.kv.put('number', number);
    return number;
  }
}

function waits(rules: readonly Rule[], pins: readonly Pin[], now: number): number[] {
  const takings = pins.map(({at}) => ({at, confirmed: false}));
  return rules.map((rule) => waitMs(rule, takings, now));
}

/** Subscriptions 8: how long a PIN counts. */
export const PIN_MS = 10 * 60_000;
