import type {Objects} from '../../objects.ts';
import type {OrderRecord, OrderStore} from './order-store.ts';
import {type Looked, OrderLooks} from './order-watchers.ts';
import {describePayment, isSettled} from './payment.ts';
import type {Pages} from './sockets.ts';

/** Who asks the platform for an order's money: its service's sweep for transfers, and the list of charges while the common payment page is open. */
export type Asker = 'sweep' | 'charges';

/** What an asker is told of an order that it told of money. */
export interface Received {
  /** Whether nothing more is awaited. */
  readonly settled: boolean;
}

/** Keeps those who ask the platform for an order's money in the picture: whether somebody looks, and whether anything is awaited still. */
export class OrderAskers {
  readonly #looks: Readonly<Record<Asker, OrderLooks>>;

  constructor(
    private readonly store: OrderStore,
    private readonly pages: Pages,
    objects: () => Objects,
  ) {
    this.#looks = {
      sweep: new OrderLooks((service, look) => objects().sweep(service).look(look)),
      charges: new OrderLooks((service, look) => objects().charges(service).look(look)),
    };
  }

  /** When the platform was last asked for this order, as far as is known; epoch milliseconds. */
  asOf({createdAt}: OrderRecord): number {
    return Math.max(this.#looks.sweep.asOf ?? createdAt, this.#looks.charges.asOf ?? 0);
  }

  noteAsked(asker: Asker, asOf: number): void {
    this.#looks[asker].noteAsked(asOf);
  }

  /** Somebody looks, or nobody any more. */
  async noteLook(record: OrderRecord, change: {opened?: boolean; listens?: boolean} = {}): Promise<void> {
    const looked = {...this.#looked(record), ...change};
    if (record.code !== null) await this.#looks.sweep.note(looked);
    if ((record.pageUntil ?? 0) > Date.now()) await this.#looks.charges.note(looked);
  }

  /** The order changed, and these do not know. */
  async noteChange(...askers: readonly Asker[]): Promise<void> {
    for (const asker of askers) {
      const record = this.store.record();
      if (record) await this.#looks[asker].noteChange(this.#looked(record));
    }
  }

  /** What one hears who told of money. */
  received(asker: Asker): Received {
    const record = this.store.record();
    const settled = record !== undefined && this.#looked(record).settled;
    this.#looks[asker].noteTold(settled);
    return {settled};
  }

  #looked(record: OrderRecord): Looked {
    const now = Date.now();
    const settled = isSettled(describePayment(this.store.facts(record), now, now));
    return {service: record.service, order: record.order, settled, listens: this.pages.count() > 0};
  }
}
