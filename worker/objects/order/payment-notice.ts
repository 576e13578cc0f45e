/** Sends the payment notices of one order, checks whether the shopper submitted them, and limits their number. */

import type {Context} from '../../context.ts';
import {digest} from '../../lib/crypto.ts';
import {DAY_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatAmount, type Kurus, parseAmount} from '../../lib/money.ts';
import {nextTryAt, type Retry} from '../../lib/retry.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {areValuesRefused, failureOf, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import {stateOf} from '../../platform/statuses.ts';
import type {OrderTerms} from '../../session.ts';
import {count, counterOf, orderGuard, release, type Ticket} from '../limits/counting.ts';
import {refusalOf, withCall} from './order-calls.ts';
import type {OrderAccess} from './order-effects.ts';
import {costOf} from './order-parts.ts';
import {dueOf, factsOf, type OrderRecord, type OrderState, type Prefill, withRecord} from './order-state.ts';
import {areSettled, type StoredNotice} from './payment.ts';

/** What the shopper enters in the form of a payment notice. */
export interface NoticeInput {
  /** Code of the bank that received the transfer. */
  readonly bank: string;
  /** The amount of the transfer; null when the shopper does not give an amount. */
  readonly amount: Kurus | null;
  /** The shopper's personal data and the time of the transfer, under the platform's field names. */
  readonly shopper: NonNullable<OperationInput<'paymentNotificationCreate'>['PaymentNotification']>;
}

export type NoticeResult =
  /** The platform's code of the notice. */
  | {readonly code: string}
  | {readonly failure: PlatformFailure}
  /** The order has no order code, so no transfer can lack the code. */
  | {readonly absent: true}
  /** The order has had too many notices recently. */
  | {readonly limited: {readonly retryAfterSeconds: number}};

/** The result for the merchant's server, whose notices are not limited. */
export type ServerNoticeResult = Extract<NoticeResult, {readonly code: string} | {readonly failure: PlatformFailure}>;

type Notice = NoticeInput & {readonly amount: Kurus};

/** If a notice is repeated within this time, it is sent only once. */
const DEDUPLICATION_MS = MINUTE_MS;

/** Sends the platform notices of transfers whose description lacks the order code. */
export class PaymentNotices {
  #last: {readonly fingerprint: string; readonly at: number; readonly result: Promise<NoticeResult>} | undefined;

  constructor(private readonly order: OrderAccess) {}

  /**
   * Sends the platform a notice of a transfer whose description lacks the order code. If pages repeat the same notice
   * within a minute, the notice is sent only once. If the answer was lost, a repeated notice is sent again; this does
   * no harm, because a person at the platform reads the notices. The shopper's personal data is not stored.
   */
  async create({bank, amount, shopper}: NoticeInput): Promise<NoticeResult> {
    const state = this.order.state();
    const {record} = state;
    if (!record?.code) return {absent: true};
    const notice = {bank, amount: amount ?? noticePrefill(state, record).amount, shopper};
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
    const refusal = refusalOf(await result, 'paymentNotificationCreate');
    if (refusal)
      await this.order.commit((known, now) => withCall(known, {what: 'notice.failed', by: null, refusal}, now));
    return result;
  }

  /**
   * Checks the notices when a page views the order, because the shopper may just have submitted one on the platform's
   * page. Never throws, because no caller awaits the result.
   */
  async checkOnView(): Promise<void> {
    try {
      await checkNotices(this.order, 'view');
    } catch (error) {
      log('error', 'internal_error', {error: describeError(error)});
    }
  }

  /**
   * Sends a notice for the merchant's server, without limits. If the order is stored here, pages show the notice like one
   * of the shopper's, and its state is checked.
   */
  async createForServer(input: OperationInput<'paymentNotificationCreate'>, by: string): Promise<ServerNoticeResult> {
    const {code: service, order, bank, amount} = input;
    try {
      const {code} = await this.order.services().platform.call('paymentNotificationCreate', input);
      await this.#record({service, order}, code, {bank, amount: parseAmount(amount) ?? 0}, by);
      return {code};
    } catch (error) {
      return {failure: failureOf(error)};
    }
  }

