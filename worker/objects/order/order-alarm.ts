import type {PendingEvents} from '../events/pending-events.ts';
import {closesAt, type OrderStore} from './order-store.ts';
import type {Pages} from './sockets.ts';

/** When an order wakes by itself: it has one alarm for all that it waits for. */
export class OrderAlarm {
  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly store: OrderStore,
    private readonly pages: Pages,
    private readonly pending: PendingEvents,
  ) {}

  /** Plans the next one: the status of money or of a notice is due, an event is not handed over, the hours or a page's session are over, or the order closes. */
  async plan(): Promise<void> {
    const record = this.store.record();
    const due = [this.pages.nextEnd(), this.pending.dueAt()];
    if (record)
      due.push(
        closesAt(record),
        record.statusDueAt,
        record.notice?.dueAt ?? null,
        record.expiresAt > Date.now() ? record.expiresAt : null,
      );
    const next = Math.min(...due.filter((at) => at !== null));
    if (next < Infinity) await this.storage.setAlarm(next);
  }

  /** Of an order that is not kept: forgets what was noted of it besides, once it is told and no page is open. */
  async rest(): Promise<void> {
    if (this.store.record() || this.pages.nextEnd() !== null || this.pending.dueAt() !== null) return;
    await this.store.erase();
  }

  /** Plans only for the events that are not handed over yet: everything else is over. */
  async planLast(): Promise<void> {
    const due = this.pending.dueAt();
    if (due !== null) await this.storage.setAlarm(due);
  }
}
