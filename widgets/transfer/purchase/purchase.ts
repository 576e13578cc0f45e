import type {OrderCode, PlacedOrder} from '../../../worker/contract/browser/answers.ts';
import type {PageFactsInput} from '../../../worker/contract/browser/page-facts.ts';
import type {Buyer} from '../../../worker/contract/buyer.ts';
import {unknownOfferProblem, paymentRefusals, Problem, toProblem} from '../../core/problem.ts';
import {Query} from '../../core/query.ts';
import {BrowserStorage} from '../../core/storage.ts';
import {Store} from '../../core/store.ts';
import {mayHaveCampaign, usePage} from '../../core/use-page.ts';
import type {PaymentStore} from '../payment/payment-store.ts';
import {lastBankAt} from './bank-directory.ts';
import {placeOrder, rareEvents, scriptOffer} from './direct-order.ts';
import {
  nextOrder,
  savedOrder,
  showOrder,
  type Answers,
  type Next,
  type OpenSession,
  type OrderEvent,
  type PurchaseFacts,
} from './facts.ts';
import {claimHandoffLink} from './handoff-link.ts';
import {OrderClient, isOrderCode, isSession} from './order-client.ts';
import {handoffStorage, tokenSuffix, type SavedBuyer, type SavedOrder, type PurchaseKey} from './saved-order.ts';

/** What a request that creates the order says of it. */
interface OrderFacts {
  readonly buyer: Buyer | undefined;
  readonly page: PageFactsInput | undefined;
}

/**
 * One purchase on one page. All elements with the same Worker and the same offer or session share one purchase. It
 * keeps what the page knows (`facts`), which only events change, and sends the requests for the session and the order
 * code. The code for the payment itself is in the payment bundle.
 */
export class Purchase extends Store {
  readonly #client: OrderClient;
  readonly #storage: Readonly<Record<PurchaseFacts['shown'], BrowserStorage<SavedOrder>>>;
  #facts: PurchaseFacts;
  #codeBank = '';
  /** The code that arrived with the session, until the first request for the code. */
  #placed: PlacedOrder | undefined;
  /** The token of the human check, for the next request for the order code. It is valid for one request. */
  #humanToken = '';
  /** The one element of this purchase that asks whether to open the link. */
  #linkPrompt: Element | undefined;

  /** Who buys. Only this tab keeps it. */
  readonly buyer: BrowserStorage<SavedBuyer>;
  readonly session: Query<OpenSession>;
  readonly orderCode: Query<OrderCode>;
  /** The store of the payment. `paymentStoreOf` creates it. */
  payment: PaymentStore | undefined;

