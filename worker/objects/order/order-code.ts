/**
 * The order code: who may have it made, how the platform makes it, and how a code is found whose request was
 * interrupted. The order itself asks the platform, one request at a time, whether a page or the merchant's server wants
 * the code.
 */

import type {Seller} from '../../contract/fields.ts';
import {Semaphore} from '../../lib/async.ts';
import type {Kurus} from '../../lib/money.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {isBroken, isExistingOrder, isUnsent, PlatformError, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
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
import {type CallRefusal, type CodeOrigin, refusalOf, withCall} from './order-calls.ts';
import {
  adopted,
  asForeign,
  asked,
  created,
  expected,
  isNamedByWorker,
  isOurs,
  newlyTold,
  type OrderTold,
  originWith,
  refused,
  withCode,
} from './order-code-changes.ts';
import {
  createCode,
  findOrderCode,
  type HostedShopper,
  isPlatformTrouble,
  requestOrderCode,
  requestParts,
  type ServerCodeRequest,
  type ServerCodeResult,
  UNDECIDED,
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
import {costOf} from './order-parts.ts';
import {
  type Change,
  conflictingAmount,
  dueOf,
  opened,
  type OrderRecord,
  type Preparation,
  prepared,
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

/**
 * The order code of one order. At the request of a page or of the merchant's server, the platform creates the code, at
 * most once. Before the request is sent, the order stores that it was asked for. So the platform's order is ours if a
 * request is stored, and was created by another system if the very first request meets it. The sweep learns of the order
 * when a page first views it, or by a task a few seconds later, even if the request is interrupted.
 */
export class OrderCode {
  /** The request of a page, including the check of the limits. Pages that ask at the same time share the result. */
  #pendingResult: Promise<OrderCodeResult> | undefined;
  /** Whoever asks the platform for the code. */
  readonly #asking = new Semaphore(1);
  /** The request that is running, after the changes before it. */
  #request: Promise<unknown> | undefined;
  /** Whether the platform is asked for the first time, and has not answered yet. */
  #isFirst = false;

  /** @param turn - The turn of whoever changes the order at the platform. */
  constructor(
    private readonly order: OrderAccess,
    private readonly turn = new Semaphore(1),
  ) {}

  /**
   * Whether nobody knows whose money names the order, because the first request is running; or how much the order costs,
   * because a change has no answer.
   */
  get isUndecided(): boolean {
    const {record} = this.order.state();
    return (this.#isFirst && record?.code === null) || record?.change !== undefined;
  }

  /** Resolves when no request for the code is running. */
  async settle(): Promise<void> {
    while (this.#request) await this.#request.catch(() => {});
  }

  /**
   * Runs a request for the code, after the requests and changes that came before. The turn ends when the request begins:
   * whoever changes the order waits for the request, and a cancellation does not.
   */
  #ask<T>(request: () => Promise<T>): Promise<T> {
    return this.#asking.run(async () => {
      try {
        // The turn's result is wrapped, because the turn would wait for a promise.
        const {result} = await this.turn.run(async () => {
          const running = request();
          this.#request = running;
          return {result: running};
        });
        return await result;
      } finally {
        this.#request = undefined;
        this.#isFirst = false;
      }
    });
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
      await this.settle();
      return this.#settled(terms, hosted) ?? (this.order.state().record?.requested ? this.#find() : {absent: true});
    }
    const filled = buyer && readRequest(this.order.state(), buyer);
    if (filled && !('person' in filled)) return filled;
    this.#pendingResult = this.#ask(() => this.#admit(terms, request, filled)).finally(
      () => (this.#pendingResult = undefined),
    );
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

  /** Has the platform create a code for the merchant's server, or a part of the order. */
  async create(terms: OrderTerms, request: ServerCodeRequest): Promise<ServerCodeResult> {
    return this.#ask(() => this.#create(terms, request));
  }

  async #create(terms: OrderTerms, server: ServerCodeRequest): Promise<ServerCodeResult> {
    // An error of the settings is thrown before anything is stored, because nothing is sent.
    const {platform} = this.order.services();
    const before = this.order.state().record;
    if (before?.cancelledAt !== undefined) return {cancelled: true};
    const operation = server.request.operation === 'orderCodeDirect' ? 'direct' : 'create';
    const preparation = {...server.preparation, operation} as const;
    const isInterrupted = server.isRepeated && before?.requested === true;
    const isFirst = !isInterrupted && this.#begin(before, terms);
    if (!isInterrupted) await this.order.commit((order, now) => expected(order, terms, preparation, now));
    let code: string;
    try {
      const known = isInterrupted ? this.#codeOfPart(server) : undefined;
      if (known) return this.#madeCode(known);
      code = isInterrupted ? await this.#resume(terms, server) : await this.#send(platform, server);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      return this.#refuse(error, terms, server, {before, isFirst});
    } finally {
      this.#isFirst = false;
    }
    await this.order.commit((order, now) => created(order, code, terms, preparation, now));
    return this.#madeCode(code);
  }

  #madeCode(code: string): ServerCodeResult {
    return this.order.state().record?.cancelledAt === undefined ? {code} : {cancelled: true};
  }

  async #send(
    platform: PlatformClient,
    {request, maySend = () => true}: Pick<ServerCodeRequest, 'request' | 'maySend'>,
  ): Promise<string> {
    const isAwaited = await Promise.resolve(maySend()).catch(() => false);
    if (!isAwaited) throw new PlatformError(request.operation, UNDECIDED.failure);
    return createCode(platform, request);
  }

  /** The stored code of the part that is requested. Only the order knows of the parts of sub-merchants. */
  #codeOfPart({preparation: {parts}}: ServerCodeRequest): string | null | undefined {
    const {record} = this.order.state();
    const id = parts?.[0]?.subMerchantId;
    return parts && record?.code ? record.parts?.find(({subMerchantId}) => subMerchantId === id)?.code : undefined;
  }

  /** Finds what an earlier try of the same request has created. */
  async #resume(terms: OrderTerms, {request: {operation}, preparation: {parts}}: ServerCodeRequest): Promise<string> {
    const {record} = this.order.state();
    const isSame = record?.changed || record?.amount === terms.amount;
    if (record?.code && isSame && !parts) return record.code;
    const found = record?.code === null && isSame && (await findOrderCode(this.order.services().platform, record));
    if (found && 'code' in found) return found.code;
    throw new PlatformError(operation, {outcome: 'unknown', fault: 'connection'});
  }

  /**
   * The platform has not created the code for the merchant's server.
   * @param asked - The record before the request, and whether this was the first request for the code.
   */
  async #refuse(
    {operation: failed, failure}: PlatformError,
    terms: OrderTerms,
    {preparation, adopt}: ServerCodeRequest,
    {before, isFirst}: {readonly before: OrderRecord | null; readonly isFirst: boolean},
  ): Promise<ServerCodeResult> {
    const operation = failed as OperationName;
    const exists = isExistingOrder(failure);
    const isUndone = failure.outcome === 'unsent' || !isBroken(failure);
    const refusal: CallRefusal = {operation, failure};
    await this.order.commit((order, now) => {
      const noted = withCall(order, {what: 'code.failed', by: preparation.by, refusal}, now);
      // Somebody else may have found the code.
      if (!isUndone || noted.record?.code !== null) return noted;
      if (!exists) return refused(noted);
      return isFirst ? asForeign(noted) : withRecord(noted, {expected: undefined, madeBy: before?.madeBy ?? 'unknown'});
    });
    const {record} = this.order.state();
    const isForeign = exists && isFirst && !record?.code;
    if (exists && !isForeign && record?.code === null) await this.#find();
    if (!exists || !adopt) return {failure, operation, isForeign};
    const found = await this.#adopt(terms, preparation);
    if ('failure' in found) return {failure: found.failure, operation: 'orderCodeCheck'};
    if ('cancelled' in found) return found;
    return 'code' in found && found.amount === terms.amount ? {code: found.code} : {failure, operation};
  }

  /** Stores a code that the merchant's server has read from the platform, if the order's code was requested here. */
  async markFound(code: string): Promise<void> {
    await this.order.commit(this.withFound(code));
  }

  /** Adds a code that the platform has just named, if the order has none and its code was requested here. */
  withFound(code: string): Change {
    const isFirst = this.#isFirst;
    return (order, now) => {
      const {record} = order;
      if (record?.code !== null) return order;
      return isNamedByWorker(record) || (isOurs(record) && !isFirst) ? withCode(order, code, now) : order;
    };
  }

  /**
   * Takes the code of an order that another system created, for the merchant's server. All its money was known before,
   * also money that arrives later, because the shopper may pay for the other system's order.
   */
  async #adopt(terms: OrderTerms, preparation: Preparation): Promise<OrderCodeResult> {
    const known = this.#known();
    if (this.order.state().record?.cancelledAt !== undefined) return {cancelled: true};
    if (known) return known;
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

  /** A request begins. @param record - The record before the request. @returns whether it is the first one. */
  #begin(record: OrderRecord | null, terms: OrderTerms): boolean {
    return (this.#isFirst = record ? record.code === null && !isOurs(record) : !isNamedByWorker(terms));
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
    const known = this.#settled(terms, request.hosted);
    if (known) return known;
    const admission = await admitOrder(services, state.record, terms, request.caller);
    if (isOrderRefusal(admission)) return admission;
    const buyer = filled && request.buyer && (await withReceipt(filled, request.buyer, terms, services));
    // While the request waited, the order may have got its code from the merchant's server, or have been cancelled.
    const settled = this.#settled(terms, request.hosted) ?? (filled && !buyer ? UNDECIDED : undefined);
    if (settled) await releaseOrder(services, admission.unpaid);
    if (settled) return settled;
    return this.#askForPage(terms, request, {...admission, buyer});
  }

  async #askForPage(
    terms: OrderTerms,
    {hosted, places, told}: OrderCodeRequest,
    {unpaid, buyer}: OrderAdmission & {readonly buyer: KnownBuyer | null},
  ): Promise<OrderCodeResult> {
    const {amount, hours} = terms;
    const operation = hosted ? 'direct' : 'create';
    const before = this.order.state().record;
    const {requested = false, madeBy: madeBefore = null} = before ?? {};
    const isFirst = this.#begin(before, terms);
    // From the next call on, the terms are fixed. If the request is interrupted, the alarm tells the sweep the order, so
    // that the sweep finds its money.
    await this.order.commit(
      (order, now) => {
        const placed = places && !order.record ? {placed: {amount, hours}} : {};
        const open = withBuyer(opened(order, terms, now), buyer);
        // From here on, this order stays.
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
    if (known) await this.#uncount(unpaid);
    if (known || !record) return known ?? {absent: true};
    const page = hosted && {...(!terms.shared && prefill), user_ip: hosted.address};
    const result = await requestOrderCode(
      this.order.services().platform,
      {...record, requested, madeBy: madeBefore},
      !isFirst,
      page,
    );
    this.#isFirst = false;
    if ('foreign' in result) {
      await this.order.commit(asForeign);
      return {foreign: true};
    }
    if ('code' in result) {
      const {code, madeBy} = result;
      await this.order.commit((order, now) => withCode(order, code, now, {madeBy, by: null}), {is: 'code-request'});
      const refusal = await requestParts(this.order, code, page);
      return this.#known() ?? refusal ?? {absent: true};
    }
    const {failure, isUndone} = result;
    // What was true before the request is true again.
    if (isUndone)
      await this.order.commit((order) =>
        order.record?.code === null ? withRecord(order, {requested, madeBy: madeBefore}) : order,
      );
    // The platform did nothing, so the order is not counted now; the next request counts it.
    if (isUnsent(failure)) await this.#uncount(unpaid);
    return {failure};
  }

  /** Releases the tickets of this request, unless the order was paid in the meantime. */
  async #uncount(unpaid: OrderAdmission['unpaid']): Promise<void> {
    if (unpaid.length === 0 || this.order.state().record?.unpaid !== unpaid) return;
    await this.order.commit((order) => withRecord(order, {unpaid: undefined}));
    await releaseOrder(this.order.services(), unpaid);
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
