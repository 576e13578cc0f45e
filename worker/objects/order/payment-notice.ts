/** The payment notices of one order: creates them, checks whether the platform has them, and limits them. */

import type {Context} from '../../context.ts';
import type {EventData} from '../../contract/merchant/descriptions/events.ts';
import {digest} from '../../lib/crypto.ts';
import {DAY_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatAmount, type Kurus, normalizeAmount} from '../../lib/money.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {failureOf, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import {stateOf} from '../../platform/statuses.ts';
import type {OrderTerms} from '../../session.ts';
import {runSafely} from '../alarm.ts';
import {atMost} from '../limits/guard-rules.ts';
import type {GuardTicket, GuardResult} from '../limits/guard.ts';
import type {OrderNotifier} from './order-notifier.ts';
import type {OrderRecord, OrderStore, Prefill, StoredNotice} from './order-store.ts';
import {describePayment, isSettled} from './payment.ts';

/** What the shopper says. */
export interface NoticeInput {
  /** Code of the bank it was sent to. */
  readonly bank: string;
  /** What they say they sent; null where they do not say. */
  readonly amount: Kurus | null;
  /** Who they are and when they sent it, in the platform's words. */
  readonly shopper: NonNullable<OperationInput<'paymentNotificationCreate'>['PaymentNotification']>;
}

export type NoticeResult =
  /** The platform's code of the notice. */
  | {readonly code: string}
  | {readonly failure: PlatformFailure}
  /** The order has no code that anybody could have forgotten. */
  | {readonly absent: true}
  /** Enough was said of it for now. */
  | {readonly limited: {readonly retryAfterSeconds: number}};

/** The same, for whom nothing is limited. */
export type ServerNoticeResult = Extract<NoticeResult, {readonly code: string} | {readonly failure: PlatformFailure}>;

type Notice = NoticeInput & {readonly amount: Kurus};

/** Who says the same again within so long has said it once. */
const DEDUPLICATION_MS = MINUTE_MS;

/** Tells the platform of transfers whose description had no code. */
export class PaymentNotices {
  #last: {readonly fingerprint: string; readonly at: number; readonly result: Promise<NoticeResult>} | undefined;

  constructor(
    private readonly store: OrderStore,
    private readonly notifier: OrderNotifier,
    private readonly context: () => Context,
  ) {}

  /** What a notice begins with: what is known of the shopper, and what the order lacks, or all of it where it lacks nothing. */
  prefill(terms: Pick<OrderTerms, 'amount'>): Prefill & {readonly amount: Kurus} {
    return {...this.store.prefill(), amount: this.store.due(terms) || (this.store.record() ?? terms).amount};
  }

  async create({bank, amount, shopper}: NoticeInput): Promise<NoticeResult> {
    const record = this.store.record();
    if (!record?.code) return {absent: true};
    const notice = {bank, amount: amount ?? this.prefill(record).amount, shopper};
    const fingerprint = await digest('SHA-256', JSON.stringify([bank, notice.amount, {...shopper, user_ip: null}]));
    const last = this.#last;
    if (last?.fingerprint === fingerprint && last.at > Date.now() - DEDUPLICATION_MS) return last.result;
    const result = this.#submit(record, notice);
    this.#last = {fingerprint, at: Date.now(), result};
    let isCreated = false;
    try {
      isCreated = 'code' in (await result);
    } finally {
      if (!isCreated) this.#last = undefined;
    }
    return result;
  }

  /** Somebody looks, as who comes back from the platform's page does: it may have the notice by now. Never throws: nobody waits for it. */
  async checkOnView(): Promise<void> {
    const order = this.store.record()?.order;
    if (order === undefined) return;
    await runSafely({order}, async () => {
      if (await checkNotice(this.store, 'view', this.context)) await this.notifier.notify();
    });
  }

  /** Asks where it is time to; whoever wakes the order tells of what it learns. */
  async checkIfDue(): Promise<void> {
    await checkNotice(this.store, 'alarm', this.context);
  }

  /** The merchant's own server tells of one, of an order that may not be kept here; nobody counts what it says. */
  async createForServer(input: OperationInput<'paymentNotificationCreate'>): Promise<ServerNoticeResult> {
    const {code: service, order, bank, amount} = input;
    try {
      const {code} = await this.context().platform.call('paymentNotificationCreate', input);
      await this.#recordCreated({service, order, bank, amount: normalizeAmount(amount), notice_code: code});
      return {code};
    } catch (error) {
      return {failure: failureOf(error)};
    }
  }

  async #submit(record: OrderRecord, notice: Notice): Promise<NoticeResult> {
    const permit = await acquireNoticePermit(record, this.context());
    if ('limited' in permit) return permit;
    const result = await sendNotice(this.context().platform, record, notice);
    if (!('code' in result)) {
      await releaseNoticePermit(permit.ticket, this.context());
      return result;
    }
    const {bank, amount} = notice;
    const {service, order} = record;
    this.store.update({notice: newNotice(result.code, {at: Date.now(), bank, amount})});
    await this.#recordCreated({service, order, bank, amount: formatAmount(amount), notice_code: result.code});
    return result;
  }

  /** From the platform's answer to here nothing is awaited. */
  #recordCreated(data: EventData<'payment_notice.created'>): Promise<void> {
    return this.notifier.notifyOf({type: 'payment_notice.created', key: data.notice_code, at: Date.now(), data});
  }
}

