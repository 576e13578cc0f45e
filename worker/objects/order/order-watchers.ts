import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import type {OrderRecord, OrderStore} from './order-store.ts';
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

/** Tells the sweep who looks at an order, as seldom as it can be told. */

/** Tells the sweep, which says when the platform was last asked. */
type TellSweep = (service: string, look: Look) => Promise<{asOf: number | null}>;

/** How long after a read a page counts as still looking. */
const LOOKED_MS = 90_000;
/** A page with a socket looks until the socket closes; this bounds a close that was never heard. */
const SOCKET_LOOKED_MS = 24 * 60 * 60_000;
/** The sweep is everybody's: it is not told more often than this that somebody looks. */
const PAUSE_MS = 2_000;

/** What is known of an order when somebody looks. */
export interface Looked {
  readonly service: string;
  readonly order: string;
  /** Whether the order awaits nothing more. */
  readonly settled: boolean;
  /** Whether a page listens, and does not only read. */
  readonly listens: boolean;
  /** Whether that page was just opened. */
  readonly opened?: boolean;
}

export class OrderLooks {
  /** When the sweep was last told that somebody looks, and what. */
  #toldAt = 0;
  #until = 0;
  #settled = false;
  #asOf: number | null = null;

  constructor(private readonly tell: TellSweep) {}

  /** When the platform was last asked, as far as is known; epoch milliseconds. */
  get asOf(): number | null {
    return this.#asOf;
  }

  /** The platform was asked. */
  noteAsked(asOf: number): void {
    this.#asOf = asOf;
  }

  /** Somebody looks. What the order knows is true also where the sweep cannot be told, and that goes on at its slower pace. */
  async note({service, order, settled, listens, opened = false}: Looked): Promise<void> {
    const now = Date.now();
    const until = now + (listens ? SOCKET_LOOKED_MS : LOOKED_MS);
    // A page that reads again and again tells nothing new.
    const isNews = settled !== this.#settled || Math.abs(until - this.#until) >= PAUSE_MS;
    if (now - this.#toldAt < PAUSE_MS && !isNews) return;
    this.#toldAt = now;
    this.#until = until;
    this.#settled = settled;
    try {
      const {asOf} = await this.tell(service, {order, until, opened, settled});
      if (asOf !== null) this.#asOf = Math.max(asOf, this.#asOf ?? 0);
    } catch (error) {
      log('warn', 'look_failed', {order, error: describeError(error)});
    }
  }

  /** The order changed without the sweep: those who look may have less to wait for, or more. */
  async noteChange(looked: Looked): Promise<void> {
    const isLooked = looked.listens || this.#until > Date.now();
    if (isLooked && looked.settled !== this.#settled) await this.note(looked);
  }

  /** The sweep hears it with the answer to what it told. */
  noteTold(settled: boolean): void {
    this.#settled = settled;
  }
}

export interface Look {
  readonly order: string;
  /** Until when the page counts as looking, epoch milliseconds. */
  readonly until: number;
  /** Whether the page was just opened; one that comes back after a while counts as opened anyway. */
  readonly opened: boolean;
  /** Whether the order awaits nothing more. */
  readonly settled: boolean;
}
