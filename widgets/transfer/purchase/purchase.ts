import type {
  OrderCode,
  PlacedOrder,
  RedeemedSession,
  NewPaymentSession,
} from '../../../worker/contract/browser/answers.ts';
import type {CheckoutPageData} from '../../../worker/contract/browser/page-data.ts';
import type {Locale} from '../../core/locale.ts';
import {unknownOfferProblem, paymentRefusals, toProblem} from '../../core/problem.ts';
import {Query} from '../../core/query.ts';
import {IS_PAGE_SCRIPT} from '../../core/script-tag.ts';
import {BrowserStorage} from '../../core/storage.ts';
import type {PaymentStore} from '../payment/payment-store.ts';
import {CheckoutState} from './checkout-state.ts';
import {OrderClient, isSession} from './order-client.ts';
import {handoffStorage, tokenSuffix, type SavedOrder, type PurchaseKey} from './saved-order.ts';

/** An open session. Title and amount are missing if the merchant's server created it. */
export type OpenSession = Pick<NewPaymentSession, 'token'> &
  Partial<Pick<NewPaymentSession, 'human_check' | 'order' | 'create_until'>> &
  Partial<Pick<RedeemedSession, 'title' | 'amount'>>;

/**
 * Replaces a session that the Worker has rejected. This is rare, so the code is in the payment bundle and not in the
 * first file.
 * @returns Whether the purchase has a new session now.
 */
export type SessionReplacer = (purchase: Purchase, token: string) => boolean | Promise<boolean>;

let replaceSession: SessionReplacer | undefined;

/** The bundles for a bank transfer call this function. This file cannot import them, because they import this file. */
export function setSessionReplacer(replacer: SessionReplacer): void {
  replaceSession = replacer;
}

/** How a page with `checkout.js` begins a purchase: the page opens no session until the shopper chooses a bank. */
export interface DirectOrders {
  /** The offer in the script, as long as the purchase needs no session. */
  offerOf(purchase: Purchase): CheckoutPageData['offer'] | undefined;
  /** Opens a session and creates its order code in one request; undefined if the page must open a session first. */
  place(purchase: Purchase, signal: AbortSignal): Promise<PlacedOrder | undefined>;
  /**
   * The code that arrived with this session. Only the first call returns it, because the account in the answer may
   * change later.
   */
  takeCode(purchase: Purchase, token: string): OrderCode | undefined;
}

/** Set by the page script. With `vezne.js`, a purchase always opens a session first. */
export let directOrders: DirectOrders | undefined;

export function setDirectOrders(orders: DirectOrders): void {
  directOrders = orders;
}

/**
 * One purchase on one page: its session, order code and payment. All elements with the same Worker and the same offer
 * or session share one purchase. The code for the payment itself is in the payment bundle.
 */
export class Purchase {
  readonly #client: OrderClient;
  /** The storage of the shopper's own order. */
  readonly ownStorage: BrowserStorage<SavedOrder>;
  /** The storage of the order of a hand-off link. It is separate, so that the shopper's own order is kept. */
  readonly handoffStorage: BrowserStorage<SavedOrder>;
  /** The storage of the order that is shown: the shopper's own order, or the order of a hand-off link. */
  storage: BrowserStorage<SavedOrder>;
  /** The token of the human check, for the next request for the order code. It is valid for one request. */
  humanToken = '';
  /** The bank whose account an element shows. By default, this is the bank that the shopper chose. */
  shownBank: string | undefined;
  /** The bank that the page named when it requested the order code. The answer contains the account at this bank. */
  codeBank = '';
  /** A sentence that tells the shopper that the amount has changed. The shopper then has to choose the bank again. */
  notice: ((amount: string, locale: Locale) => string) | undefined;
  /** Whether the Worker no longer accepts the session. The saved instructions are still shown. */
  isSessionEnded = false;
  /** Whether this page did not open the session itself, so that the order may be paid already. */
  declare isResumed: boolean;

  readonly checkout: CheckoutState;
  readonly session: Query<OpenSession>;
  readonly orderCode: Query<OrderCode>;
  /** The one element of this purchase that asks whether to open the link. */
  linkPrompt: Element | undefined;
  /** The session of the hand-off link's order that the shopper has just agreed to open. */
  declare acceptedToken: string | undefined;
  /** The store of the payment. `paymentStoreOf` creates it. */
  payment: PaymentStore | undefined;

