/**
 * The order code: who may have it made, how the platform makes it, and how a code is found whose request was
 * interrupted.
 */

import type {Seller} from '../../contract/fields.ts';
import {Semaphore} from '../../lib/async.ts';
import {SECOND_MS} from '../../lib/durations.ts';
import type {Kurus} from '../../lib/money.ts';
import {isUnsent, type PlatformFailure} from '../../platform/failure.ts';
import {CREATE_WINDOW_MS, type OrderTerms} from '../../session.ts';
import {withReceipt} from './buyer-consent.ts';
import {
  type BuyerRefusal,
  type BuyerRequest,
  type FilledForm,
  type KnownBuyer,
  readRequest,
  withBuyer,
} from './buyer.ts';
import {FirstRequests, LOST_AFTER_MS, type OrderOwner} from './first-requests.ts';
import {refusalOf, withCall} from './order-calls.ts';
import {
  adopted,
  asForeign,
  asked,
  expected,
  firstCode,
  isNamedByWorker,
  isOurs,
  newlyTold,
  type OrderTold,
  originWith,
  refused,
  withCode,
  withPart,
} from './order-code-changes.ts';
import {
  findOrderCode,
  type HostedShopper,
  isPlatformTrouble,
  requestOrderCode,
  requestParts,
} from './order-code-requests.ts';
import type {OrderAccess} from './order-effects.ts';
import {
  admitOrder,
  isOrderRefusal,
  type OrderAdmission,
  type OrderCaller,
  type OrderRefusal,
  releaseOrder,
} from './order-limits.ts';
import {costOf, withPartCode} from './order-parts.ts';
import {
  type CodeOrigin,
  conflictingAmount,
  dueOf,
  opened,
  type OrderRecord,
  type Preparation,
  prepared,
  presented,
  retained,
  withRecord,
} from './order-state.ts';

export interface KnownCode {
  readonly code: string;
  /** May differ from the amount in the session. */
  readonly amount: Kurus;
  /** When the time to pay ends, epoch milliseconds. */
  readonly expiresAt: number;
  readonly madeBy: CodeOrigin;
  /** The seller that the offer or the merchant's server named. */
  readonly seller?: Seller | undefined;
}

export type OrderCodeResult =
  | KnownCode
  | {readonly failure: PlatformFailure}
  /** There is no code, and this request may not create a code. */
  | {readonly absent: true}
  /** Nothing is left to pay on the platform's page. */
  | {readonly paid: true}
  /** The merchant has cancelled the order. */
  | {readonly cancelled: true}
  /** Another system had created an order with this reference. */
  | {readonly foreign: true}
  | BuyerRefusal
  | OrderRefusal;

export interface OrderCodeRequest {
  /**
   * Whether the code may be created. If not, the platform is asked for a code that an earlier request may have created.
   */
  readonly mayCreate: boolean;
  /** The page whose order is counted; null for the merchant's own server, whose orders are not counted. */
  readonly caller: OrderCaller | null;
  /** The shopper, if the platform's bank page shows the code; null if our page shows it. */
  readonly hosted: HostedShopper | null;
  /** Who buys; null for the merchant's own server, which is not asked. */
  readonly buyer: BuyerRequest | null;
  /** Whether the page has no session yet. A new order then stores the terms of the session that the page will get. */
  readonly places?: boolean;
  readonly told?: OrderTold | undefined;
}

/** A request for an order and its code from a page that has no session yet. */
export interface PlaceRequest extends Pick<OrderCodeRequest, 'caller' | 'buyer' | 'told'> {
  /** The amount that the page shows. */
  readonly shownAmount: Kurus | null;
}

export type PlaceResult =
  | (Extract<OrderCodeResult, {readonly code: string}> & {readonly placed: Placement})
  /** The page shows another amount than the placed order or, for a new order, the offer has. */
  | {readonly priceChanged: true}
  | Exclude<OrderCodeResult, {readonly code: string}>;

