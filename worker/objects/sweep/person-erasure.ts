/**
 * Removes who sent money, on request. The sweep writes these names to the books, so it also removes them there: what it
 * has under way is written before, and what it read before is written without names.
 */

import type {Context} from '../../context.ts';
import {Semaphore} from '../../lib/async.ts';
import {HOUR_MS} from '../../lib/durations.ts';
import {bookedMonths} from '../archive/booking.ts';
import type {SweepStore} from './sweep-store.ts';
import type {Deliverable} from './undelivered-store.ts';

/** Whose names are removed. */
export interface Forgotten {
  readonly orders: readonly string[];
  /** Codes of these orders. */
  readonly codes: readonly string[];
  readonly transactions: readonly string[];
}

/** No sweep takes longer. */
const REMEMBERED_MS = HOUR_MS;

export class PersonErasure {
  /** Deliveries and erasures run one after the other. */
  readonly #turns = new Semaphore(1);
  /** Ids of transactions, and orders and their codes, with the time of their erasure. */
  readonly #erased = new Map<string, number>();

  constructor(
    private readonly store: SweepStore,
    private readonly context: () => Context,
  ) {}

  /** Runs a delivery while no erasure runs. */
  apart<T>(delivery: () => Promise<T>): Promise<T> {
    return this.#turns.run(delivery);
  }

  /** The transaction, without names if it was read before they were erased. */
  without(item: Deliverable, readAt: number): Deliverable {
    const erasedAt = [item.id, item.order_refno, item.code].map((name) => this.#erased.get(name ?? '') ?? 0);
    return Math.max(...erasedAt) < readAt ? item : {...item, user_name: null, remote_description: null};
  }

  /** @returns how many rows of the books changed. */
  erase(service: string, {orders, codes, transactions}: Forgotten): Promise<number> {
    return this.#turns.run(async () => {
      const months = bookedMonths().map((month) => this.context().objects.books(service, month));
      const own = await Promise.all(months.map((month): Promise<string[]> => month.transactionsOf(orders)));
      const money = [...new Set([...own.flat(), ...transactions])];
      const names = [...orders, ...codes, ...money];
      const now = Date.now();
      for (const [name, at] of this.#erased) if (at < now - REMEMBERED_MS) this.#erased.delete(name);
      for (const name of names) this.#erased.set(name, now);
      this.store.undelivered.forgetPersons(names);
      const counts = await Promise.all(
        months.map((month): Promise<number> => month.forgetPersons('names', orders, money)),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    });
  }
}
