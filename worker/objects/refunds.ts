import {DurableObject} from 'cloudflare:workers';
import {mapAtOnce} from '../at-once.ts';
import {type Context, contextOf} from '../context.ts';
import type {Env} from '../env.ts';
import {nextHourInTurkey} from '../instant.ts';
import {describeError, log} from '../log.ts';
import {type Kurus, parseAmount} from '../money.ts';
import {failureOf} from '../platform/failure.ts';
import type {RefundRecord} from '../platform/operations/refunds.ts';
import {allOf} from '../platform/rows.ts';
import {stateOf} from '../platform/statuses.ts';
import type {NoticeOutcome} from './notice-outcome.ts';
import {PendingEvents} from './pending-events.ts';
import {agrees, isOurs, isSameIban, type RefundNotice} from './refund-notice.ts';
import {describeRefund, eventOf, hasResult, isBehind} from './refund-progress.ts';
import {type RefundNews, type RefundRow, RefundStore} from './refund-store.ts';

/** A refund that the platform took on through us. */
export interface OpenedRefund {
  readonly id: string;
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
}

/** What the platform said when it was asked for a refund; none where it knows none, failed where it did not say. */
type Reading = RefundRecord | 'none' | 'failed';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

const CALLS_AT_ONCE = 6;
/** What is not looked at by then is answered `later`: whoever notifies does not wait for ever. */
const PATIENCE_MS = 6 * SECOND_MS;
/** What was read so recently is not read again, however often it is notified. */
const FRESH_MS = 10 * SECOND_MS;
/** When a notification that we were cut off over is looked at by ourselves, and a platform that failed is asked again. */
const CUT_OFF_MS = MINUTE_MS;
const AGAIN_MS = 15 * MINUTE_MS;
/** How long the platform is asked every morning for a result, and how long a refund is known. */
const ASKED_MS = 90 * DAY_MS;
const KNOWN_MS = 400 * DAY_MS;
/** How long one that only a notification named is looked for while the platform says nothing. */
const SUSPECTED_MS = 3 * DAY_MS;
const MOST_A_TURN = 200;
/** Results are sent at the end of a day: by then they are all there. */
const MORNING_HOUR = 8;

/**
 * Every refund we know of: made through us, or learnt from a notification. What a refund's state is, only the platform
 * says (`refund/get`); a notification makes us ask, and whoever opens a refund makes us ask each morning.
 *
 * A result and its event are written down together, and only then is a notification answered. If the process dies
 * - before a notification's refunds are written down: nobody was answered, and it is sent again;
 * - while the platform is asked: a refund we did not know stands there unproven and is looked at a minute later, one we
 *   knew is asked for next morning;
 * - after the result was written down: the event waits beside it, and the alarm hands it over.
 */
export class Refunds extends DurableObject<Env> {
  readonly #store = new RefundStore(this.ctx.storage);
  readonly #pending = new PendingEvents(this.ctx.storage);
  readonly #readings = new Map<string, Promise<Reading>>();
  /** Until when a refund that the platform does not know is not asked for again. */
  readonly #missing = new Map<string, number>();
  /** Orders whose money went back, to be told. */
  readonly #settled = new Map<string, Pick<RefundRow, 'service' | 'order'>>();

  /** Notes a refund that the platform took on; told again, nothing changes. */
  async opened(refund: OpenedRefund): Promise<void> {
    const now = Date.now();
    if (this.#store.open(refund, now, nextMorning(now))) {
      const known = this.#store.find(refund.id);
      const news = {amount: refund.amount, status: known?.status ?? null, state: known?.status ? known.state : 'waiting', transaction_id: null, refund_time: null, bank_receipt_no: null};
      this.#pending.add({type: 'refund.requested', key: refund.id, at: now, data: describeRefund(refund, news)});
    }
    await this.#schedule();
    await this.#finish();
  }

  /** Looks into what a notification claims, each for itself. */
  async notified(notices: readonly RefundNotice[]): Promise<NoticeOutcome[]> {
    const now = Date.now();
    // Before anything is asked: what we are cut off over is looked at by ourselves.
    for (const notice of notices) if (!this.#isMissing(notice.id)) this.#store.suspect(notice, now, now + CUT_OFF_MS);
    await this.#schedule();
    const outcomes = await mapAtOnce(CALLS_AT_ONCE, notices, (notice) => this.#judge(notice, now + PATIENCE_MS));
    await this.#finish();
    return outcomes;
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#store.forgetBefore(now - KNOWN_MS, now - SUSPECTED_MS);
    await mapAtOnce(CALLS_AT_ONCE, this.#store.due(now, MOST_A_TURN), async (refund) => {
      try {
        await this.#read(refund);
      } catch (error) {
        // An alarm that throws is given up after a few tries.
        log('error', 'internal_error', {error: describeError(error)});
        this.#store.setDueAt(refund.id, Date.now() + AGAIN_MS);
      }
    });
    await this.#finish();
  }

  get #context(): Context {
    return contextOf(this.env);
  }

