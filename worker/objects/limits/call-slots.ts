/**
 * Slots of calls that may begin only so often a second. The platform may count a call at any time between its start and its
 * end, so a slot stays taken for a second after the call ended: then no second holds more calls, wherever it begins. It
 * reads no clock and only runs timers.
 */

import {SECOND_MS} from '../../lib/durations.ts';

/** A timer counts from when the object last heard of anything, which may be a little ago on a busy machine. */
const TIMER_MARGIN_MS = 50;

export class CallSlots {
  #held = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Waits for a turn; false where none comes free in time. Who could not be served by then is told at once.
   * @param perSecond below 1, a turn is kept for longer than a second.
   */
  acquire(perSecond: number, timeoutMs: number): Promise<boolean> {
    const slots = slotCount(perSecond);
    if (this.#held < slots) {
      this.#held += 1;
      return Promise.resolve(true);
    }
    if (this.#waiting.length >= (slots * timeoutMs) / SECOND_MS) return Promise.resolve(false);
    return new Promise((resolve) => {
      const grant = (): void => {
        clearTimeout(timer);
        this.#held += 1;
        resolve(true);
      };
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(grant), 1);
        resolve(false);
      }, timeoutMs);
      this.#waiting.push(grant);
    });
  }

  /** Calls that were under way, or had just ended, when the object last slept. */
  occupy(count: number): void {
    this.#held += count;
  }

  /** The second after a call begins: then its turn is free. */
  release(perSecond: number, count = 1): void {
    setTimeout(() => this.releaseNow(perSecond, count), SECOND_MS / Math.min(1, perSecond) + TIMER_MARGIN_MS);
  }

  releaseNow(perSecond: number, count = 1): void {
    this.#held -= count;
    while (this.#held < slotCount(perSecond)) {
      const next = this.#waiting.shift();
      if (!next) return;
      next();
    }
  }
}

function slotCount(perSecond: number): number {
  return Math.max(1, Math.floor(perSecond));
}