  async #submit(record: OrderRecord, notice: Notice): Promise<NoticeResult> {
    const permit = await countNotice(record, this.order.services());
    if ('limited' in permit) return permit;
    const result = await sendNotice(this.order.services().platform, record, notice);
    if (!('code' in result)) {
      await release(this.order.services().objects, permit.tickets);
      return result;
    }
    await this.#record(record, result.code, notice);
    return result;
  }

  /** Nothing is awaited between the platform's answer and this call, so the event is never lost. */
  #record(
    {service, order}: Pick<OrderRecord, 'service' | 'order'>,
    code: string,
    {bank, amount}: Pick<Notice, 'bank' | 'amount'>,
    by?: string,
  ): Promise<void> {
    const notice = {service, order, bank_code: bank, amount: formatAmount(amount), notice_code: code};
    return this.order.commit(
      (known, now) => withNotice(known, code, {at: now, bank, amount, ...(by !== undefined && {by})}),
      {
        is: 'notice',
        notice,
      },
    );
  }
}

/**
 * The initial content of the form: the shopper's data and the amount still to pay. If nothing is left to pay, the form
 * shows the order's whole amount.
 */
export function noticePrefill(
  order: OrderState,
  terms: Pick<OrderTerms, 'amount'>,
): Prefill & {readonly amount: Kurus} {
  return {...order.prefill, amount: dueOf(order, terms) || costOf(order.record ?? terms)};
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
 * When the alarm checks a notice, until the platform has approved or dropped it: whether the shopper has submitted the
 * notice on the platform's page, and what the platform's staff did.
 */
const CHECK: Retry = {firstMs: 10 * SECOND_MS, maxMs: DAY_MS};
/** The platform's staff need longer than a shopper who submits a form. */
const RECEIVED_CHECK_MIN_MS = 15 * MINUTE_MS;
/** A page that views the order causes more checks. The interval between these checks grows up to the maximum. */
const VIEW_CHECK_MIN_MS = 5_000;
const VIEW_CHECK_MAX_MS = MINUTE_MS;
/** How many notices of an order are stored. */
const MAX_NOTICES = 10;
/** How many notices of an order a person at the platform may have to read in a day; those that fail do not count. */
const MAX_NOTICES_PER_DAY = 5;
const MAX_ATTEMPTS_PER_10_MINUTES = 5;

/**
 * The platform finds a notice only by the notice's id, which is a number. But a new notice has only a code, which may
 * be any text (`docs/spec/orders.md`, 4.4). If the code has only digits, the Worker tries the code as the id.
 */
const NUMERIC_CODE = /^\d{1,20}$/;

const UNREADABLE = {state: null, dueAt: null, unreadable: true} as const;

/** The order with a notice that the platform has just created. */
function withNotice(
  order: OrderState,
  code: string,
  facts: Pick<StoredNotice, 'at' | 'bank' | 'amount' | 'by'>,
): OrderState {
  const notice = {...facts, code, state: 'waiting', askedAt: facts.at, dueAt: nextTryAt(CHECK, facts.at, facts.at)};
  const others = (order.record?.notices ?? []).filter((known) => known.code !== code);
  const notices = [...others, NUMERIC_CODE.test(code) ? notice : {...notice, ...UNREADABLE}];
  return withRecord(order, {notices: notices.slice(-MAX_NOTICES)});
}

/**
 * Reads the state of each notice from the platform if a check is due. If the platform dropped a notice, the shopper may
 * send a new notice. An unknown status changes nothing. If the platform returns a different notice for the code, or no
 * notice, the Worker cannot know whether the shopper submitted this notice.
 * @param why - Whether the alarm causes the check, or a page that views the order.
 */
export async function checkNotices(order: OrderAccess, why: 'view' | 'alarm'): Promise<void> {
  for (const {code} of order.state().record?.notices ?? []) await checkNotice(order, code, why);
}

async function checkNotice(order: OrderAccess, code: string, why: 'view' | 'alarm'): Promise<void> {
  const {record, money} = order.state();
  const notice = record?.notices?.find((known) => known.code === code);
  if (!record || !notice || notice.unreadable || isEnded(notice) || !isCheckDue(notice, why)) return;
  const isReceived = notice.state === 'processing';
  // Nobody waits for a notice that was not submitted if the money was found without it.
  const isDropped = !isReceived && areSettled(factsOf(record, money), Date.now());
  const dueAt = (now: number) =>
    Math.max(nextTryAt(CHECK, notice.at, now), isReceived ? now + RECEIVED_CHECK_MIN_MS : 0);
  // The time of the next check is stored before the read. If the process dies during a check, the check is repeated
  // only after the delay.
  await order.commit((known, now) =>
    withChangedNotice(known, code, (read) => ({...read, askedAt: now, dueAt: isDropped ? null : dueAt(now)})),
  );
  if (isDropped) return;
  const state = await readNoticeState(notice, record.order, order.services());
  await order.commit((known) => withChangedNotice(known, code, (read) => changeNotice(read, state)));
}

function withChangedNotice(
  order: OrderState,
  code: string,
  change: (notice: StoredNotice) => StoredNotice,
): OrderState {
  const {notices = []} = order.record ?? {};
  const index = notices.findIndex((notice) => notice.code === code);
  const known = notices[index];
  const changed = known && change(known);
  return changed && changed !== known ? withRecord(order, {notices: notices.with(index, changed)}) : order;
}

/** @returns the notice as it is now. */
function changeNotice(known: StoredNotice, read: NoticeState): StoredNotice {
  if (isEnded(known) || read === undefined) return known;
  if (read === OTHER_NOTICE) return known.state === 'processing' ? known : {...known, ...UNREADABLE};
  const state = read === NO_NOTICE ? null : read;
  const isNews = state === 'inactive' || state === 'approved' || known.state !== 'processing';
  if (!isNews || state === known.state || state === 'unknown') return known;
  return isEnded({state}) ? {...known, state, dueAt: null} : {...known, state};
}

function isEnded({state}: Pick<StoredNotice, 'state'>): boolean {
  return state === 'approved' || state === 'inactive';
}

function isCheckDue({at, dueAt, askedAt, state}: StoredNotice, why: 'view' | 'alarm'): boolean {
  const now = Date.now();
  if (why === 'alarm') return dueAt !== null && now >= dueAt;
  const interval = state === 'processing' ? VIEW_CHECK_MAX_MS : VIEW_CHECK_MIN_MS + (askedAt - at);
  return now >= askedAt + Math.min(VIEW_CHECK_MAX_MS, interval);
}

/** The platform returned the notice of somebody else for the code, so the code is not the notice's id. */
const OTHER_NOTICE = Symbol('other notice');
/** The platform has no notice under the code, or does not have the notice yet. */
const NO_NOTICE = Symbol('no notice');
/** A state from the platform; undefined if the platform cannot answer now. */
type NoticeState = string | undefined | typeof OTHER_NOTICE | typeof NO_NOTICE;

async function readNoticeState(
  {code}: StoredNotice,
  order: string,
  {platform, config}: Pick<Context, 'platform' | 'config'>,
): Promise<NoticeState> {
  try {
    const {paymentNotification: read} = await platform.call('paymentNotificationGet', {id: code});
    if (read.code !== code || read.order_refno !== order) return OTHER_NOTICE;
    return stateOf('payment_notice', read.status, config.statuses);
  } catch (error) {
    // A failed read is repeated later. `failureOf` rethrows an error that is not the platform's.
    return areValuesRefused(failureOf(error)) ? NO_NOTICE : undefined;
  }
}

type NoticePermit = {readonly tickets: readonly Ticket[]} | {readonly limited: {readonly retryAfterSeconds: number}};

/**
 * Counts another payment notice. A person at the platform reads every notice, so the daily limit is low. If the notice
 * fails, the caller releases the tickets. The notice then counts only towards the limit on attempts.
 */
async function countNotice(
  {service, order}: Pick<OrderTerms, 'service' | 'order'>,
  {config, objects}: Context,
): Promise<NoticePermit> {
  if (config.limits.addressNoticesPer10Minutes === null) return {tickets: []};
  const counted = await count(objects, orderGuard(service, order), [
    counterOf('order_notices_per_day', '', MAX_NOTICES_PER_DAY),
    counterOf('order_notice_attempts_per_10_minutes', '', MAX_ATTEMPTS_PER_10_MINUTES),
  ]);
  if (counted.full !== undefined) return {limited: {retryAfterSeconds: counted.retryAfterSeconds}};
  const {guard, keys} = counted.ticket;
  return {tickets: [{guard, keys: keys.slice(0, 1)}]};
}