  async #judge(notice: RefundNotice, deadline: number): Promise<NoticeOutcome> {
    const known = this.#store.find(notice.id);
    if (!known || (known.proven && !agrees(notice, known))) return 'wrong';
    if (known.proven && hasResult(known.state) && known.status === notice.status) return 'stored';
    if (!isFresh(known)) {
      if (Date.now() >= deadline) return 'later';
      const reading = await this.#read(known);
      if (reading === 'failed' || (reading === 'none' && known.proven)) return 'later';
      if (reading === 'none' || !isSameIban(notice.iban, reading.refund_iban)) return 'wrong';
    }
    const now = this.#store.find(notice.id);
    if (!now?.proven || !agrees(notice, now)) return 'wrong';
    // The platform tells of a result that it does not know itself yet.
    const ahead = hasResult(stateOf('refund', notice.status, this.#context.config.statuses)) && !hasResult(now.state);
    return ahead ? 'later' : 'stored';
  }

  /** Asks the platform for a refund once, however many want to know, and keeps what it says. */
  #read(refund: RefundRow): Promise<Reading> {
    let reading = this.#readings.get(refund.id);
    if (!reading) {
      reading = this.#ask(refund).finally(() => this.#readings.delete(refund.id));
      this.#readings.set(refund.id, reading);
    }
    return reading;
  }

  async #ask(refund: RefundRow): Promise<Reading> {
    const {platform, config} = this.#context;
    try {
      const {data} = await platform.call('refundGet', {id: refund.id});
      const ours = isOurs(data, refund, config.merchant.id) && (refund.proven || (await this.#isOfOrder(refund)));
      if (ours) return this.#keep(refund.id, data);
      log('warn', 'refund_foreign', {service: refund.service});
      return this.#miss(refund);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.outcome === 'refused' && NONE.has(failure.status)) return this.#miss(refund);
      this.#store.setDueAt(refund.id, Date.now() + AGAIN_MS);
      return 'failed';
    }
  }

  /** The key proves neither where the order's reference ends nor where the amount begins. */
  async #isOfOrder({id, order}: RefundRow): Promise<boolean> {
    const {data} = await this.#context.platform.call('refundGetByOrder', {order});
    return allOf('refundGetByOrder', data).some((refund) => refund.id === id);
  }

  /** The platform knows no such refund: one that only a notification named is none. */
  #miss({id}: RefundRow): 'none' {
    this.#store.drop(id);
    this.#missing.set(id, Date.now() + FRESH_MS);
    const known = this.#store.find(id);
    if (known) this.#store.setDueAt(id, this.#dueAt(known));
    return 'none';
  }

  #isMissing(id: string): boolean {
    const now = Date.now();
    for (const [missing, until] of this.#missing) if (until <= now) this.#missing.delete(missing);
    return this.#missing.has(id);
  }

  /** Writes down what the platform says, in one go with the event that tells of it. */
  #keep(id: string, data: RefundRecord): Reading {
    const known = this.#store.find(id);
    if (!known) return 'none';
    const now = Date.now();
    const {status, transaction_id, refund_time, bank_receipt_no} = data;
    const state = stateOf('refund', status, this.#context.config.statuses);
    if (isBehind(state, known.state)) {
      // What was read later was said earlier, or the platform went back on its word: the later status stays.
      log('warn', 'refund_went_back', {service: known.service, ...(status !== null && {platform_status: status})});
      this.#store.keep(id, known, now, this.#dueAt(known));
      return data;
    }
    const news: RefundNews = {amount: parseAmount(data.amount ?? '') ?? known.amount, status, state, transaction_id, refund_time, bank_receipt_no, told: known.told};
    const type = eventOf(known, news);
    const told = {...news, told: known.told + (type ? 1 : 0)};
    this.#store.keep(id, told, now, this.#dueAt({...known, ...told}));
    if (type) this.#pending.add({type, key: [id, known.told, status].join('\n'), at: now, data: describeRefund(known, news)});
    if (type === 'refund.settled') this.#settled.set(id, known);
    void this.#schedule();
    return data;
  }

  /** A refund without a result is asked for every morning, for a while. */
  #dueAt({state, known_at}: Pick<RefundRow, 'state' | 'known_at'>): number | null {
    const now = Date.now();
    return hasResult(state) || now - known_at > ASKED_MS ? null : nextMorning(now);
  }

  async #finish(): Promise<void> {
    await this.#pending.handOver(this.#context.objects);
    await this.#tellOrders();
    await this.#schedule();
  }

  /** Their pages and merchants hear of it hours earlier; an order that is not told asks by itself. */
  async #tellOrders(): Promise<void> {
    const orders = [...this.#settled.values()];
    this.#settled.clear();
    await mapAtOnce(CALLS_AT_ONCE, orders, async ({service, order}) => {
      try {
        await this.#context.objects.order(service, order).recheck();
      } catch (error) {
        log('warn', 'delivery_failed', {service, order, error: describeError(error)});
      }
    });
  }

  /** The next alarm: a refund is to be asked for, or an event is not handed over. */
  async #schedule(): Promise<void> {
    const due = [this.#store.dueAt(), this.#pending.dueAt()].filter((at) => at !== null);
    await (due.length > 0 ? this.ctx.storage.setAlarm(Math.max(Date.now(), Math.min(...due))) : this.ctx.storage.deleteAlarm());
  }
}

/** What the platform says to an id that it does not know, or that is nobody's. */
const NONE = new Set(['404', 'ERR_006', 'ERR_014']);

function isFresh({proven, read_at}: RefundRow): boolean {
  return proven === 1 && read_at !== null && Date.now() - read_at < FRESH_MS;
}

function nextMorning(now: number): number {
  return nextHourInTurkey(MORNING_HOUR, now);
}
