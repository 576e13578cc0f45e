import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatAmount, type Kurus} from '../../lib/money.ts';
import {failureOf, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {OrderTerms} from '../../session.ts';
import {count, counterOf, orderGuard} from '../limits/counting.ts';
import type {OrderAccess} from './order-effects.ts';
import {
  admitOrder,
  isOrderRefusal,
  type OrderAdmission,
  type OrderCaller,
  type OrderRefusal,
  releaseOrder,
} from './order-limits.ts';
import {dueOf, opened, retained, type StoredPage, withRecord} from './order-state.ts';

export interface OpenPageInput {
  readonly terms: OrderTerms;
  /** What the platform's page shows and where it leads, without the reference and the price. */
  readonly page: Omit<OperationInput<'paymentPageToken'>, 'referenceCode' | 'price'>;
  /** The page whose order is counted; null for the merchant's own server, whose orders are not counted. */
  readonly caller?: OrderCaller | null;
  /** Whether the shopper says that paying on the open page failed. */
  readonly reopen: boolean;
}

export type OpenPageResult =
  /** `expiresAt`: ISO 8601 with `+03:00`; null when the platform does not say. */
  | {readonly url: string; readonly expiresAt: string | null}
  | {readonly paid: true}
  | {readonly cancelled: true}
  | {readonly failure: PlatformFailure}
  /** The limits refuse the order, or too many pages were opened. */
  | OrderRefusal;

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

/**
 * The platform's payment page for one order (`docs/spec/subscriptions.md`, 4.B). There is one open page at a time, for
 * the amount still to pay. The platform cannot close a page, so while a page is open, requests return this page.
 */
export class PaymentPage {
  #opening: Promise<Opening> | undefined;

  constructor(private readonly order: OrderAccess) {}

  /**
   * Returns the open page, or opens a page. From then on, `Charges` looks for what the shopper pays there. Stores
   * nothing about an order that the limits refuse.
   */
  async open(input: OpenPageInput): Promise<OpenPageResult> {
    const known = this.#known(input);
    if (known) return known;
    const isOwn = this.#opening === undefined;
    this.#opening ??= this.#open(input).finally(() => (this.#opening = undefined));
    const {result, amount} = await this.#opening;
    // The refusal of another page does not apply to this page, which may have passed a human check.
    if (!isOwn && isOrderRefusal(result)) return this.open(input);
    // If the amount to pay changed while the page was opened, the page shows a wrong amount, so another page is opened.
    return 'url' in result && amount !== dueOf(this.order.state(), input.terms)
      ? this.open({...input, caller: null, reopen: false})
      : result;
  }

  /** The result if no page needs to be opened, because the order is paid or cancelled, or a page is open; otherwise undefined. */
  #known({terms, reopen}: OpenPageInput): OpenPageResult | undefined {
    const due = dueOf(this.order.state(), terms);
    if (this.order.state().record?.cancelledAt !== undefined) return {cancelled: true};
    if (due === 0) return {paid: true};
    const open = this.order.state().paymentPage;
    return open && !reopen && open.amount === due && Date.now() < open.givenUntil
      ? {url: open.url, expiresAt: open.expiresAt}
      : undefined;
  }

  async #open(input: OpenPageInput): Promise<Opening> {
    const {terms, caller = null} = input;
    const amount = dueOf(this.order.state(), terms);
    const [services, state] = [this.order.services(), this.order.state()];
    const admission = await admitOrder(services, state.record, terms, caller);
    if (isOrderRefusal(admission)) return {result: admission, amount};
    const {unpaid} = admission;
    // The order may have been paid while the limits were checked.
    const result = this.#known(input) ?? (await this.#request(input, amount, unpaid));
    const wasSent = 'url' in result || ('failure' in result && result.failure.outcome !== 'unsent');
    if (!wasSent) await releaseOrder(services, unpaid);
    return {result, amount};
  }

  async #request(
    {terms, page}: OpenPageInput,
    amount: Kurus,
    unpaid: OrderAdmission['unpaid'],
  ): Promise<OpenPageResult> {
    const {config, objects, platform} = this.order.services();
    const {service, order} = terms;
    const pages = counterOf('order_pages_per_10_minutes', '', config.limits.orderPagesPer10Minutes);
    const counted = await count(objects, orderGuard(service, order), [pages]);
    if (counted.full !== undefined) return {limited: {retryAfterSeconds: counted.retryAfterSeconds}};
    let tokenData;
    try {
      tokenData = (
        await platform.call('paymentPageToken', {...page, referenceCode: order, price: formatAmount(amount)})
      ).tokenData;
    } catch (error) {
      return {failure: failureOf(error)};
    }
    const [now, url, expiresAt] = [
      Date.now(),
      tokenData.redirectUrl,
      isInstant(tokenData.expiryDate) ? tokenData.expiryDate : null,
    ];
    const openMs = expiresAt === null ? null : Math.min(Math.max(Date.parse(expiresAt) - now, 0), MAX_OPEN_MS);
    const until = now + (openMs ?? DEFAULT_OPEN_MS) + BOOKING_DELAY_MS;
    await this.order.commit((known) => {
      const open = retained(opened(known, terms, now));
      const pageUntil = Math.max(until, open.record?.pageUntil ?? 0);
      return withRecord(open, {pageUntil, ...(unpaid.length > 0 && {unpaid})});
    });
    await objects.charges(service).trackOrder(service, {order, until});
    // The page is stored last, so that it is never returned again before `Charges` looks for its money.
    const givenUntil = now + (openMs === null ? DEFAULT_REUSE_MS : openMs - TIME_TO_PAY_MS);
    const paymentPage: StoredPage = {url, expiresAt, amount, givenUntil};
    await this.order.commit((known) => ({...known, paymentPage}));
    return {url, expiresAt};
  }
}

/** Whether the platform's time has the expected format; a time in any other format is ignored. */
function isInstant(time: string | null): time is string {
  return time !== null && /T.*\+03:00$/.test(time);
}
