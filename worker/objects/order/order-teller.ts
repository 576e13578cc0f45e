import type {Payment} from '../../contract/browser.ts';
import type {Objects} from '../../objects.ts';
import type {OrderTerms} from '../../session.ts';
import type {PendingEvents} from '../events/pending-events.ts';
import type {OrderAlarm} from './order-alarm.ts';
import type {OrderAskers} from './order-askers.ts';
import type {OrderEvents} from './order-notifier.ts';
import {isOpened, type OrderRecord, type OrderStore} from './order-store.ts';
import {describePayment} from './payment.ts';
import type {Pages} from './sockets.ts';

const HOUR_MS = 60 * 60_000;

/** Tells how an order's payment stands: its open pages at once, the merchant in events. */
export class OrderTeller {
  constructor(
    private readonly store: OrderStore,
    private readonly pages: Pages,
    private readonly events: OrderEvents,
    private readonly pending: PendingEvents,
    private readonly alarm: OrderAlarm,
    private readonly askers: OrderAskers,
    private readonly objects: () => Objects,
  ) {}

  /** What a page shows. Before there is something to pay with it is read off the terms and the amount, and nothing is kept. */
  show(terms: OrderTerms): Payment {
    const record = this.store.record();
    if (record && isOpened(record)) return this.describe(record);
    const now = Date.now();
    const amount = record?.amount ?? terms.amount;
    return describePayment(
      {
        amount,
        expiresAt: now + terms.hours * HOUR_MS,
        completed: false,
        arrivals: [],
        notice: null,
        handedOverAt: null,
      },
      now,
      now,
    );
  }

  describe(record: OrderRecord): Payment {
    return describePayment(this.store.facts(record), Date.now(), this.askers.asOf(record));
  }

  /** Tells the merchant and the open pages what changed, and plans the next look of our own. */
  async tell(): Promise<void> {
    const record = this.store.record();
    if (record) {
      const payment = this.describe(record);
      // Before anything is awaited: the event is written down together with what it tells of, and with the alarm that repeats it.
      this.events.note(record, payment, Date.now());
      if (isOpened(record)) this.pages.tell(payment);
    }
    await this.alarm.plan();
    if (this.pending.dueAt() === null) return;
    await this.pending.handOver(this.objects);
    await this.alarm.plan();
  }

  /** After a change that nobody knows of who asks the platform. */
  async tellAll(): Promise<void> {
    await this.tell();
    await this.askers.noteChange('sweep', 'charges');
  }

  /** Says the last that is to be said. False where the merchant cannot be told yet; then it is tried again. */
  async tellLast(record: OrderRecord): Promise<boolean> {
    this.events.note(record, this.describe(record), Date.now());
    await this.pending.handOver(this.objects);
    return this.pending.dueAt() === null;
  }
}
