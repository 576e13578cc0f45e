/** Gives the outbox the entries of an order. */

import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import type {Entry} from '../events/entry.ts';
import type {StandingTask} from '../schedule.ts';
import {openEntries, type OrderJournal} from './journal.ts';
import type {OrderState} from './order-state.ts';

/** A random part is cut off, because thousands of orders may have entries. */
const RETRY = {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS, jitter: 0.5};

/** An order takes no more money while so many entries wait, because each event lists all of its money. */
const MAX_WAITING = 50;

/**
 * Which entries were handed over is known only in memory until the order is written the next time, so that it costs no
 * write. After an order wakes, its alarm hands over again what is stored, and deletes it. The outbox and the archive
 * store it once.
 */
export class JournalSender {
  /** Id of the last entry that was handed over. */
  #handedOver: string | null = null;

  readonly task: StandingTask = {
    retry: RETRY,
    dueAt: () => (this.#open().length > 0 ? 0 : null),
    run: () => this.#sendAll(),
  };

  constructor(
    private readonly state: () => OrderState,
    private readonly objects: () => Objects,
  ) {}

  get isFull(): boolean {
    return this.#open().length >= MAX_WAITING;
  }

  /** The journal without entries that were handed over. */
  shortened(journal: OrderJournal): OrderJournal {
    const pending = openEntries(journal, this.#handedOver);
    return pending.length === journal.pending.length ? journal : {...journal, pending};
  }

  #open(): readonly Entry[] {
    return openEntries(this.state().journal, this.#handedOver);
  }

  async #sendAll(): Promise<'retry' | void> {
    for (let entries = this.#open(); entries.length > 0; entries = this.#open()) {
      try {
        await this.objects()
          .outbox()
          .receive(this.state().record?.service ?? null, entries);
      } catch (error) {
        log('warn', 'events_waiting', {rows: entries.length, error: describeError(error)});
        return 'retry';
      }
      this.#handedOver = entries.at(-1)?.id ?? null;
    }
  }
}
