import type {Context} from '../../context.ts';
import {HOUR_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {type Kurus, formatAmount} from '../../lib/money.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {isBroken, isTokenRefused, type PlatformFailure, failureOf, isExistingOrder} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {OrderTerms} from '../../session.ts';
import {
  isOrderRefusal,
  type OrderAdmission,
  type OrderCaller,
  type OrderLimits,
  type OrderRefusal,
} from './order-limits.ts';
import type {OrderNotifier} from './order-notifier.ts';
import {closesAt, type OrderRecord, type OrderStore, type Preparation} from './order-store.ts';

export type OrderCodeResult =
  /** What the order is for, which may be another amount than a session says, and when its hours are over, epoch milliseconds. */
  | {readonly code: string; readonly amount: Kurus; readonly expiresAt: number}
  | {readonly failure: PlatformFailure}
  /** There is no code, and it may not be made any more. */
  | {readonly absent: true}
  /** Nothing is left to be paid on the platform's page. */
  | {readonly paid: true}
  | OrderRefusal;

/** The shopper who goes to the platform's bank page. */
export interface HostedShopper {
  /** Their address. */
  readonly address: string;
}

/** How a code is asked for. */
export interface OrderCodeRequest {
  /** Whether it may be made; else it is only looked up where it may have been made before. */
  readonly mayCreate: boolean;
  /** Who has it made, where that counts; null for the merchant's own server, which vouches for its orders. */
  readonly caller: OrderCaller | null;
  /** Whom the platform's own page shows it to, where it is made for that. */
  readonly hosted: HostedShopper | null;
}

/** How long money is looked for whose code nobody was told: the shopper may ask again, and there is nothing to pay with before. */
const UNCONFIRMED_CODE_MS = HOUR_MS;

/** The code of one order: made at the platform at most once, by a page or by the merchant's server, and its money looked for before anybody is told of it. */
export class OrderCode {
  /** What pages that ask at once are all answered with, from the limits on. */
  #asking: Promise<OrderCodeResult> | undefined;
  /** Whether a page is having it made. */
  #isRequesting = false;

  constructor(
    private readonly store: OrderStore,
    private readonly notifier: OrderNotifier,
    private readonly limits: OrderLimits,
    private readonly context: () => Context,
  ) {}

  /** Nothing is stored of an order that the limits refuse. */
  async get(terms: OrderTerms, request: OrderCodeRequest): Promise<OrderCodeResult> {
    if (request.hosted && this.store.due(terms) === 0) return {paid: true};
    const known = this.#known();
    if (known) return known;
    if (this.#asking) {
      const result = await this.#asking;
      // What another page of the order is refused says nothing of this one, which may bring a human check.
      return isOrderRefusal(result) ? this.get(terms, request) : result;
    }
    const record = this.store.record();
    if (!request.mayCreate) return record?.requested ? this.#find(record) : {absent: true};
    this.#asking = this.#admit(terms, request).finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /** The merchant's server is about to have it made. */
  async expect(terms: OrderTerms, {split, userId}: Preparation): Promise<void> {
    const before = this.store.record();
    const record = this.store.open(terms, Date.now());
    if (record.code !== null) return;
    if (record.expected) {
      this.store.update({expected: {...record.expected, count: record.expected.count + 1}});
    } else if (!record.requested && !this.#isRequesting) {
      // Asked for before, it may have been made with the terms that were named then.
      const expiresAt = record.expiresAt > Date.now() ? record.expiresAt : Date.now() + terms.hours * HOUR_MS;
      this.store.update({
        amount: terms.amount,
        split,
        userId,
        requested: true,
        expiresAt,
        expected: {count: 1, before: before ? termsOf(before) : null},
      });
    }
    await this.notifier.planAlarm();
    await this.#watch(record, null, Date.now() + UNCONFIRMED_CODE_MS);
  }

  /**
   * The merchant's server got none. One that `exists` is found, unless only a session was prepared and nothing else may have
   * made it. Else what was kept before counts again, but for what others did with the order meanwhile.
   */
  async markRefused(exists: boolean): Promise<void> {
    const record = this.store.record();
    if (record?.code !== null) return;
    const {expected} = record;
    if (exists && (expected?.before?.requested !== false || expected.count > 1)) {
      this.store.update({expected: undefined});
      await this.#find(record);
    } else if (expected && expected.count > 1) {
      this.store.update({expected: {...expected, count: expected.count - 1}});
    } else if (expected?.before) {
      this.store.update({...expected.before, expected: undefined});
    } else if (expected) {
      this.store.deleteRecord();
      await this.notifier.eraseIfIdle();
    }
  }

  /** The merchant's server was told it, of an order that may be kept here without. */
  async recordFound(code: string): Promise<void> {
    const record = this.store.record();
    if (record?.code === null) await this.#save(record, code);
  }

  /** The merchant's server had it made. */
  async adopt(code: string, terms: OrderTerms, {split, userId}: Preparation): Promise<void> {
    this.store.open(terms, Date.now());
    this.store.update({amount: terms.amount, split, userId, requested: true, expected: undefined});
    await this.notifier.planAlarm();
    const record = this.store.record();
    if (record) await this.#save(record, code);
  }

  #known(): OrderCodeResult | undefined {
    const record = this.store.record();
    return record?.code ? {code: record.code, amount: record.amount, expiresAt: record.expiresAt} : undefined;
  }

  async #admit(terms: OrderTerms, {caller, hosted}: OrderCodeRequest): Promise<OrderCodeResult> {
    const admission = await this.limits.admit(this.store.record(), terms, caller);
    if (isOrderRefusal(admission)) return admission;
    // The merchant's server may have had it made meanwhile.
    const known = this.#known();
    if (known) {
      await this.limits.release(admission.unpaid);
      return known;
    }
    this.#isRequesting = true;
    return this.#request(terms, hosted, admission).finally(() => (this.#isRequesting = false));
  }

  async #request(terms: OrderTerms, hosted: HostedShopper | null, {unpaid}: OrderAdmission): Promise<OrderCodeResult> {
    const {platform} = this.context();
    const record = this.store.open(terms, Date.now());
    if (unpaid.length > 0) this.store.update({unpaid});
    // From here on whoever else is refused a code says nothing of this one.
    if (record.expected) this.store.update({expected: undefined});
    await this.notifier.planAlarm();
    // Before anything is sent: money for a code whose making was cut off must still be found.
    await this.#watch(record, null, Date.now() + UNCONFIRMED_CODE_MS);
    const result = await requestOrderCode(
      platform,
      record,
      (requested) => this.store.update({requested}),
      hosted && {...this.store.prefill(), user_ip: hosted.address},
    );
    if ('code' in result) return this.#save(record, result.code);
    // It is released, and counted again when somebody asks again.
    if (result.failure.outcome === 'unsent' && unpaid.length > 0) {
      this.store.update({unpaid: undefined});
      await this.limits.release(unpaid);
    }
    return result;
  }

  /** The code of an order whose making was cut off, long after: made or not, the platform knows. */
  async #find(record: OrderRecord): Promise<OrderCodeResult> {
    this.store.retain();
    const result = await findOrderCode(this.context().platform, record);
    if ('code' in result) return this.#save(record, result.code);
    return isPlatformTrouble(result.failure) ? result : {absent: true};
  }

  async #save(record: OrderRecord, code: string): Promise<OrderCodeResult> {
    this.store.retain();
    await this.#watch(record, code, closesAt(record));
    this.store.update({code});
    await this.notifier.reportOpenPages({...record, code});
    await this.notifier.planAlarm();
    return {code, amount: this.store.record()?.amount ?? record.amount, expiresAt: record.expiresAt};
  }

  async #watch({service, order, createdAt}: OrderRecord, code: string | null, until: number): Promise<void> {
    await this.context()
      .objects.sweep(service)
      .trackOrder(service, {order, code, registeredAt: createdAt, closesAt: until});
  }
}

