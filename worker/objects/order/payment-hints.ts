/** Payment notifications of one order: they say where to look, and what is found there counts. */

import type {Context} from '../../context.ts';
import {failureOf} from '../../platform/failure.ts';
import type {NoticeOutcome} from '../../platform/notifications.ts';
import {stateOf} from '../../platform/statuses.ts';
import {type Arrival, toArrival} from '../../platform/to-payment.ts';
import type {OrderRecord, OrderStore} from './order-store.ts';
import type {OrderTeller} from './order-teller.ts';

/** What the platform says to an id that it does not know. */
const NONE: ReadonlySet<string> = new Set(['404', 'ERR_006']);

/** What was asked for so recently is not asked for again, however often it is notified. */
const FRESH_MS = 10_000;

export class PaymentHints {
  readonly #taken = new Map<string, {readonly outcome: Promise<NoticeOutcome>; freshUntil: number}>();

  constructor(
    private readonly store: OrderStore,
    private readonly teller: OrderTeller,
    private readonly context: () => Context,
  ) {}

  /** What became of the hint: that of the last one of the same transaction, where that is still under way or a moment ago. */
  async hear(id: string): Promise<NoticeOutcome> {
    const record = this.store.record();
    if (!record) return 'stored';
    const last = this.#taken.get(id);
    if (last && Date.now() < last.freshUntil) return last.outcome;
    const taken = {outcome: this.#note(id, this.#take(id, record)), freshUntil: Infinity};
    this.#taken.set(id, taken);
    return taken.outcome;
  }

  async #take(id: string, record: OrderRecord): Promise<NoticeOutcome> {
    const arrival = await readHinted(id, record, this.context());
    if (typeof arrival === 'string') return arrival;
    // It may have closed meanwhile.
    if (!this.store.record()) return 'stored';
    if (this.store.addArrivals([arrival])) this.store.askStatusNow();
    else this.store.learn(id, arrival);
    await this.teller.tellAll();
    return 'stored';
  }

  async #note(id: string, hearing: Promise<NoticeOutcome>): Promise<NoticeOutcome> {
    let freshUntil = 0;
    try {
      const outcome = await hearing;
      if (outcome !== 'later') freshUntil = Date.now() + FRESH_MS;
      return outcome;
    } finally {
      const taken = this.#taken.get(id);
      if (freshUntil === 0) this.#taken.delete(id);
      else if (taken) taken.freshUntil = freshUntil;
      for (const [other, {freshUntil: until}] of this.#taken) if (until < Date.now()) this.#taken.delete(other);
    }
  }
}

/** The money of this order that the id stands for, or why there is none. */
async function readHinted(
  id: string,
  {service, order, code}: OrderRecord,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
): Promise<Arrival | NoticeOutcome> {
  try {
    const {transaction} = await platform.call('transactionGet', {id});
    const isOurs = transaction.order_refno === order || (code !== null && transaction.code === code);
    if (!isOurs || (transaction.service_code ?? service) !== service) return 'wrong';
    const arrival = toArrival(transaction, Date.now());
    return arrival ? {...arrival, state: stateOf('transaction', transaction.status, config.statuses)} : 'stored';
  } catch (error) {
    const failure = failureOf(error);
    return failure.outcome === 'refused' && NONE.has(failure.status) ? 'wrong' : 'later';
  }
}