async function sendNotice(
  platform: PlatformClient,
  {service, order}: OrderRecord,
  {bank, amount, shopper}: Notice,
): Promise<NoticeResult> {
  try {
    return await platform.call('paymentNotificationCreate', {
      code: service,
      order,
      bank,
      amount: formatAmount(amount),
      PaymentNotification: shopper,
    });
  } catch (error) {
    return {failure: failureOf(error)};
  }
}

/**
 * Delays before the order asks the platform by itself whether it has the notice: the shopper submits it on a page of the
 * platform, or turns back there.
 */
const FIRST_CHECK_MS = 10_000;
const CHECK_DELAYS_MS = [FIRST_CHECK_MS, 20_000, 40_000, 80_000, 160_000, 320_000, 640_000, 1_280_000];
/** Who looks has it asked for sooner, but the longer it goes on the more seldom. */
const VIEW_CHECK_STEP_MS = 5_000;
const VIEW_CHECK_MAX_MS = MINUTE_MS;

/** The platform takes a number for it (orders 4.4); what it called the notice is text. */
const NUMERIC_CODE = /^\d{1,20}$/;

/** A notice that the platform has just made. */
export function newNotice(code: string, facts: Pick<StoredNotice, 'at' | 'bank' | 'amount'>): StoredNotice {
  return {
    ...facts,
    code,
    sent: false,
    asked: 0,
    askedAt: facts.at,
    dueAt: NUMERIC_CODE.test(code) ? facts.at + FIRST_CHECK_MS : null,
  };
}

/**
 * Asks where it is time to, because somebody looks or by itself. One that the platform dropped is forgotten, so that
 * the shopper may tell again; a status that nobody knows changes nothing.
 * @returns whether anything was learnt.
 */
export async function checkNotice(
  store: OrderStore,
  why: 'view' | 'alarm',
  context: () => Pick<Context, 'platform' | 'config'>,
): Promise<boolean> {
  const record = store.record();
  const notice = record?.notice;
  if (!notice || !NUMERIC_CODE.test(notice.code) || !isCheckDue(notice, why)) return false;
  const now = Date.now();
  const isOver = isSettled(describePayment(store.facts(record), now, now));
  const checkCount = notice.asked + 1;
  const delayMs = notice.sent || isOver ? undefined : CHECK_DELAYS_MS[checkCount];
  // First of all: a question that is cut off is repeated, and not at once.
  store.update({
    notice: {...notice, asked: checkCount, askedAt: now, dueAt: delayMs === undefined ? null : now + delayMs},
  });
  if (isOver) return false;
  const state = await readNoticeState(notice, context());
  const known = store.record()?.notice;
  if (known?.code !== notice.code) return false;
  if (state === 'inactive') store.update({notice: undefined});
  else if (!known.sent && (state === 'processing' || state === 'approved'))
    store.update({notice: {...known, sent: true, dueAt: null}});
  else return false;
  return true;
}

function isCheckDue({dueAt, askedAt, asked: checkCount, sent}: StoredNotice, why: 'view' | 'alarm'): boolean {
  const now = Date.now();
  if (why === 'alarm') return dueAt !== null && now >= dueAt;
  return (
    now >= askedAt + (sent ? VIEW_CHECK_MAX_MS : Math.min(VIEW_CHECK_MAX_MS, VIEW_CHECK_STEP_MS * (checkCount + 1)))
  );
}

async function readNoticeState(
  {code}: StoredNotice,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
): Promise<string | undefined> {
  try {
    const {paymentNotification} = await platform.call('paymentNotificationGet', {id: code});
    return stateOf('payment_notice', paymentNotification.status, config.statuses);
  } catch (error) {
    // What the platform does not say now is asked for again; an error that is not the platform's is thrown on.
    failureOf(error);
    return undefined;
  }
}

/** Of tries, whatever came of them: as many as of notices a day. */
const ATTEMPT_WINDOW_MS = 10 * MINUTE_MS;

type NoticePermit = {readonly ticket: GuardTicket | null} | {readonly limited: {readonly retryAfterSeconds: number}};

/**
 * Whether an order may have another payment notice. Somebody reads every one, so a day has few; what came to nothing is
 * given back by its ticket, and then only a shorter limit holds, of tries.
 */
export async function acquireNoticePermit(
  {service, order}: Pick<OrderTerms, 'service' | 'order'>,
  {config, objects}: Context,
): Promise<NoticePermit> {
  const limit = config.limits.orderNoticesPerDay;
  if (limit === null) return {ticket: null};
  const guard = `notices ${service}/${order}`;
  const permit: GuardResult = await (await objects.guard(guard)).acquire([atMost(limit, DAY_MS)]);
  if (!permit.allowed) return {limited: permit};
  const ticket = permit.permitId === null ? null : {guard, taking: permit.permitId};
  const attempt = await (await objects.guard(`tried ${guard}`)).acquire([atMost(limit, ATTEMPT_WINDOW_MS)]);
  if (attempt.allowed) return {ticket};
  await releaseNoticePermit(ticket, {objects});
  return {limited: attempt};
}

export async function releaseNoticePermit(
  ticket: GuardTicket | null,
  {objects}: Pick<Context, 'objects'>,
): Promise<void> {
  if (ticket) await (await objects.guard(ticket.guard)).release(ticket.taking);
}
