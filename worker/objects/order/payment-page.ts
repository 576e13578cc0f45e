import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatAmount, type Kurus} from '../../lib/money.ts';
import {failureOf, isUnsent, type PlatformFailure} from '../../platform/failure.ts';
import {instantOf, readTime} from '../../platform/habits.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {OrderTerms} from '../../session.ts';
import {count, counterOf, orderGuard} from '../limits/counting.ts';
import {withReceipt} from './buyer-consent.ts';
import {
  type BuyerRefusal,
  type BuyerRequest,
  buyerOf,
  type KnownBuyer,
  readRequest,
  searchedName,
  withBuyer,
} from './buyer.ts';
import {refusalOf, withCall} from './order-calls.ts';
import {newlyTold, type OrderTold} from './order-code-changes.ts';
import {UNDECIDED} from './order-code-requests.ts';
import type {OrderAccess} from './order-effects.ts';
import {
  admitOrder,
  isOrderRefusal,
  type OrderAdmission,
  type OrderCaller,
  type OrderRefusal,
  releaseOrder,
} from './order-limits.ts';
import {isAmountUnclear} from './order-parts.ts';
import {dueOf, opened, type OrderState, retained, type StoredPage, withRecord, withServerPage} from './order-state.ts';

export interface OpenPageInput {
  readonly terms: OrderTerms;
  /** What the platform's page shows and where it leads, without the reference and the price. */
  readonly page: Omit<OperationInput<'paymentPageToken'>, 'referenceCode' | 'price'>;
  /** The page whose order is counted; null for the merchant's own server, whose orders are not counted. */
  readonly caller?: OrderCaller | null;
  readonly told?: OrderTold | undefined;
  /** Who buys; null for the merchant's own server, which is not asked. */
  readonly buyer?: BuyerRequest | null;
  /** Whether the shopper says that paying on the open page failed. */
  readonly reopen: boolean;
}

export interface ServerPageInput extends Pick<OpenPageInput, 'terms' | 'page'> {
  /** The amount as the platform gets it. */
  readonly price: string;
  /** The API key of the merchant's server; null for a shopper. */
  readonly by: string | null;
}

/** A page as the platform described it to the merchant's server. */
export interface ServerPage {
  readonly token: string;
  readonly url: string;
  /** As the platform wrote it. */
  readonly expiryDate: string | null;
}

/** The merchant has cancelled the order. */
interface Cancelled {
  readonly cancelled: true;
}

export type OpenPageResult =
  /** `expiresAt`: ISO 8601 with `+03:00`; null when the platform does not say. */
  | {readonly url: string; readonly expiresAt: string | null}
  | {readonly paid: true}
  | Cancelled
  | PageFailure
  | BuyerRefusal
  /** The limits refuse the order, or too many pages were opened. */
  | OrderRefusal;

interface PageFailure {
  readonly failure: PlatformFailure;
}

/** The result of opening a page, and the amount to pay on the page. */
interface Opening {
  readonly result: OpenPageResult;
  readonly amount: Kurus;
}

/** How long a page counts as open when the platform does not say how long. */
const DEFAULT_OPEN_MS = HOUR_MS;
/** How long a page counts as open at most, whatever the platform says. */
const MAX_OPEN_MS = 24 * HOUR_MS;
/**
 * How long a page is returned again if the Worker does not know when the page closes. The time is short, because a
 * closed page is useless.
 */
const DEFAULT_REUSE_MS = 10 * MINUTE_MS;
/** The time that a shopper needs to pay. A page that closes sooner is not returned again. */
const TIME_TO_PAY_MS = 2 * MINUTE_MS;
/** How long a mobile operator may take to book a charge after the page closed. */
const BOOKING_DELAY_MS = HOUR_MS / 2;
/** Each page costs a call to the platform, and is one more page on which the shopper can pay. */
const MAX_PAGES_PER_10_MINUTES = 5;

/**
 * The platform's payment page for one order (`docs/spec/subscriptions.md`, 4.B). There is one open page at a time, for
 * the amount still to pay. The platform cannot close a page, so while a page is open, requests return this page.
 */
export class PaymentPage {
  #opening: Promise<Opening> | undefined;

  constructor(private readonly order: OrderAccess) {}

  /**
   * Returns the open page, or opens a page. From then on, the service looks for what the shopper pays there. Stores
   * nothing about an order that the limits refuse.
   */
  async open(input: OpenPageInput): Promise<OpenPageResult> {
    const known = this.#known(input);
    if (known) return known;
    const isOwn = this.#opening === undefined;
    this.#opening ??= this.#open(input).finally(() => (this.#opening = undefined));
    const {result, amount} = await this.#opening;
    const refusal = refusalOf(result, 'paymentPageToken');
    if (refusal)
      await this.order.commit((order, now) => withCall(order, {what: 'payment_page.failed', by: null, refusal}, now));
    // The refusal of another page does not apply to this page, which may have passed a human check.
    if (!isOwn && (isOrderRefusal(result) || 'buyer' in result)) return this.open(input);
    // If the amount to pay changed while the page was opened, the page shows a wrong amount, so another page is opened.
    const state = this.order.state();
    return 'url' in result && (isAmountUnclear(state.record) || amount !== dueOf(state, input.terms))
      ? this.open({...input, caller: null, reopen: false})
      : result;
  }

