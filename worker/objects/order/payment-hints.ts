/** Payment notifications of one order: they say where to look, and what is found there counts. */

import type {Context} from '../../context.ts';
import {failureOf, isBroken} from '../../platform/failure.ts';
import type {NoticeOutcome} from '../../platform/notifications.ts';
import {stateOf} from '../../platform/statuses.ts';
import {type Arrival, toArrival, amountOf} from '../../platform/to-payment.ts';
import type {OrderTeller} from './order-notifier.ts';
import type {OrderRecord, OrderStore} from './order-store.ts';

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

/** Asks the platform what became of the money that arrived: no list of its shows that. */

/** Pauses between questions, the last one again and again until the order closes. */
const STATUS_CHECK_DELAYS_MS = [30_000, 2 * 60_000, 10 * 60_000, 60 * 60_000, 6 * 60 * 60_000];
const STATUS_CHECK_MAX_DELAY_MS = 6 * 60 * 60_000;

/** Asks for the status of all that arrived and plans the next time. False where the platform fails: what was not read is asked for again. */
export async function askStatuses(
  store: OrderStore,
  context: () => Pick<Context, 'platform' | 'config'>,
): Promise<boolean> {
  const asked = store.record()?.statusAsked ?? 0;
  const statusDueAt = Date.now() + (STATUS_CHECK_DELAYS_MS[asked] ?? STATUS_CHECK_MAX_DELAY_MS);
  // First of all: a question that is cut off is repeated, and not at once.
  store.update({statusDueAt});
  if (!(await readStatuses(store, context()))) return false;
  // Money that came in the meantime has asked for a turn of its own.
  if (store.record()?.statusDueAt === statusDueAt) store.update({statusAsked: asked + 1});
  return true;
}

async function readStatuses(
  store: OrderStore,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
): Promise<boolean> {
  for (const {id} of store.arrivals()) {
    try {
      const {transaction} = await platform.call('transactionGet', {id});
      store.learn(id, {
        state: stateOf('transaction', transaction.status, config.statuses),
        amount: amountOf(transaction),
      });
    } catch (error) {
      const failure = failureOf(error);
      if (isBroken(failure) || failure.outcome === 'unsent') return false;
    }
  }
  return true;
}
