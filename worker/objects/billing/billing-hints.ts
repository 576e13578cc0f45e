/**
 * Notifications of mobile billing. What they claim is not proved, so they are only hints that records may have changed.
 * A hint plans the next search of the list that has the record. Where the platform cannot be searched by the time of
 * change, the record is read at once, and the hint is not stored.
 */

import {MINUTE_MS} from '../../lib/durations.ts';
import type {BillingRecordKind, NotificationOutcome} from '../../platform/notifications.ts';
import type {BillingChangesStore} from './billing-changes-store.ts';
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

export class BillingHints {
  constructor(
    private readonly lists: Readonly<Record<BillingRecordKind, WakeableList>>,
    private readonly store: BillingChangesStore,
    private readonly changes: BillingChanges,
  ) {}

  /** @returns how the notification is answered. The platform repeats it after `retry`. */
  async receive(service: string, kind: BillingRecordKind, ids: readonly string[]): Promise<NotificationOutcome> {
    if (this.lists[kind].wake(Date.now())) return 'accepted';
    let outcome: NotificationOutcome = ids.length > MAX_READS ? 'retry' : 'accepted';
    for (const id of ids.slice(0, MAX_READS)) {
      const readAt = this.store.known({kind, id})?.readAt ?? 0;
      if (Date.now() < readAt + REREAD_DELAY_MS) return 'retry';
      const read = await this.changes.readNamed({kind, id}, service);
      if (read === 'retry') return read;
      if (read === 'invalid' && outcome === 'accepted') outcome = read;
    }
    return outcome;
  }
}
