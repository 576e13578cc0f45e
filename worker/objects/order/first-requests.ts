/** Decides whose order it is that the platform refuses to create, because it has one with this reference. */

import {SECOND_MS} from '../../lib/durations.ts';

/** A request to the platform that has run this long was interrupted, so nobody knows its outcome. */
export const LOST_AFTER_MS = 30 * SECOND_MS;

/**
 * `foreign`: the platform had the order before this Worker first asked for its code. `ours`: an earlier request may have
 * created it. `undecided`: another request that is running may have created it.
 */
export type OrderOwner = 'foreign' | 'ours' | 'undecided';

/**
 * The running requests for the code of an order for which no earlier request is stored. If all of them end without a
 * code, and the platform says that the order exists, none of them created it. After a restart of the object, and after
 * a lost answer, the stored request counts: then the order is taken for ours.
 */
export class FirstRequests {
  #open: {running: number; exists: boolean; readonly lostAt: number} | null = null;

  /** Whether the platform was asked for the first time, and has not answered yet. */
  get isOpen(): boolean {
    return this.#current() !== null;
  }

  /** @param wasRequested - Whether an earlier request is stored, which may have created the order. */
  begin(wasRequested: boolean): void {
    const open = this.#current();
    if (open) open.running += 1;
    else if (!wasRequested) this.#open = {running: 1, exists: false, lostAt: Date.now() + LOST_AFTER_MS};
  }

  /**
   * A request has ended, and created nothing. @param exists - Whether the platform says that it has the order.
   * @returns null if the platform has said this to none of the requests.
   */
  end(exists: boolean): OrderOwner | null {
    const open = this.#current();
    if (!open) return exists ? 'ours' : null;
    open.exists ||= exists;
    open.running -= 1;
    if (open.running > 0) return exists ? 'undecided' : null;
    this.#open = null;
    return open.exists ? 'foreign' : null;
  }

  /** A request has created the code, or its outcome is unknown. */
  forget(): void {
    this.#open = null;
  }

  #current() {
    if (this.#open && Date.now() >= this.#open.lostAt) this.#open = null;
    return this.#open;
  }
}
