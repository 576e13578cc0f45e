import type {Context} from '../../context.ts';
import type {Seller} from '../../contract/fields.ts';
import {HOUR_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import type {PlatformFailure} from '../../platform/failure.ts';
import {CREATE_WINDOW_MS, type OrderTerms} from '../../session.ts';
import {
  isOrderRefusal,
  type OrderAdmission,
  type OrderCaller,
  type OrderLimits,
  type OrderRefusal,
} from './order-limits.ts';
import type {OrderNotifier} from './order-notifier.ts';
import type {Preparation} from './order-preparation.ts';
import {closesAt, type CodeOrigin, type OrderRecord, type OrderStore} from './order-store.ts';
import {findOrderCode, isPlatformTrouble, originWith, requestOrderCode} from './platform-code.ts';

export interface KnownCode {
  readonly code: string;
  /** May differ from the amount in the session. */
  readonly amount: Kurus;
  /** When the time to pay ends, epoch milliseconds. */
  readonly expiresAt: number;
  readonly madeBy: CodeOrigin;
  /** The seller that the merchant's server named. */
  readonly seller?: Seller | undefined;
}

export type OrderCodeResult =
  | KnownCode
  | {readonly failure: PlatformFailure}
  /** There is no code, and this request may not create a code. */
  | {readonly absent: true}
  /** Nothing is left to pay on the platform's page. */
  | {readonly paid: true}
  | OrderRefusal;

/** The shopper who is sent to the platform's bank page. */
export interface HostedShopper {
  /** The shopper's IP address. */
  readonly address: string;
}

export interface OrderCodeRequest {
  /**
   * Whether the code may be created. If not, the platform is asked for a code that an earlier request may have created.
   */
  readonly mayCreate: boolean;
  /** The page whose order is counted; null for the merchant's own server, whose orders are not counted. */
  readonly caller: OrderCaller | null;
  /** The shopper, if the platform's bank page shows the code; null if our page shows it. */
  readonly hosted: HostedShopper | null;
  /** Whether the page has no session yet. A new order then stores the terms of the session that the page will get. */
  readonly places?: boolean;
}

/** A request for an order and its code from a page that has no session yet. */
export interface PlaceRequest {
  readonly caller: OrderCaller | null;
  /** The amount that the page shows. */
  readonly shownAmount: Kurus | null;
}

export type PlaceResult =
  | (Extract<OrderCodeResult, {readonly code: string}> & {readonly placed: Placement})
  /** The page shows another amount than the placed order or, for a new order, the offer has. */
  | {readonly priceChanged: true}
  | Exclude<OrderCodeResult, {readonly code: string}>;

/** What the session of a placed order says. */
export interface Placement extends Pick<OrderTerms, 'amount' | 'hours'> {
  /** When the order was placed, epoch milliseconds. */
  readonly at: number;
  /** Whether this request placed the order. */
  readonly isNew: boolean;
}

/**
 * How long the sweep looks for an order's money while the platform has not confirmed the code. During this time, no
 * page has the code. Each request for the code starts the time again.
 */
const UNCONFIRMED_CODE_MS = HOUR_MS;

/**
 * The order code of one order. At the request of a page or of the merchant's server, the platform creates the code, at
 * most once. The sweep looks for the order's money before anybody receives the code.
 */
export class OrderCode {
  /**
   * The request that is running, including the check of the limits. Pages that ask at the same time share the result.
   */
  #pendingResult: Promise<OrderCodeResult> | undefined;
  /** Whether a page's request to the platform is running. */
  #isRequesting = false;

  constructor(
    private readonly store: OrderStore,
    private readonly notifier: OrderNotifier,
    private readonly limits: OrderLimits,
    private readonly context: () => Context,
  ) {}

  /** Returns the code, or requests it. Stores nothing about an order that the limits refuse. */
  async get(terms: OrderTerms, request: OrderCodeRequest): Promise<OrderCodeResult> {
    if (request.hosted && this.store.due(terms) === 0) return {paid: true};
    const known = this.#known();
    if (known) return known;
    if (this.#pendingResult) {
      const result = await this.#pendingResult;
      // The refusal of another page does not apply to this page, which may have passed a human check.
      return isOrderRefusal(result) ? this.get(terms, request) : result;
    }
    const record = this.store.record();
    if (!request.mayCreate) return record?.requested ? this.#find(record) : {absent: true};
    this.#pendingResult = this.#admit(terms, request).finally(() => (this.#pendingResult = undefined));
    return this.#pendingResult;
  }

  /**
   * Returns the code of an order that a page places without a session. As long as the session of the order may create a
   * code, a repeated request gets the terms with which the order was placed, even if the offer has changed.
   */
  async place(terms: OrderTerms, {caller, shownAmount}: PlaceRequest): Promise<PlaceResult> {
    const before = this.store.record();
    if (shownAmount !== (before?.placed ?? terms).amount) return {priceChanged: true};
    if (before && (!before.placed || Date.now() >= before.createdAt + CREATE_WINDOW_MS)) return {absent: true};
    // Of concurrent requests with the same attempt, only one opens the order.
    const isNew = !before && this.#pendingResult === undefined;
    const placedTerms = {...terms, ...before?.placed};
    const result = await this.get(placedTerms, {mayCreate: true, caller, hosted: null, places: true});
    if (!('code' in result)) return result;
    const {placed, createdAt = 0} = this.store.record() ?? {};
    return placed ? {...result, placed: {...placed, at: createdAt, isNew}} : {absent: true};
  }

  /** Prepares for a request of the merchant's server, in which an operation of the platform creates the code. */
  async expect(terms: OrderTerms, {split, userId}: Preparation, operation: CodeOrigin): Promise<void> {
    const before = this.store.record();
    const record = this.store.open(terms, Date.now());
    if (record.code !== null) return;
    const madeBy = originWith(record, operation);
    if (record.expected) {
      this.store.update({madeBy, expected: {...record.expected, count: record.expected.count + 1}});
    } else if (!record.requested && !this.#isRequesting) {
      // The platform was never asked for this code, so the new terms apply. If it had been asked before, the code could
      // exist with older terms.
      const expiresAt = record.expiresAt > Date.now() ? record.expiresAt : Date.now() + terms.hours * HOUR_MS;
      this.store.update({
        amount: terms.amount,
        split,
        userId,
        requested: true,
        expiresAt,
        madeBy,
        expected: {count: 1, before: before ? termsOf(before) : null},
      });
    } else {
      this.store.update({madeBy});
    }
    await this.notifier.planAlarm();
    await this.#watch(record, null, Date.now() + UNCONFIRMED_CODE_MS);
  }

  /**
   * Handles the platform's refusal to create the code for the merchant's server. If the code already `exists`, it is
   * looked up, unless the order was only prepared for a session and no other request can have created the code. In all
   * other cases, the terms from before `expect` apply again as soon as every expected request was refused, except for
   * changes that pages made in between.
   */
  async markRefused(exists: boolean): Promise<void> {
    const record = this.store.record();
    if (record?.code !== null) return;
    const {expected} = record;
    if (exists && (expected?.before?.requested !== false || expected.count > 1)) {
      this.store.update({expected: undefined, madeBy: expected?.before?.madeBy ?? 'unknown'});
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

  /**
   * Stores a code that the merchant's server has read from the platform, if the order is stored here without a code.
   */
  async recordFound(code: string): Promise<void> {
    const record = this.store.record();
    if (record?.code === null) await this.#save(record, code);
  }

  /** Stores the code that the platform created for the merchant's server, and the terms of the code. */
  async adopt(code: string, terms: OrderTerms, {split, userId}: Preparation, madeBy: CodeOrigin): Promise<void> {
    this.store.open(terms, Date.now());
    if (this.store.addPart(terms.amount, split ?? {})) return this.notifier.notify();
    this.store.update({amount: terms.amount, split, userId, requested: true, expected: undefined, madeBy});
    await this.notifier.planAlarm();
    const record = this.store.record();
    if (record) await this.#save(record, code);
  }

  #known(): OrderCodeResult | undefined {
    const record = this.store.record();
    return record?.code ? resultOf(record, record.code) : undefined;
  }

  async #admit(terms: OrderTerms, request: OrderCodeRequest): Promise<OrderCodeResult> {
    const {caller} = request;
    const admission = await this.limits.admit(this.store.record(), terms, caller);
    if (isOrderRefusal(admission)) return admission;
    // While the limits were checked, the platform may have created the code for the merchant's server.
    const known = this.#known();
    if (known) {
      await this.limits.release(admission.unpaid);
      return known;
    }
    this.#isRequesting = true;
    return this.#request(terms, request, admission).finally(() => (this.#isRequesting = false));
  }

  async #request(
    terms: OrderTerms,
    {hosted, places = false}: OrderCodeRequest,
    {unpaid}: OrderAdmission,
  ): Promise<OrderCodeResult> {
    const {platform} = this.context();
    const {amount, hours} = terms;
    const isPlaced = places && !this.store.record();
    const record = this.store.open(terms, Date.now(), {
      ...(unpaid.length > 0 && {unpaid}),
      ...(isPlaced && {placed: {amount, hours}}),
    });
    // From here on, this order stays even if the platform refuses the code to the merchant's server.
    if (record.expected) this.store.update({expected: undefined});
    await this.notifier.planAlarm();
    // The sweep learns of the order before the request is sent. So the sweep finds the money even if the request is
    // interrupted.
    await this.#watch(record, null, Date.now() + UNCONFIRMED_CODE_MS);
    const result = await requestOrderCode(
      platform,
      record,
      (requested) => this.#setRequested(requested, record, hosted ? 'direct' : 'create'),
      hosted && {...this.store.prefill(), user_ip: hosted.address},
    );
    if ('code' in result) {
      if (result.madeBy) this.store.update({madeBy: result.madeBy});
      return this.#save(record, result.code);
    }
    // Nothing was sent, so the order is not counted now; the next request counts it.
    if (result.failure.outcome === 'unsent' && unpaid.length > 0) {
      this.store.update({unpaid: undefined});
      await this.limits.release(unpaid);
    }
    return result;
  }

  /** @param before - The record before the request. Its `madeBy` applies again if nothing was sent. */
  #setRequested(requested: boolean, before: OrderRecord, operation: CodeOrigin): void {
    const madeBy = requested ? originWith(this.store.record() ?? before, operation) : before.madeBy;
    this.store.update({requested, madeBy});
  }

  /** Looks up a code that an interrupted request may have created. */
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
    if (record.code === null) this.context().metrics.count('order_codes');
    await this.notifier.reportOpenPages({...record, code});
    this.notifier.recordHistory();
    await this.notifier.planAlarm();
    return resultOf({...record, ...this.store.record()}, code);
  }

  async #watch({service, order, createdAt}: OrderRecord, code: string | null, until: number): Promise<void> {
    await this.context()
      .objects.sweep(service)
      .trackOrder(service, {order, code, registeredAt: createdAt, closesAt: until});
  }
}

function resultOf({amount, expiresAt, madeBy = 'unknown', seller}: OrderRecord, code: string): OrderCodeResult {
  return {code, amount, expiresAt, madeBy, ...(seller && {seller})};
}

/** The fields that apply again if the platform refuses the code to the merchant's server. */
function termsOf({amount, split, userId, requested, expiresAt, madeBy}: OrderRecord): Partial<OrderRecord> {
  return {amount, split, userId, requested, expiresAt, madeBy};
}
