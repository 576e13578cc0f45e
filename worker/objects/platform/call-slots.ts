/**
 * Slots that limit the calls per second. The platform may count a call at any moment between the call's start and its
 * end. A slot therefore stays taken until one second after the call's end, so that no period of one second has too many
 * calls. The class uses timers, and never reads the clock.
 */

import {SECOND_MS} from '../../lib/durations.ts';

/** Added to every timer, because a timer counts from the object's last event, which may be slightly in the past. */
const TIMER_MARGIN_MS = 50;

export class CallSlots {
  #held = 0;
  readonly #waiting: (() => void)[] = [];

  /**
   * Waits for a free slot; returns false if the timeout ends first. If the queue is so long that no slot can become
   * free in time, returns false immediately.
   * @param perSecond - Allowed calls per second. If this number is below 1, a slot stays taken for longer than a
   * second.
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

  /** Takes the slots of calls that were running, or had just ended, when the object went to sleep. */
  occupy(count: number): void {
    this.#held += count;
  }

  /** Frees the slots of calls that have just ended: after a second, or later if `perSecond` is below 1. */
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