/** What an order was kept with that nobody had asked for a code of. */
function termsOf({amount, split, userId, requested, expiresAt}: OrderRecord): Partial<OrderRecord> {
  return {amount, split, userId, requested, expiresAt};
}

/** Whether the platform said nothing of the order itself, only that it cannot answer now. */
function isPlatformTrouble(failure: PlatformFailure): boolean {
  return failure.outcome !== 'refused' || isBroken(failure) || isTokenRefused(failure);
}

type PlatformCodeResult = {readonly code: string} | {readonly failure: PlatformFailure};

/** What the platform's own bank page begins with, where it shows the code instead of ours. */
export type HostedPagePrefill = NonNullable<OperationInput<'orderCodeDirect'>['PaymentNotification']>;

/**
 * Asks for the code of an order. An order that may have been made by an earlier attempt is looked up
 * first; one that turns out to exist, or whose answer was lost, is read back. After a time-out the shopper
 * has waited long enough: the next request looks it up.
 * @param setRequested keeps, durably, whether the platform may have been asked to make the code.
 * @param hosted where the platform's page shows the code.
 */
export async function requestOrderCode(
  platform: PlatformClient,
  record: OrderRecord,
  setRequested: (requested: boolean) => void,
  hosted: HostedPagePrefill | null = null,
): Promise<PlatformCodeResult> {
  if (record.requested) {
    const found = await findOrderCode(platform, record);
    // Whatever a platform's word for an unknown order is, making one that exists is refused and read back.
    if ('code' in found || isBroken(found.failure) || found.failure.outcome === 'unsent') return found;
  }
  setRequested(true);
  try {
    const {split, userId} = record;
    const code = await createAtPlatform(platform, hosted, {
      code: record.service,
      order: record.order,
      amount: formatAmount(record.amount),
      payout: split?.payout,
      sub_merchant_id: split?.subMerchantId,
      fee: split?.fee,
      user_id: userId,
    });
    log('info', 'order_code_created', {service: record.service, order: record.order});
    return {code};
  } catch (error) {
    const failure = failureOf(error);
    if (failure.outcome === 'unsent') setRequested(record.requested);
    if (isExistingOrder(failure)) return findOrderCode(platform, record);
    if (failure.outcome !== 'unknown' || failure.fault === 'timeout') return {failure};
    const found = await findOrderCode(platform, record);
    return 'code' in found ? found : {failure};
  }
}

async function createAtPlatform(
  platform: PlatformClient,
  hosted: HostedPagePrefill | null,
  order: OperationInput<'orderCodeCreate'>,
): Promise<string> {
  if (!hosted) return (await platform.call('orderCodeCreate', order)).order;
  return (await platform.call('orderCodeDirect', {...order, PaymentNotification: hosted})).code;
}

/** The code of an order that the platform has; how it answers where there is none differs. */
export async function findOrderCode(
  platform: PlatformClient,
  {service, order}: OrderRecord,
): Promise<PlatformCodeResult> {
  try {
    const found = await platform.call('orderCodeCheck', {code: service, order});
    log('info', 'order_code_found', {service, order});
    return {code: found.order};
  } catch (error) {
    return {failure: failureOf(error)};
  }
}
