import {DurableObject} from 'cloudflare:workers';
import {type Context, contextOf} from '../../context.ts';
import {mapAtOnce} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import {type Kurus, parseAmount} from '../../lib/money.ts';
import {nextHourInTurkey} from '../../lib/time.ts';
import type {NoticeOutcome, RefundNotice} from '../../platform/notifications.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import {stateOf} from '../../platform/statuses.ts';
import {PendingEvents} from '../events/pending-events.ts';
import {describeRefund, eventOf, hasResult, isBehind, agrees, isAmountOf, isOurs, isSameIban} from './refund-checks.ts';
import {FRESH_MS, RefundReader, type Said} from './refund-lookup.ts';
import {ClaimStore, type RefundClaim, type RefundNews, type RefundRow, RefundStore} from './refund-store.ts';

/** A refund that the platform took on through us. */
export interface OpenedRefund {
  readonly id: string;
  readonly service: string;
  readonly order: string;
  readonly amount: Kurus;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;

const CALLS_AT_ONCE = 6;
/** What is not looked at by then is answered `later`: whoever notifies does not wait for ever. */
const PATIENCE_MS = 6 * SECOND_MS;
/** When what could not be judged is looked at by ourselves, and a platform that failed is asked again. */
const UNJUDGED_MS = MINUTE_MS;
const AGAIN_MS = 15 * MINUTE_MS;
/** How long the platform is asked every morning for a result, and how long a refund is known. */
const ASKED_MS = 90 * DAY_MS;
const KNOWN_MS = 400 * DAY_MS;
/** How long what only a notification claims is looked for while the platform knows of nothing. */
const CLAIMED_MS = 3 * DAY_MS;
/** Who has one true key can make some more: what is claimed beyond this is judged where the platform knows it, but not looked for. */
const MOST_CLAIMS = 10_000;
const MOST_A_TURN = 200;
/** Results are sent at the end of a day: by then they are all there. */
const MORNING_HOUR = 8;

/**
 * Every refund we know of: made through us, or learnt from a notification. What a refund's state is, only the platform
 * says (`refund/get`); a notification makes us ask, and whoever opens a refund makes us ask each morning.
 *
 * A result and its event are written down together, and only then is a notification answered. If the process dies
 * - before a notification's refunds are written down: nobody was answered, and it is sent again;
 * - while the platform is asked: the claim stands there and is looked at a minute later, and a refund we knew is asked
 *   for next morning;
 * - after the result was written down: the event waits beside it, and the alarm hands it over.
 */
export class Refunds extends DurableObject<Env> {
  readonly #store = new RefundStore(this.ctx.storage);
  readonly #claims = new ClaimStore(this.ctx.storage);
  readonly #pending = new PendingEvents(this.ctx.storage);
  readonly #reader = new RefundReader(() => this.#context);
  /** Orders whose money went back, to be told. */
  readonly #settled = new Map<string, Pick<RefundRow, 'service' | 'order'>>();

  /** Notes a refund that the platform took on; told again, nothing changes. */
  async opened(refund: OpenedRefund): Promise<void> {
    const now = Date.now();
    if (this.#store.add(refund, 1, now, nextMorning(now))) {
      this.#claims.dropAllOf(refund.id);
      const news = {
        amount: refund.amount,
        status: null,
        state: 'waiting',
        transaction_id: null,
        refund_time: null,
        bank_receipt_no: null,
      };
      this.#pending.add({type: 'refund.requested', key: refund.id, at: now, data: describeRefund(refund, news)});
    }
    await this.#schedule();
    await this.#finish();
  }

  /** Looks into what a notification claims, each for itself. */
  async notified(notices: readonly RefundNotice[]): Promise<NoticeOutcome[]> {
    const now = Date.now();
    // Before anything is asked: what we are cut off over is looked at by ourselves.
    this.#claims.note(
      notices.filter(({id}) => !this.#store.find(id)).filter(isClaim),
      now,
      now + UNJUDGED_MS,
      MOST_CLAIMS,
    );
    await this.#schedule();
    const outcomes = await mapAtOnce(CALLS_AT_ONCE, notices, (notice) => this.#judge(notice, now + PATIENCE_MS));
    await this.#finish();
    return outcomes;
  }

  override async alarm(): Promise<void> {
    const now = Date.now();
    this.#store.forgetBefore(now - KNOWN_MS);
    const unfound = this.#claims.forgetBefore(now - CLAIMED_MS);
    if (unfound > 0) log('warn', 'refund_unfound', {rows: unfound});
    await mapAtOnce(CALLS_AT_ONCE, this.#store.due(now, MOST_A_TURN), (refund) => this.#look(refund));
    await mapAtOnce(CALLS_AT_ONCE, this.#claims.due(now, MOST_A_TURN), (claim) => this.#lookFor(claim));
    await this.#finish();
  }

  get #context(): Context {
    return contextOf(this.env);
  }

  async #look(refund: RefundRow): Promise<void> {
    try {
      await this.#read(refund);
      const now = this.#store.find(refund.id);
      if (now?.due_at === null && !hasResult(now.state))
        log('error', 'refund_given_up', {service: now.service, order: now.order});
    } catch (error) {
      // An alarm that throws is given up after a few tries.
      log('error', 'internal_error', {error: describeError(error)});
      this.#store.setDueAt(refund.id, Date.now() + AGAIN_MS);
    }
  }

  async #lookFor(claim: RefundClaim): Promise<void> {
    let said;
    try {
      said = await this.#examine(claim);
    } catch (error) {
      log('error', 'internal_error', {error: describeError(error)});
      said = 'failed';
    }
    const now = Date.now();
    if (said === 'none') this.#claims.setDueAt(claim, nextMorning(now));
    else if (said === 'failed') this.#claims.setDueAt(claim, now + AGAIN_MS);
  }