/** What the session of a placed order says. */
export interface Placement extends Pick<OrderTerms, 'amount' | 'hours' | 'title' | 'seller'> {
  /** When the order was placed, epoch milliseconds. */
  readonly at: number;
  /** Whether this request placed the order. */
  readonly isNew: boolean;
}

/** Nobody knows yet whose order the platform has, how much it costs, or who buys. The caller asks again. */
export const UNDECIDED = {failure: {outcome: 'unsent', retryAfterMs: SECOND_MS}} as const;

/**
 * The order code of one order. At the request of a page or of the merchant's server, the platform creates the code, at
 * most once. Before the request is sent, the order stores that it was asked for. The sweep learns of the order when a
 * page first views it, or by the alarm a few seconds later, even if the request is interrupted.
 */
export class OrderCode {
  /**
   * The request that is running, including the check of the limits. Pages that ask at the same time share the result.
   */
  #pendingResult: Promise<OrderCodeResult> | undefined;
  /** Whether a page's request to the platform is running, and whether the merchant's server expects the code too. */
  #requesting: 'no' | 'alone' | 'shared' = 'no';
  readonly #first = new FirstRequests();
  /** The page's request that is running, after the changes before it. */
  request: Promise<unknown> | undefined;
  /** Until when each running request of the merchant's server may have no answer. */
  readonly #creating: number[] = [];

  /** @param turn - The turn of whoever changes the order at the platform. */
  constructor(
    private readonly order: OrderAccess,
    private readonly turn = new Semaphore(1),
  ) {}

  /** Whether the merchant's server has the platform create the code. */
  get isCreating(): boolean {
    return this.#creating.some((until) => Date.now() < until);
  }