  constructor(
    readonly api: string,
    readonly key: PurchaseKey,
  ) {
    const {session, offer} = key;
    this.#client = new OrderClient(api);
    this.ownStorage = new BrowserStorage([api, session ? `#${tokenSuffix(session)}` : offer]);
    this.handoffStorage = handoffStorage(api, key);
    this.storage = isSession(this.handoffStorage.read().session) ? this.handoffStorage : this.ownStorage;
    this.checkout = new CheckoutState(key, this.storage, new BrowserStorage([api]));
    this.session = new Query((signal) => this.#openSession(signal));
    this.orderCode = new Query((signal) => this.#createOrderCode(signal), {after: this.session});
  }

  /** Whether a hand-off link brought the order that is shown. */
  get isFromHandoff(): boolean {
    return this.storage === this.handoffStorage;
  }

  /** Whether the page may start another payment, or return to the shopper's own order. */
  get canStartOver(): boolean {
    return this.isFromHandoff || (!this.key.session && this.key.offer !== '');
  }

  /** Leaves this order, and shows the shopper's own order or starts a new order of the same offer. */
  startOver(): void {
    const {isFromHandoff, storage} = this;
    // If another tab has already started a new order, continue with that order.
    if (isFromHandoff || storage.read().session?.token === this.session.value?.token)
      storage.write({session: undefined, slip: undefined, attempt: undefined});
    if (!isFromHandoff) this.checkout.goTo('bank');
    this.switchTo(this.ownStorage);
  }

  /** Shows the order saved in `storage`, or starts a new order. */
  switchTo(storage: BrowserStorage<SavedOrder>): void {
    this.storage = storage;
    this.shownBank = undefined;
    this.isSessionEnded = this.isResumed = false;
    this.session.reload();
    this.orderCode.reload();
    this.payment?.reset();
    this.checkout.switchTo(storage);
  }

  /** Sends a request with the session's token. If the session is rejected and replaced, sends the request once more. */
  async withToken<T>(signal: AbortSignal, send: (token: string) => Promise<T>): Promise<T> {
    const {token} = await this.session.wait(signal);
    try {
      return await send(token);
    } catch (thrown) {
      if (signal.aborted || !toProblem(thrown).endsSession) throw thrown;
      // This call may load the payment bundle. If loading fails, the caller retries the whole request.
      if (!(await replaceSession?.(this, token))) throw thrown;
    }
    signal.throwIfAborted();
    return send((await this.session.wait(signal)).token);
  }

  #createOrderCode(signal: AbortSignal): Promise<OrderCode> {
    const {humanToken} = this;
    const bank = this.shownBank || this.checkout.bank;
    this.humanToken = '';
    this.codeBank = bank;
    return this.withToken(signal, async (token) => {
      const code = IS_PAGE_SCRIPT && directOrders?.takeCode(this, token);
      return code || this.#client.createOrderCode(token, signal, bank, humanToken);
    });
  }

  async #openSession(signal: AbortSignal): Promise<OpenSession> {
    const {checkout} = this;
    // The shopper first decides about the link, and can make no other choice before. Without a link, the request is
    // sent immediately, in the same task as the tap.
    if (checkout.link) await new Promise<void>((resolve) => void checkout.subscribe(resolve));
    signal.throwIfAborted();
    const {session: token, offer} = this.key;
    const known = this.#savedSession ?? (token && {token});
    this.isResumed = !!known;
    if (known) return known;
    if (!offer) throw await unknownOfferProblem(paymentRefusals, '');
    const placed = IS_PAGE_SCRIPT ? await directOrders?.place(this, signal) : undefined;
    const session = placed ?? (await this.#client.createSession(offer, signal));
    // If another tab has saved a session in the meantime, all tabs use that session.
    const savedByOtherTab = this.#savedSession;
    if (!savedByOtherTab) this.storage.write({session, attempt: undefined});
    return savedByOtherTab ?? session;
  }

  get #savedSession(): NewPaymentSession | RedeemedSession | undefined {
    const {session} = this.storage.read();
    return isSession(session) ? session : undefined;
  }
}

const purchases = new Map<string, Purchase>();

/** Returns the page's only purchase for this Worker and this offer or session. The first call creates it. */
export function findPurchase(api: string, {session, offer}: PurchaseKey): Purchase {
  const key = {session, offer: session ? '' : offer};
  const name = JSON.stringify([api, key]);
  let purchase = purchases.get(name);
  if (!purchase) purchases.set(name, (purchase = new Purchase(api, key)));
  return purchase;
}