  constructor(
    readonly api: string,
    key: PurchaseKey,
  ) {
    super();
    const {session, offer} = key;
    this.#client = new OrderClient(api);
    this.buyer = new BrowserStorage([api, tokenSuffix(session) || offer, 'buyer'], 'sessionStorage');
    this.#storage = {
      own: new BrowserStorage([api, session ? `#${tokenSuffix(session)}` : offer]),
      brought: handoffStorage(api, key),
    };
    this.session = new Query((signal) => this.#openSession(signal));
    this.orderCode = new Query((signal) => this.#createOrderCode(signal), {after: this.session});
    // Both answers are a part of what the page knows.
    this.session.owner = this.orderCode.owner = this;
    const lastBank = lastBankAt(api).read().bank ?? '';
    const answers = this.#answers(key, 'own');
    const shown = isSession(answers.brought.session) ? 'brought' : 'own';
    this.#facts = showOrder({...answers, key, lastBank, link: claimHandoffLink(key)}, shown);
  }

  /** What the page knows now. */
  get facts(): PurchaseFacts {
    const answers = this.#answers(this.#facts.key, this.#facts.shown);
    return (this.#facts = nextOrder(this.#facts, {is: 'answers-read', answers}));
  }

  /** Changes what the page knows, saves what the browser has to keep, and requests what a new order needs. */
  send(event: OrderEvent): void;
  /** @param next - What the page knows after an event that only a later bundle knows. */
  send<E>(event: E, next: Next<E>): void;
  send(event: OrderEvent, next: Next<OrderEvent> = nextOrder): void {
    const before = this.facts;
    const after = next(before, event);
    if (after === before) return;
    this.#facts = after;
    for (const name of ['own', 'brought'] as const)
      if (after[name] !== before[name]) this.#storage[name].write(after[name]);
    // An event that drops an answer has made the page ask again.
    const isOther = after.orderCode !== before.orderCode;
    if (isOther || after.session !== before.session) {
      this.session.reload();
      this.payment?.reset();
    }
    if (isOther) this.orderCode.reload();
    this.notify();
  }

  /** Requests the order code again. @param human - The token of the human check. */
  retryCode(human: string): void {
    this.#humanToken = human;
    this.orderCode.reload();
  }

  /** The offer in the page's script, as long as the purchase needs no session. */
  get scriptOffer(): Pick<OpenSession, 'title' | 'amount'> | undefined {
    return scriptOffer(this.facts, this.api);
  }

  /** Whether this element asks whether to open the link. The other elements of the purchase wait for the answer. */
  isPrompt(element: Element): boolean {
    if (!this.#linkPrompt?.isConnected) this.#linkPrompt = element;
    return this.#linkPrompt === element;
  }

  /** Sends a request with the session's token. If the session is rejected and replaced, sends the request once more. */
  async withToken<T>(signal: AbortSignal, request: (token: string) => Promise<T>): Promise<T> {
    const {token} = await this.session.wait(signal);
    try {
      return await request(token);
    } catch (thrown) {
      if (signal.aborted || !toProblem(thrown).endsSession) throw thrown;
      // This is rare, so only the payment bundle knows it. If loading fails, the caller retries the whole request.
      const {next} = await rareEvents();
      this.send({is: 'session-refused', token}, next);
      if (this.facts.session?.token === token) throw thrown;
    }
    signal.throwIfAborted();
    return request((await this.session.wait(signal)).token);
  }

  /** Sends a request that creates the order, with who buys and what the page says of the order. */
  async withBuyer<T>(token: string, request: (order: OrderFacts) => Promise<T>): Promise<T> {
    const {given: buyer, of} = this.buyer.read();
    const {order, session} = this.facts;
    const suffix = tokenSuffix(token);
    // Whether an order that this page did not start asks who buys, the Worker decides.
    if (!buyer && of !== suffix && order.isCreated && session?.buyer_form) throw new Problem('buyer_required', false);
    const answer = await request({buyer, page: await this.#pageFacts()});
    // The order has the buyer, so the tab forgets what the shopper typed.
    if (buyer) this.buyer.write({draft: undefined, given: undefined, of: suffix});
    return answer;
  }

  /** What the page says of the order. */
  #pageFacts(): Promise<PageFactsInput | undefined> | undefined {
    const root = this.#linkPrompt?.getRootNode() as Document | undefined;
    return mayHaveCampaign() || root?.querySelector('[reference],[metadata]')
      ? usePage(({pageFacts}) => pageFacts(root, this.#facts.key))
      : undefined;
  }

  #answers({session}: PurchaseKey, shown: PurchaseFacts['shown']): Answers {
    const {own, brought} = this.#storage;
    return {
      session: this.session.value,
      orderCode: this.orderCode.result,
      codeBank: this.#codeBank,
      own: own.read(),
      brought: brought.read(),
      isKept: session !== '' || this.#storage[shown].isKept,
      isOnline: navigator.onLine,
    };
  }

  #createOrderCode(signal: AbortSignal): Promise<OrderCode> {
    const human = this.#humanToken;
    const {
      order: {shownBank},
      bank: chosen,
    } = this.facts;
    const bank = shownBank || chosen;
    this.#humanToken = '';
    this.#codeBank = bank;
    return this.withToken(signal, async (token) => {
      const placed = this.#placed;
      // The account in this answer may change later, so it is used once.
      this.#placed = undefined;
      // If another tab has saved its session first, this page continues with that session and that session's code.
      // Pages receive the code in an event, so it must not contain the session.
      if (placed?.token === token) return {...placed, token: undefined};
      return this.withBuyer(token, (facts) =>
        this.#client.post('/v1/order-code', isOrderCode, signal, {
          session: token,
          bank: bank || undefined,
          human: human || undefined,
          ...facts,
        }),
      );
    });
  }

  async #openSession(signal: AbortSignal): Promise<OpenSession> {
    // The shopper first decides about the link, and can make no other choice before. Without a link, the request is
    // sent immediately, in the same task as the tap.
    while (this.#facts.link) await new Promise<void>((resolve) => void this.subscribe(resolve));
    signal.throwIfAborted();
    const {session: token, offer} = this.#facts.key;
    const known = this.#savedSession ?? (token && {token});
    if (known) return known;
    if (!offer) throw await unknownOfferProblem(paymentRefusals, '', '', signal);
    this.#placed = await placeOrder(this.facts, this.#client, signal, this.#pageFacts(), (event, next) =>
      this.send(event, next),
    );
    const session = this.#placed ?? (await this.#client.post('/v1/sessions', isSession, signal, {offer}));
    // If another tab has saved a session in the meantime, all tabs use that session.
    const savedByOtherTab = this.#savedSession;
    if (!savedByOtherTab) this.send({is: 'session-created', session});
    return savedByOtherTab ?? session;
  }

  get #savedSession(): SavedOrder['session'] {
    const {session} = savedOrder(this.facts);
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
