import type {Context} from '../../context.ts';
import type {EventData} from '../../contract/merchant/events.ts';
import {digest} from '../../lib/crypto.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatAmount, type Kurus, normalizeAmount} from '../../lib/money.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {failureOf, type PlatformFailure} from '../../platform/failure.ts';
import type {Input} from '../../platform/operations/index.ts';
import type {OrderTerms} from '../../session.ts';
import type {PendingEvents} from '../events/pending-events.ts';
import {giveBackNotice, takeNotice} from './notice-limits.ts';
import {askNotice, newNotice} from './notice-state.ts';
import type {OrderRecord, OrderStore, Prefill} from './order-store.ts';
import type {OrderTeller} from './order-teller.ts';

/** What the shopper says. */
export interface Said {
  /** Code of the bank it was sent to. */
  readonly bank: string;
  /** What they say they sent; null where they do not say. */
  readonly amount: Kurus | null;
  /** Who they are and when they sent it, in the platform's words. */
  readonly shopper: NonNullable<Input<'paymentNotificationCreate'>['PaymentNotification']>;
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

type Notice = Said & {readonly amount: Kurus};

/** Who says the same again within so long has said it once. */
const ONCE_MS = 60_000;

/** Tells the platform of transfers whose description had no code. */
export class OrderNotices {
  #last: {readonly words: string; readonly at: number; readonly result: Promise<NoticeResult>} | undefined;

  constructor(
    private readonly store: OrderStore,
    private readonly pending: PendingEvents,
    private readonly teller: OrderTeller,
    private readonly context: () => Context,
  ) {}

  /** What a notice begins with: what is known of the shopper, and what the order lacks, or all of it where it lacks nothing. */
  beginning(terms: Pick<OrderTerms, 'amount'>): Prefill & {readonly amount: Kurus} {
    return {...this.store.prefill(), amount: this.store.due(terms) || (this.store.record() ?? terms).amount};
  }

  async give({bank, amount, shopper}: Said): Promise<NoticeResult> {
    const record = this.store.record();
    if (!record?.code) return {absent: true};
    const notice = {bank, amount: amount ?? this.beginning(record).amount, shopper};
    const words = await digest('SHA-256', JSON.stringify([bank, notice.amount, {...shopper, user_ip: null}]));
    const last = this.#last;
    if (last?.words === words && last.at > Date.now() - ONCE_MS) return last.result;
    const result = this.#give(record, notice);
    this.#last = {words, at: Date.now(), result};
    let isGiven = false;
    try {
      isGiven = 'code' in (await result);
    } finally {
      if (!isGiven) this.#last = undefined;
    }
    return result;
  }

  /** Somebody looks, as who comes back from the platform's page does: it may have the notice by now. Never throws: nobody waits for it. */
  async look(): Promise<void> {
    const order = this.store.record()?.order;
    if (order === undefined) return;
    try {
      if (await askNotice(this.store, 'look', this.context)) await this.teller.tell();
    } catch (error) {
      log('error', 'internal_error', {order, error: describeError(error)});
    }
  }

  /** Asks where it is time to; whoever wakes the order tells of what it learns. */
  async wake(): Promise<void> {
    await askNotice(this.store, 'alarm', this.context);
  }

  /** The merchant's own server tells of one, of an order that may not be kept here; nobody counts what it says. */
  async giveForServer(input: Input<'paymentNotificationCreate'>): Promise<ServerNoticeResult> {
    const {code: service, order, bank, amount} = input;
    try {
      const {code} = await this.context().platform.call('paymentNotificationCreate', input);
      await this.#tell({service, order, bank, amount: normalizeAmount(amount), notice_code: code});
      return {code};
    } catch (error) {
      return {failure: failureOf(error)};
    }
  }

  async #give(record: OrderRecord, notice: Notice): Promise<NoticeResult> {
    const leave = await takeNotice(record, this.context());
    if ('limited' in leave) return leave;
    const result = await send(this.context().platform, record, notice);
    if (!('code' in result)) {
      await giveBackNotice(leave.ticket, this.context());
      return result;
    }
    const {bank, amount} = notice;
    const {service, order} = record;
    this.store.update({notice: newNotice(result.code, {at: Date.now(), bank, amount})});
    await this.#tell({service, order, bank, amount: formatAmount(amount), notice_code: result.code});
    return result;
  }

  /** From the platform's answer to here nothing is awaited. */
  async #tell(data: EventData<'payment_notice.created'>): Promise<void> {
    this.pending.add({type: 'payment_notice.created', key: data.notice_code, at: Date.now(), data});
    await this.teller.tell();
  }
}

async function send(
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
