import type {OrderCode, RedeemedSession, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import {notOffered, paymentRefusals, toProblem} from '../../core/problem.ts';
import {Resource} from '../../core/query.ts';
import {SessionStore} from '../../core/storage.ts';
import type {PaymentWatch} from '../payment/payment-store.ts';
import {Choice} from './checkout-state.ts';
import {PaymentClient} from './order-client.ts';
import {broughtStore, endOf, type Remembered, type PurchaseKey} from './saved-order.ts';
import {isSession} from './validate-order.ts';

/** What is being bought. A session made by the merchant's server names neither title nor amount. */
export type OpenSession = Pick<NewPaymentSession, 'token'> & Partial<Pick<RedeemedSession, 'title' | 'amount'>>;

/**
 * One purchase on one page: its session, order code and payment, shared by all elements that name the same
 * Worker and the same offer or session. What is needed from the code on comes with the elements one pays with.
 */
export class PaymentSession {
  readonly #client: PaymentClient;
  /** The shopper's own order. */
  readonly own: SessionStore<Remembered>;
  /** The order a link brought. While it is shown the shopper's own waits, untouched. */
  readonly brought: SessionStore<Remembered>;
  /** The one of the two that is shown. */
  store: SessionStore<Remembered>;
  /** Whether the Worker says nothing more of this order here; what was given to pay with stays. */
  isLost = false;

  readonly choice: Choice;
  readonly session: Resource<OpenSession>;
  readonly orderCode: Resource<OrderCode>;
  /** The one element that asks what to do with a link, of all that are about this purchase. */
  host: Element | undefined;
  /** Made by `paymentOf`. */
  payment: PaymentWatch | undefined;

  constructor(
    readonly api: string,
    readonly purchase: PurchaseKey,
  ) {
    const {session, offer} = purchase;
    this.#client = new PaymentClient(api);
    this.own = new SessionStore([api, session ? `#${endOf(session)}` : offer]);
    this.brought = broughtStore(api, purchase);
    this.store = isSession(this.brought.read().session) ? this.brought : this.own;
    this.choice = new Choice(purchase, this.store, new SessionStore([api]));
    this.session = new Resource((signal) => this.#open(signal));
    this.orderCode = new Resource(
      (signal) => this.authorized(signal, (token) => this.#client.createOrderCode(token, signal)),
      {after: this.session},
    );
  }

  /** Whether the order shown is one that a link brought. */
  get isBrought(): boolean {
    return this.store === this.brought;
  }

  /** Whether the page itself may begin another payment, or go back to the shopper's own. */
  get canStartOver(): boolean {
    return this.isBrought || (!this.purchase.session && this.purchase.offer !== '');
  }

  /** Leaves this payment behind: for the shopper's own, or for another of the same offer. */
  startOver(): void {
    const {isBrought, store} = this;
    // Another tab may have forgotten it already, and begun anew: its order is the one to go on with.
    if (isBrought || store.read().session?.token === this.session.value?.token)
      store.write({session: undefined, slip: undefined});
    if (!isBrought) this.choice.enter('bank');
    this.turnTo(this.own);
  }

  /** Shows the order that is remembered there, or begins one. */
  turnTo(store: SessionStore<Remembered>): void {
    this.store = store;
    this.isLost = false;
    this.session.reload();
    this.orderCode.reload();
    this.payment?.reset();
    this.choice.turnTo(store);
  }

  /** Asks with the session's token, and once more where that had to be replaced. */
  async authorized<T>(signal: AbortSignal, ask: (token: string) => Promise<T>): Promise<T> {
    const {token} = await this.session.wait(signal);
    try {
      return await ask(token);
    } catch (thrown) {
      if (signal.aborted || !toProblem(thrown).endsSession) throw thrown;
      // What is needed seldom comes with the elements one pays with; where that fails it is all tried again.
      const {replaceRefused} = await import('../../bundles/payment.ts');
      if (!replaceRefused(this, token)) throw thrown;
    }
    signal.throwIfAborted();
    return ask((await this.session.wait(signal)).token);
  }

  async #open(signal: AbortSignal): Promise<OpenSession> {
    await this.choice.answered();
    signal.throwIfAborted();
    const {session: token, offer} = this.purchase;
    const known = this.#remembered;
    if (known) return known;
    if (token) return {token};
    if (!offer) throw await notOffered(paymentRefusals, '');
    const session = await this.#client.createSession(offer, signal);
    // Another tab may have been quicker: all go on with one order.
    const other = this.#remembered;
    if (!other) this.store.write({session});
    return other ?? session;
  }

  get #remembered(): NewPaymentSession | RedeemedSession | undefined {
    const {session} = this.store.read();
    return isSession(session) ? session : undefined;
  }
}

const sessions = new Map<string, PaymentSession>();

/** The one payment session of this page for a Worker and what is bought there. */
export function paymentSession(api: string, {session, offer}: PurchaseKey): PaymentSession {
  const purchase = {session, offer: session ? '' : offer};
  const key = JSON.stringify([api, purchase]);
  let known = sessions.get(key);
  if (!known) sessions.set(key, (known = new PaymentSession(api, purchase)));
  return known;
}
