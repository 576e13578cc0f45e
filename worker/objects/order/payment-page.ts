import type {Context} from '../../context.ts';
import {HOUR_MS, MINUTE_MS} from '../../lib/durations.ts';
import {formatAmount, type Kurus} from '../../lib/money.ts';
import {failureOf, type PlatformFailure} from '../../platform/failure.ts';
import type {OperationInput} from '../../platform/operations/index.ts';
import type {OrderTerms} from '../../session.ts';
import {atMost} from '../limits/guard-rules.ts';
import {
  isOrderRefusal,
  type OrderAdmission,
  type OrderCaller,
  type OrderLimits,
  type OrderRefusal,
} from './order-limits.ts';
import type {OrderNotifier} from './order-notifier.ts';
import type {OrderStore} from './order-store.ts';

export interface OpenPageInput {
  readonly terms: OrderTerms;
  /** What the page says beside the reference and the price. */
  readonly page: Omit<OperationInput<'paymentPageToken'>, 'referenceCode' | 'price'>;
  /** Who opens it, where a new order counts; null for the merchant's own server, which vouches for its orders. */
  readonly caller?: OrderCaller | null;
  /** Whether the shopper says that the page which was open came to nothing. */
  readonly reopen: boolean;
}

export type OpenPageResult =
  /** ISO 8601 with `+03:00`; null where the platform does not say. */
  | {readonly url: string; readonly expiresAt: string | null}
  | {readonly paid: true}
  | {readonly failure: PlatformFailure}
  /** The order may not be made, or enough pages were opened for now. */
  | OrderRefusal;

interface StoredPage {
  readonly url: string;
  readonly expiresAt: string | null;
  /** What it takes. */
  readonly amount: Kurus;
  /** How long it is given again, epoch milliseconds. */
  readonly givenUntil: number;
}

/** What became of a page that was asked for, and what it takes. */
interface Opening {
  readonly result: OpenPageResult;
  readonly amount: Kurus;
}

/** How long a page is taken to be open where the platform does not say, and at the most. */
const DEFAULT_OPEN_MS = HOUR_MS;
const MAX_OPEN_MS = 24 * HOUR_MS;
/** How long a page is given again of which nobody knows when it closes: what is closed already helps nobody. */
const DEFAULT_REUSE_MS = 10 * MINUTE_MS;
/** A shopper needs that long to pay: a page that closes sooner is not given again. */
const TIME_TO_PAY_MS = 2 * MINUTE_MS;
/** An operator may take its time. */
const BOOKING_DELAY_MS = HOUR_MS / 2;
/** Each is a call of the platform, and another page that takes the money: a shopper who goes there and back needs few. */
const MAX_PAGES = 5;
const PAGES_WINDOW_MS = 10 * MINUTE_MS;

/**
 * The common payment page of one order (subscriptions 4.B): one at a time, for what is still to be paid. The platform cannot
 * take a page back, so who asks while one is open is led to that one.
 */
export class PaymentPage {
  #opening: Promise<Opening> | undefined;

  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly store: OrderStore,
    private readonly notifier: OrderNotifier,
    private readonly limits: OrderLimits,
    private readonly context: () => Context,
  ) {}

  /** Nothing is stored of an order that the limits refuse. */
  async open(input: OpenPageInput): Promise<OpenPageResult> {
    const known = this.#known(input);
    if (known) return known;
    const isOwn = this.#opening === undefined;
    this.#opening ??= this.#open(input).finally(() => (this.#opening = undefined));
    const {result, amount} = await this.#opening;
    // What another page of the order is refused says nothing of this one, which may bring a human check.
    if (!isOwn && isOrderRefusal(result)) return this.open(input);
    // What is to be paid may have changed meanwhile, and the page that was asked for is no better than one that was open.
    return 'url' in result && amount !== this.store.due(input.terms)
      ? this.open({...input, caller: null, reopen: false})
      : result;
  }

  /** Why there is nothing to open: the order is paid, or a page is open. */
  #known({terms, reopen}: OpenPageInput): OpenPageResult | undefined {
    const due = this.store.due(terms);
    if (due === 0) return {paid: true};
    const open = this.storage.kv.get<StoredPage>('commonPage');
    return open && !reopen && open.amount === due && Date.now() < open.givenUntil
      ? {url: open.url, expiresAt: open.expiresAt}
      : undefined;
  }

  async #open(input: OpenPageInput): Promise<Opening> {
    const {terms, caller = null} = input;
    const amount = this.store.due(terms);
    const admission = await this.limits.admit(this.store.record(), terms, caller);
    if (isOrderRefusal(admission)) return {result: admission, amount};
    const {unpaid} = admission;
    // It may have been paid meanwhile.
    const result = this.#known(input) ?? (await this.#request(input, amount, unpaid));
    const wasSent = 'url' in result || ('failure' in result && result.failure.outcome !== 'unsent');
    if (!wasSent) await this.limits.release(unpaid);
    return {result, amount};
  }

  async #request(
    {terms, page}: OpenPageInput,
    amount: Kurus,
    unpaid: OrderAdmission['unpaid'],
  ): Promise<OpenPageResult> {
    const {objects, platform} = this.context();
    const {service, order} = terms;
    const permit = await (
      await objects.guard(`pages ${service}/${order}`)
    ).acquire([atMost(MAX_PAGES, PAGES_WINDOW_MS)]);
    if (!permit.allowed) return {limited: permit};
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
    await this.#trackCharge(terms, now + (openMs ?? DEFAULT_OPEN_MS) + BOOKING_DELAY_MS);
    if (unpaid.length > 0) this.store.update({unpaid});
    // Last: a page that nobody is asked about is given to nobody.
    this.storage.kv.put<StoredPage>('commonPage', {
      url,
      expiresAt,
      amount,
      givenUntil: now + (openMs === null ? DEFAULT_REUSE_MS : openMs - TIME_TO_PAY_MS),
    });
    return {url, expiresAt};
  }

  /** What is paid on the page, which is closed by then, is looked for from now on. @param until epoch milliseconds. */
  async #trackCharge(terms: OrderTerms, until: number): Promise<void> {
    const {pageUntil = 0} = this.store.open(terms, Date.now());
    this.store.retain();
    this.store.update({pageUntil: Math.max(until, pageUntil)});
    await this.notifier.planAlarm();
    await this.context().objects.charges(terms.service).trackOrder(terms.service, {order: terms.order, until});
  }
}

/** A time that cannot be read says nothing. */
function isInstant(time: string | null): time is string {
  return time !== null && /T.*\+03:00$/.test(time);
}