  /** The result if no page is opened: the order is paid or cancelled, its amount is unclear, or a page is open. */
  #known({terms, reopen}: OpenPageInput): OpenPageResult | undefined {
    const due = dueOf(this.order.state(), terms);
    if (this.order.state().record?.cancelledAt !== undefined) return {cancelled: true};
    if (due === 0) return {paid: true};
    // A shopper who pays on the page cannot choose the amount.
    if (isAmountUnclear(this.order.state().record)) return UNDECIDED;
    const open = this.order.state().paymentPage;
    return open && !reopen && open.amount === due && Date.now() < open.givenUntil
      ? {url: open.url, expiresAt: open.expiresAt}
      : undefined;
  }

  async #open(input: OpenPageInput): Promise<Opening> {
    const {terms, caller = null, buyer = null} = input;
    const amount = dueOf(this.order.state(), terms);
    const filled = buyer && readRequest(this.order.state(), buyer);
    if (filled && !('person' in filled)) return {result: filled, amount};
    const [services, state] = [this.order.services(), this.order.state()];
    const admission = await admitOrder(services, state.record, terms, caller);
    if (isOrderRefusal(admission)) return {result: admission, amount};
    const {unpaid} = admission;
    const known = filled && buyer && (await withReceipt(filled, buyer, terms, services));
    // The order may have been paid while the limits were checked.
    const result =
      this.#known(input) ??
      (filled && !known ? UNDECIDED : await this.#openCounted(input, amount, {unpaid, buyer: known}));
    const wasSent = 'url' in result || ('failure' in result && !isUnsent(result.failure));
    if (!wasSent) await releaseOrder(services, unpaid);
    return {result, amount};
  }

  /**
   * Opens a page for the merchant's server, which decides how often pages are opened. The server's reference is the
   * order, which awaits the price until the page has closed.
   */
  async openForServer(input: ServerPageInput & {readonly by: string}): Promise<ServerPage | PageFailure | Cancelled> {
    const {terms, by} = input;
    if (this.order.state().record?.cancelledAt !== undefined) return {cancelled: true};
    const result = await this.#request({...input, amount: terms.amount}, (order, closesAt, now) =>
      withServerPage(order, terms, closesAt, by, now),
    );
    // The merchant may have cancelled the order while the platform answered.
    return this.order.state().record?.cancelledAt === undefined ? result : {cancelled: true};
  }

  async #openCounted(
    {terms, page, told}: OpenPageInput,
    amount: Kurus,
    {unpaid, buyer}: OrderAdmission & {readonly buyer: KnownBuyer | null},
  ): Promise<OpenPageResult> {
    const {objects} = this.order.services();
    const pages = counterOf('order_pages_per_10_minutes', '', MAX_PAGES_PER_10_MINUTES);
    const counted = await count(objects, orderGuard(terms.service, terms.order), [pages]);
    if (counted.full !== undefined) return {limited: {retryAfterSeconds: counted.retryAfterSeconds}};
    const opening = await this.#request(
      {terms, page, price: formatAmount(amount), by: null, amount},
      (order, _closesAt, now) => {
        const open = withBuyer(opened(order, terms, now), buyer);
        return withRecord(open, {...newlyTold(open.record, told), ...(unpaid.length > 0 && {unpaid})});
      },
    );
    return 'failure' in opening ? opening : {url: opening.url, expiresAt: instantOf(opening.expiryDate)};
  }

  /** @param change - Changes the order because of a page that closes at `closesAt`. */
  async #request(
    {terms, page, price, by, amount}: ServerPageInput & {readonly amount: Kurus},
    change: (order: OrderState, closesAt: number, now: number) => OrderState,
  ): Promise<ServerPage | PageFailure> {
    const {objects, platform} = this.order.services();
    const {service, order} = terms;
    const input = {...page, referenceCode: order, price};
    let tokenData;
    try {
      tokenData = (await platform.call('paymentPageToken', input)).tokenData;
    } catch (error) {
      return {failure: failureOf(error)};
    }
    const {token, redirectUrl: url, expiryDate} = tokenData;
    const [now, expiresAtMs] = [Date.now(), readTime(expiryDate)];
    const openMs = expiresAtMs === null ? null : Math.min(Math.max(expiresAtMs - now, 0), MAX_OPEN_MS);
    const closesAt = now + (openMs ?? DEFAULT_OPEN_MS);
    const until = closesAt + BOOKING_DELAY_MS;
    await this.order.commit((known) => {
      const open = retained(change(known, closesAt, now));
      return withRecord(open, {pageUntil: Math.max(until, open.record?.pageUntil ?? 0)});
    });
    const name = searchedName(buyerOf(this.order.state()));
    await objects.service(service).trackPaymentPage(service, {order, until}, name);
    // The page is stored last, so that it is never returned again before the service looks for its money.
    const givenUntil = now + (openMs === null ? DEFAULT_REUSE_MS : openMs - TIME_TO_PAY_MS);
    const paymentPage: StoredPage = {url, expiresAt: instantOf(expiryDate), amount, givenUntil};
    await this.order.commit((known, at) =>
      withCall({...known, paymentPage}, {what: 'payment_page.opened', by, refusal: null}, at),
    );
    return {token, url, expiryDate};
  }
}