  /**
   * Whether nobody knows whose money names the order, because the first request is running; or how much the order costs,
   * because a change has no answer.
   */
  get isUndecided(): boolean {
    const {record} = this.order.state();
    return (this.#first.isOpen && record?.code === null) || record?.change !== undefined;
  }

  /**
   * Stores what the merchant's server sends about an order before the order code is requested. After the platform may
   * have created the code, the order's terms are fixed. @returns the order's amount if its terms are different.
   */
  async prepare(terms: OrderTerms, preparation: Preparation): Promise<Kurus | 'cancelled' | null> {
    const state = this.order.state();
    if (state.record?.cancelledAt !== undefined) return 'cancelled';
    const conflicting = conflictingAmount(state, terms, preparation);
    if (conflicting === null) await this.order.commit((order, now) => prepared(order, terms, preparation, now));
    return conflicting;
  }

  /**
   * Returns the code. If there is none, counts the order and has the platform create the code, once even for concurrent
   * requests. Stores nothing about an order that the limits refuse.
   */
  async get(terms: OrderTerms, request: Partial<OrderCodeRequest> = {}): Promise<OrderCodeResult> {
    const result = await this.#get(terms, request);
    const refusal = refusalOf(result, request.hosted ? 'orderCodeDirect' : 'orderCodeCreate');
    const isOpened = request.hosted && 'code' in result && result.madeBy === 'direct';
    const what = refusal ? 'code.failed' : isOpened ? 'bank_page.opened' : null;
    if (what)
      await this.order.commit((order, now) => withCall(order, {what, by: null, refusal}, now), {is: 'code-request'});
    return result;
  }

  async #get(
    terms: OrderTerms,
    {mayCreate = true, caller = null, hosted = null, buyer = null, places = false, told}: Partial<OrderCodeRequest>,
  ): Promise<OrderCodeResult> {
    const settled = this.#settled(terms, hosted);
    if (settled) return settled;
    const request = {mayCreate, caller, hosted, buyer, places, told};
    if (this.#pendingResult) {
      const result = await this.#pendingResult;
      // The refusal of another page does not apply to this page, which may have passed a human check.
      return isOrderRefusal(result) ? this.#get(terms, request) : result;
    }
    if (!mayCreate) {
      if (this.#first.isOpen) return UNDECIDED;
      return this.order.state().record?.requested ? this.#find() : {absent: true};
    }
    const filled = buyer && readRequest(this.order.state(), buyer);
    if (filled && !('person' in filled)) return filled;
    // The turn ends when the request begins, because a request of the merchant's server may run beside it.
    this.#pendingResult = this.turn
      .run(async () => ({result: (this.request = this.#admit(terms, request, filled))}))
      .then(({result}) => result)
      .finally(() => (this.#pendingResult = this.request = undefined));
    return this.#pendingResult;
  }

  /**
   * Returns the code of an order that a page places without a session. As long as the session of the order may create a
   * code, a repeated request gets the terms with which the order was placed, even if the offer has changed.
   */
  async place(terms: OrderTerms, {caller, shownAmount, buyer, told}: PlaceRequest): Promise<PlaceResult> {
    const before = this.order.state().record;
    if (shownAmount !== (before?.placed ?? terms).amount) return {priceChanged: true};
    if (before && (!before.placed || Date.now() >= before.createdAt + CREATE_WINDOW_MS)) return {absent: true};
    // Of concurrent requests with the same attempt, only one opens the order.
    const isNew = !before && this.#pendingResult === undefined;
    const placedTerms = {...terms, ...before?.placed};
    const result = await this.get(placedTerms, {caller, buyer, told, places: true});
    if (!('code' in result)) return result;
    const {placed, createdAt = 0, title, seller} = this.order.state().record ?? {};
    return placed ? {...result, placed: {...placed, title, seller, at: createdAt, isNew}} : {absent: true};
  }

  /**
   * Prepares for a request of the merchant's server, in which an operation of the platform creates the code. Called
   * before the request is sent, because money for the code must be found and reported even if the request is
   * interrupted. @returns false if the merchant has cancelled the order.
   */
  async expect(terms: OrderTerms, preparation: Preparation, operation: CodeOrigin): Promise<boolean> {
    return this.turn.run(() => this.#expect(terms, preparation, operation));
  }

  async #expect(terms: OrderTerms, preparation: Preparation, operation: CodeOrigin): Promise<boolean> {
    if (this.order.state().record?.cancelledAt !== undefined) return false;
    this.#creating.push(Date.now() + LOST_AFTER_MS);
    const isRequesting = this.#requesting !== 'no';
    if (isRequesting) this.#requesting = 'shared';
    this.#beginRequest();
    await this.order.commit((order, now) => expected(order, terms, {...preparation, operation, isRequesting}, now));
    return true;
  }

  /**
   * Handles the platform's refusal to create the code for the merchant's server. If the code already `exists`, and an
   * earlier request of ours may have created it, it is looked up. @param exists - Null if the outcome is unknown, so that
   * a code that the platform has may be this request's.
   */
  async markRefused(exists: boolean | null): Promise<OrderOwner | null> {
    this.#creating.shift();
    if (exists === null) {
      this.#first.forget();
      return null;
    }
    const owner = this.#first.end(exists);
    const {record} = this.order.state();
    if (record?.code !== null) return record && exists ? 'ours' : owner;
    const {count = 0, before = null} = record.expected ?? {};
    // As far as it is stored, this was the first request.
    const isFirst = count === 1 && before?.requested !== true;
    if (owner === 'foreign' || (owner === 'ours' && (isFirst || record.foreign))) {
      await this.order.commit(asForeign);
      return 'foreign';
    }
    if (owner !== 'ours') {
      await this.order.commit(refused);
      return owner;
    }
    await this.order.commit((order) =>
      withRecord(order, {expected: undefined, madeBy: record.expected?.before?.madeBy ?? 'unknown'}),
    );
    await this.#find();
    return 'ours';
  }

  /** Stores a code that the merchant's server has read from the platform, if the order's code was requested here. */
  async markFound(code: string): Promise<void> {
    const isOpen = this.#first.isOpen;
    await this.order.commit((order, now) => {
      const {record} = order;
      if (record?.code !== null) return order;
      return isNamedByWorker(record) || (isOurs(record) && !isOpen) ? withCode(order, code, now) : order;
    });
  }

  /**
   * Takes the code of an order that another system created, for the merchant's server. All its money was known before,
   * also money that arrives later, because the shopper may pay for the other system's order.
   */
  async adoptForeign(terms: OrderTerms, preparation: Preparation): Promise<OrderCodeResult> {
    const known = this.#known();
    const {record} = this.order.state();
    if (record?.cancelledAt !== undefined) return {cancelled: true};
    if (known) return known;
    if (this.#first.isOpen) return UNDECIDED;
    const found = await findOrderCode(this.order.services().platform, terms);
    if (!('code' in found)) return found;
    await this.order.commit((order, now) => {
      if (order.record && order.record.code !== null) return order;
      return order.record && isOurs(order.record)
        ? withCode(order, found.code, now)
        : adopted(order, found.code, terms, preparation, now);
    });
    return this.#known() ?? {cancelled: true};
  }

  /** Counts a request for the code among those of which none is stored before. */
  #beginRequest(): void {
    const {record} = this.order.state();
    if (record && (record.code !== null || isNamedByWorker(record))) return;
    this.#first.begin(record !== null && isOurs(record));
  }

  /**
   * Stores the code that the platform created for the merchant's server, and its terms. From now on the sweep looks for
   * the order's money. @returns false if the merchant has cancelled the order in the meantime.
   */
  async adopt(code: string, terms: OrderTerms, preparation: Preparation, madeBy: CodeOrigin): Promise<boolean> {
    const {parts, userId, by = null} = preparation;
    this.#first.forget();
    this.#creating.shift();
    await this.order.commit((order, now) => {
      const open = opened(order, terms, now, preparation.by);
      const made = withPartCode(parts, code);
      // The platform changes no order before it has created it.
      const amount = open.record.changed ? {} : {amount: terms.amount, parts: made};
      const change = {...amount, userId, requested: true, expected: undefined, madeBy};
      const extended = made?.[0] && withPart(open, made[0]);
      return presented(
        extended
          ? withCode(extended, firstCode(extended) ?? code, now, {by})
          : withCode(withRecord(open, change), code, now, {by}),
        preparation,
      );
    });
    return this.order.state().record?.cancelledAt === undefined;
  }

  #known(): OrderCodeResult | undefined {
    const {record} = this.order.state();
    if (!record?.code) return undefined;
    const {code, expiresAt, madeBy, seller} = record;
    return {code, amount: costOf(record), expiresAt, madeBy: madeBy ?? 'unknown', seller};
  }

  /** The result if the platform need not be asked for a code. */
  #settled(terms: OrderTerms, hosted: HostedShopper | null): OrderCodeResult | undefined {
    const [known, {record}] = [this.#known(), this.order.state()];
    if (record?.cancelledAt !== undefined && (hosted || !known)) return {cancelled: true};
    if (hosted && dueOf(this.order.state(), terms) === 0) return {paid: true};
    return known ?? (record?.foreign && {foreign: true});
  }

  async #admit(terms: OrderTerms, request: OrderCodeRequest, filled: FilledForm | null): Promise<OrderCodeResult> {
    const [services, state] = [this.order.services(), this.order.state()];
    const admission = await admitOrder(services, state.record, terms, request.caller);
    if (isOrderRefusal(admission)) return admission;
    const buyer = filled && request.buyer && (await withReceipt(filled, request.buyer, terms, services));
    // While the request waited, the order may have got its code from the merchant's server, or have been cancelled.
    const settled = this.#settled(terms, request.hosted) ?? (filled && !buyer ? UNDECIDED : undefined);
    if (settled) await releaseOrder(services, admission.unpaid);
    if (settled) return settled;
    this.#requesting = 'alone';
    return this.#request(terms, request, {...admission, buyer}).finally(() => (this.#requesting = 'no'));
  }

  async #request(
    terms: OrderTerms,
    {hosted, places, told}: OrderCodeRequest,
    {unpaid, buyer}: OrderAdmission & {readonly buyer: KnownBuyer | null},
  ): Promise<OrderCodeResult> {
    const {amount, hours} = terms;
    const operation = hosted ? 'direct' : 'create';
    const before = this.order.state().record;
    const {requested = false, madeBy: madeBefore = null} = before ?? {};
    // A code that the platform has now may be the one of a first request that is running, or a foreign one.
    const mayBeOurs = requested && !this.#first.isOpen;
    if (before || !isNamedByWorker(terms)) this.#beginRequest();
    // From the next call on, the terms are fixed. If the request is interrupted, the alarm tells the sweep the order, so
    // that the sweep finds its money.
    await this.order.commit(
      (order, now) => {
        const placed = places && !order.record ? {placed: {amount, hours}} : {};
        const open = withBuyer(opened(order, terms, now), buyer);
        // From here on, this order stays even if the platform refuses the code to the merchant's server.
        const change = {
          expected: undefined,
          ...newlyTold(open.record, told),
          ...placed,
          ...(unpaid.length > 0 && {unpaid}),
        };
        const madeBy = originWith(open.record, operation);
        return asked(withRecord(open, {...change, requested: true, madeBy}), now);
      },
      {is: 'code-request'},
    );
    const {record, prefill} = this.order.state();
    const known = this.#known();
    // In the meantime, the merchant's server may have received the code.
    if (known) this.#first.forget();
    if (known) await this.#uncount(unpaid);
    if (known || !record) return known ?? {absent: true};
    const page = hosted && {...(!terms.shared && prefill), user_ip: hosted.address};
    let hasEnded = false;
    const end = (exists: boolean) => {
      hasEnded = true;
      return this.#endRequest(exists);
    };
    const result = await requestOrderCode(
      this.order.services().platform,
      {...record, requested: mayBeOurs, madeBy: madeBefore},
      {
        undone: async () => {
          if ((await end(false)) === null) await this.#unrequest({requested, madeBy: madeBefore});
        },
        exists: async () => (await end(true)) ?? 'ours',
      },
      page,
    );
    if (!hasEnded) this.#first.forget();
    if ('owner' in result) return result.owner === 'foreign' ? {foreign: true} : UNDECIDED;
    if ('code' in result) {
      const {code, madeBy} = result;
      await this.order.commit((order, now) => withCode(order, code, now, {madeBy, by: null}), {is: 'code-request'});
      const refusal = await requestParts(this.order, code, page);
      return this.#known() ?? refusal ?? {absent: true};
    }
    // The platform did nothing, so the order is not counted now; the next request counts it.
    if (isUnsent(result.failure)) await this.#uncount(unpaid);
    return result;
  }

  /** Releases the tickets of this request, unless the order was paid in the meantime. */
  async #uncount(unpaid: OrderAdmission['unpaid']): Promise<void> {
    if (unpaid.length === 0 || this.order.state().record?.unpaid !== unpaid) return;
    await this.order.commit((order) => withRecord(order, {unpaid: undefined}));
    await releaseOrder(this.order.services(), unpaid);
  }

  /** A page's request has ended, and created nothing. */
  async #endRequest(exists: boolean): Promise<OrderOwner | null> {
    const owner = this.#first.end(exists);
    if (owner === 'foreign') await this.order.commit(asForeign);
    return owner;
  }

  /** The platform did nothing, so what was true before the request is true again, unless the merchant's server asks as well. */
  async #unrequest(before: Pick<OrderRecord, 'requested' | 'madeBy'>): Promise<void> {
    if (this.#requesting === 'shared') return;
    await this.order.commit((order) => (order.record?.code === null ? withRecord(order, before) : order));
  }

  /** Looks up a code that an interrupted request may have created. */
  async #find(): Promise<OrderCodeResult> {
    await this.order.commit(retained);
    const {record} = this.order.state();
    if (!record) return {absent: true};
    const result = await findOrderCode(this.order.services().platform, record);
    if (!('code' in result)) return isPlatformTrouble(result.failure) ? result : {absent: true};
    await this.order.commit((order, now) => withCode(order, result.code, now));
    return this.#known() ?? {absent: true};
  }
}