  /** @param deadline after which the platform is asked no more. */
  async #judge(notice: RefundNotice, deadline: number): Promise<NoticeOutcome> {
    if (!isClaim(notice)) return 'wrong';
    const known = this.#store.find(notice.id);
    if (known && !agrees(notice, known)) return 'wrong';
    if (known && ((hasResult(known.state) && known.status === notice.status) || isFresh(known)))
      return this.#compare(notice);
    if (Date.now() >= deadline) {
      if (known) this.#store.setDueAt(known.id, Math.min(known.due_at ?? Infinity, Date.now() + UNJUDGED_MS));
      return 'later';
    }
    const said = known ? await this.#read(known) : await this.#examine(notice);
    if (said === 'none' || said === 'failed') return 'later';
    return said === 'wrong' || !isSameIban(notice.iban, said.refund_iban) ? 'wrong' : this.#compare(notice);
  }

  /** Holds a notification against what is kept now. */
  #compare(notice: RefundNotice): NoticeOutcome {
    const known = this.#store.find(notice.id);
    if (!known || !agrees(notice, known)) return 'wrong';
    // The platform tells of a result that it does not know itself yet.
    const ahead = hasResult(stateOf('refund', notice.status, this.#context.config.statuses)) && !hasResult(known.state);
    return ahead ? 'later' : 'stored';
  }

  /** Asks the platform for a refund and keeps what it says. */
  async #read(refund: RefundRow): Promise<Said<RefundRecord>> {
    const said = await this.#reader.read(refund.id);
    if (typeof said !== 'string' && this.#isOurs(said, refund)) return this.#keep(refund.id, said);
    this.#store.setDueAt(refund.id, said === 'failed' ? Date.now() + AGAIN_MS : this.#dueAt(refund));
    return said === 'failed' ? said : 'none';
  }

  /**
   * What the platform's books say to a claim, and a refund that is known where it is true. One that they know nothing of is kept: the platform may
   * tell of a refund before it can be read.
   */
  async #examine(claim: RefundClaim): Promise<Said<RefundRecord | 'wrong'>> {
    const {id, order} = claim;
    const said = await this.#reader.read(id);
    if (typeof said === 'string') return said;
    let isTrue = this.#isOurs(said, claim) && isAmountOf(said, claim);
    if (isTrue) {
      // The key proves neither where the order's reference ends nor where the amount begins.
      const refunds = await this.#reader.ofOrder(order);
      if (refunds === 'failed') return refunds;
      isTrue = refunds !== 'none' && refunds.has(id);
    }
    if (!isTrue) {
      this.#claims.drop(claim);
      return 'wrong';
    }
    this.#claims.dropAllOf(id);
    this.#store.add(claim, 0, Date.now(), nextMorning(Date.now()));
    return this.#keep(id, said);
  }

  #isOurs(said: RefundRecord, refund: Pick<RefundRow, 'id' | 'service'>): boolean {
    if (isOurs(said, refund, this.#context.config.merchant.id)) return true;
    log('warn', 'refund_foreign', {service: refund.service});
    return false;
  }

  /** Writes down what the platform says, in one go with the event that tells of it. */
  #keep(id: string, data: RefundRecord): Said<RefundRecord> {
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
    const news: RefundNews = {
      amount: parseAmount(data.amount ?? '') ?? known.amount,
      status,
      state,
      transaction_id,
      refund_time,
      bank_receipt_no,
      told: known.told,
    };
    const type = eventOf(known, news);
    const told = {...news, told: known.told + (type ? 1 : 0)};
    this.#store.keep(id, told, now, this.#dueAt({...known, ...told}));
    if (type)
      this.#pending.add({type, key: [id, known.told, status].join('\n'), at: now, data: describeRefund(known, news)});
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
    await this.#pending.handOver(() => this.#context.objects);
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
    const due = [this.#store.dueAt(), this.#claims.dueAt(), this.#pending.dueAt()].filter((at) => at !== null);
    await (due.length > 0
      ? this.ctx.storage.setAlarm(Math.max(Date.now(), Math.min(...due)))
      : this.ctx.storage.deleteAlarm());
  }
}

/** An amount that is none can be nobody's. */
function isClaim<T extends RefundNotice>(notice: T): notice is T & RefundClaim {
  return notice.amount !== null;
}

function isFresh({read_at}: RefundRow): boolean {
  return read_at !== null && Date.now() - read_at < FRESH_MS;
}

function nextMorning(now: number): number {
  return nextHourInTurkey(MORNING_HOUR, now);
}
