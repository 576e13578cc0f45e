/**
 * Notifications of mobile billing. What they claim is not proved, so they are only hints that records may have changed.
 * A hint plans the next search of the list that has the record. Where the platform cannot be searched by the time of
 * change, the record is read at once, and the hint is not stored, unless the record was read a moment ago.
 */

import {DAY_MS, HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import type {BillingRecordKind, NotificationOutcome} from '../../platform/notifications.ts';
import type {Schedule, TaskKind} from '../schedule.ts';
import type {BillingChangesStore, BillingRecord} from './billing-changes-store.ts';
import type {BillingChanges} from './billing-changes.ts';

/** A record is read at most once within this time, however often hints name the record. */
const REREAD_DELAY_MS = MINUTE_MS;
/** How many records are read because of one notification. The platform names one record (`docs/spec/observed.md`). */
const MAX_READS = 5;

/** A list of records that is searched by the time of change. */
export interface WakeableList {
  /** Plans the next search. @returns whether the search shows every change; if not, the record must be read. */
  wake(now: number): boolean;
}

/** A record that a hint named while it was being read, or shortly after. */
interface Reread extends BillingRecord {
  readonly service: string;
}

/** The name of the kind `rereads` in the object. */
const REREADS = 'rereads';

export class BillingHints {
  readonly rereads: TaskKind<Reread> = {
    retry: {firstMs: MINUTE_MS, maxMs: HOUR_MS},
    giveUpAfterMs: 8 * DAY_MS,
    run: async ({service, kind, id}) => {
      this.#begunAt.set(keyOf({kind, id}), Date.now());
      if ((await this.#read({kind, id}, service)) === 'retry') return 'retry';
    },
  };

  /** When the last reads of records began. */
  readonly #begunAt = new Map<string, number>();

  constructor(
    private readonly lists: Readonly<Record<BillingRecordKind, WakeableList>>,
    private readonly store: BillingChangesStore,
    private readonly schedule: Schedule,
    private readonly changes: BillingChanges,
  ) {}

  /** @returns how the notification is answered. The platform repeats it after `retry`. */
  async receive(service: string, kind: BillingRecordKind, ids: readonly string[]): Promise<NotificationOutcome> {
    const now = Date.now();
    if (this.lists[kind].wake(now)) return 'accepted';
    for (const [key, at] of this.#begunAt) if (at + REREAD_DELAY_MS <= now) this.#begunAt.delete(key);
    const due: BillingRecord[] = [];
    for (const id of ids) {
      const againAt = this.#lastReadAt({kind, id}) + REREAD_DELAY_MS;
      if (againAt <= now) due.push({kind, id});
      else this.#planReread({service, kind, id}, againAt);
    }
    // A repetition of the notification reads those that were not read for longest.
    const read = due.toSorted((a, b) => this.#lastReadAt(a) - this.#lastReadAt(b)).slice(0, MAX_READS);
    for (const record of read) this.#begunAt.set(keyOf(record), now);
    let outcome: NotificationOutcome = due.length > read.length ? 'retry' : 'accepted';
    for (const record of read) {
      const result = await this.#read(record, service);
      if (result === 'retry' || outcome === 'accepted') outcome = result;
    }
    return outcome;
  }

  /** The record may have changed after it was read, so it is read once more. */
  #planReread(reread: Reread, at: number): void {
    const key = keyOf(reread);
    const planned = this.schedule.find(REREADS, key);
    if (planned === null || planned.dueAt < at) this.schedule.add(REREADS, key, reread, at);
  }

  async #read(record: BillingRecord, service: string): Promise<NotificationOutcome> {
    const result = await this.changes.readNamed(record, service);
    if (result === 'retry') this.#begunAt.delete(keyOf(record));
    return result;
  }

  #lastReadAt(record: BillingRecord): number {
    return Math.max(this.#begunAt.get(keyOf(record)) ?? 0, this.store.known(record)?.readAt ?? 0);
  }
}

const keyOf = ({kind, id}: BillingRecord) => `${kind} ${id}`;
