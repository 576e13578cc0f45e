import type {OrderCode, RedeemedSession, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import {unknownOfferProblem, paymentRefusals, toProblem} from '../../core/problem.ts';
import {Query} from '../../core/query.ts';
import {BrowserStorage} from '../../core/storage.ts';
import type {PaymentStore} from '../payment/payment-store.ts';
import {CheckoutState} from './checkout-state.ts';
import {OrderClient, isSession} from './order-client.ts';
import {handoffStorage, tokenSuffix, type SavedOrder, type PurchaseKey} from './saved-order.ts';

/** What is being bought. A session made by the merchant's server names neither title nor amount. */
export type OpenSession = Pick<NewPaymentSession, 'token'> &
  Partial<Pick<NewPaymentSession, 'human_check'>> &
  Partial<Pick<RedeemedSession, 'title' | 'amount'>>;

/**
 * Gets a purchase another session where the Worker refuses the one it has. Rarely needed, so it comes with the payment bundle.
 * @returns Whether the purchase has another session now.
 */
export type SessionReplacer = (purchase: Purchase, token: string) => boolean | Promise<boolean>;

let replaceSession: SessionReplacer | undefined;

/** Called by the bundles of a transfer: this file cannot import one, because each of them imports this file. */
export function setSessionReplacer(replacer: SessionReplacer): void {
  replaceSession = replacer;
}

/**
 * One purchase on one page: its session, order code and payment, shared by all elements that name the same
 * Worker and the same offer or session. What is needed from the code on comes with the elements one pays with.
 */
export class Purchase {
  readonly #client: OrderClient;
  /** The shopper's own order. */
  readonly ownStorage: BrowserStorage<SavedOrder>;
  /** The order a link brought. While it is shown the shopper's own waits, untouched. */
  readonly handoffStorage: BrowserStorage<SavedOrder>;
  /** The one of the two that is shown. */
  storage: BrowserStorage<SavedOrder>;
  /** Token of the human check for the next request for the code. It is good for one request. */
  humanToken = '';
  /** Whether the Worker says nothing more of this order here; what was given to pay with stays. */
  isSessionEnded = false;

  readonly checkout: CheckoutState;
  readonly session: Query<OpenSession>;
  readonly orderCode: Query<OrderCode>;
  /** The one element that asks what to do with a link, of all that are about this purchase. */
  linkPrompt: Element | undefined;
  /** Made by `paymentStoreOf`. */
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

  /** Whether the order shown is one that a link brought. */
  get isFromHandoff(): boolean {
    return this.storage === this.handoffStorage;
  }

  /** Whether the page itself may begin another payment, or go back to the shopper's own. */
  get canStartOver(): boolean {
    return this.isFromHandoff || (!this.key.session && this.key.offer !== '');
  }

  /** Leaves this payment behind: for the shopper's own, or for another of the same offer. */
  startOver(): void {
    const {isFromHandoff, storage} = this;
    // Another tab may have forgotten it already, and begun anew: its order is the one to go on with.
    if (isFromHandoff || storage.read().session?.token === this.session.value?.token)
      storage.write({session: undefined, slip: undefined});
    if (!isFromHandoff) this.checkout.goTo('bank');
    this.switchTo(this.ownStorage);
  }

  /** Shows the order that is remembered there, or begins one. */
  switchTo(storage: BrowserStorage<SavedOrder>): void {
    this.storage = storage;
    this.isSessionEnded = false;
    this.session.reload();
    this.orderCode.reload();
    this.payment?.reset();
    this.checkout.switchTo(storage);
  }

  /** Asks with the session's token, and once more where that had to be replaced. */
  async withToken<T>(signal: AbortSignal, ask: (token: string) => Promise<T>): Promise<T> {
    const {token} = await this.session.wait(signal);
    try {
      return await ask(token);
    } catch (thrown) {
      if (signal.aborted || !toProblem(thrown).endsSession) throw thrown;
      // What is needed seldom comes with the elements one pays with; where that fails it is all tried again.
      if (!(await replaceSession?.(this, token))) throw thrown;
    }
    signal.throwIfAborted();
    return ask((await this.session.wait(signal)).token);
  }

  #createOrderCode(signal: AbortSignal): Promise<OrderCode> {
    const {humanToken} = this;
    this.humanToken = '';
    return this.withToken(signal, (token) => this.#client.createOrderCode(token, signal, humanToken));
  }

  async #openSession(signal: AbortSignal): Promise<OpenSession> {
    await this.checkout.linkAnswered();
    signal.throwIfAborted();
    const {session: token, offer} = this.key;
    const known = this.#savedSession;
    if (known) return known;
    if (token) return {token};
    if (!offer) throw await unknownOfferProblem(paymentRefusals, '');
    const session = await this.#client.createSession(offer, signal);
    // Another tab may have been quicker: all go on with one order.
    const other = this.#savedSession;
    if (!other) this.storage.write({session});
    return other ?? session;
  }

  get #savedSession(): NewPaymentSession | RedeemedSession | undefined {
    const {session} = this.storage.read();
    return isSession(session) ? session : undefined;
  }
}

const purchases = new Map<string, Purchase>();

/** The one purchase of this page for a Worker and what is bought there. */
export function findPurchase(api: string, {session, offer}: PurchaseKey): Purchase {
  const key = {session, offer: session ? '' : offer};
  const name = JSON.stringify([api, key]);
  let purchase = purchases.get(name);
  if (!purchase) purchases.set(name, (purchase = new Purchase(api, key)));
  return purchase;
}
