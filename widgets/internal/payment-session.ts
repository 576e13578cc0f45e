import type {Handoff, OrderCode, RedeemedSession, Session} from '../../worker/contract/browser.ts';
import {isSession} from './payment-answers.ts';
import {claimHandoff, handoffAddress, type HandoffLink} from './handoff-link.ts';
import type {PaymentSource, PaymentWatch} from './payment-watch.ts';
import {paymentRefusals, refused, toProblem, type Problem} from './problem.ts';
import {Resource} from './resource.ts';
import {SessionStore} from './session-store.ts';
import {Watched} from './watched.ts';
import {PaymentClient} from './payment-client.ts';

/** What is being bought. A session made by the merchant's server names neither title nor amount. */
export type OpenSession = Pick<Session, 'token'> & Partial<Pick<RedeemedSession, 'title' | 'amount' | 'read_until'> & Pick<Session, 'create_until'>>;

/** Who says what is being bought: an offer of the Worker's, or a session the merchant's server made. */
export interface Purchase {
  readonly offer: string;
  readonly session: string;
}

/** How far the shopper has come. */
export type Stage = 'bank' | 'pay';

interface Remembered {
  readonly session: Session | RedeemedSession | undefined;
  /** The hand-off the session came by. */
  readonly handoff: string;
  readonly bank: string;
  readonly stage: Stage;
}

/** What the shopper chose on this page; outlives a reload. */
export class Choice extends Watched {
  /** Code of the bank chosen the last time at this Worker, whatever was bought; or nothing. */
  readonly lastBank: string;
  #bank: string;
  #stage: Stage;

  constructor(
    readonly store: SessionStore<Remembered>,
    readonly habit: SessionStore<Pick<Remembered, 'bank'>>,
  ) {
    super();
    const {bank, stage} = store.read();
    this.lastBank = habit.read().bank ?? '';
    this.#bank = bank ?? this.lastBank;
    this.#stage = stage === 'pay' ? 'pay' : 'bank';
  }

  /** Code of the chosen bank, or nothing. */
  get bank(): string {
    return this.#bank;
  }

  get stage(): Stage {
    return this.#stage;
  }

  choose(bank: string): void {
    this.#bank = bank;
    this.store.write({bank});
    this.habit.write({bank});
    this.changed();
  }

  enter(stage: Stage): void {
    this.#stage = stage;
    this.store.write({stage});
    this.changed();
  }
}

/**
 * One purchase on one page: its session, order code and payment, shared by all elements that name the same
 * Worker and the same offer or session.
 */
export class PaymentSession {
  readonly #client: PaymentClient;
  readonly #purchase: Purchase;
  readonly #store: SessionStore<Remembered>;

  #handoff: HandoffLink | undefined;

  readonly choice: Choice;
  /** Why the hand-off this page was opened with led nowhere. */
  handoffProblem: Problem | undefined;
  readonly session: Resource<OpenSession>;
  readonly orderCode: Resource<OrderCode>;
  /** What `paymentOf` made of the source. */
  payment: PaymentWatch | undefined;
  readonly source: PaymentSource;

  constructor(api: string, purchase: Purchase) {
    this.#client = new PaymentClient(api);
    this.#purchase = purchase;
    this.#handoff = claimHandoff(purchase.session ? '' : purchase.offer);
    // The end of a token tells sessions apart and cannot be used as one.
    const name = purchase.session ? `#${purchase.session.slice(-12)}` : purchase.offer;
    this.#store = new SessionStore(api, name);
    this.choice = new Choice(this.#store, new SessionStore(api));
    this.session = new Resource((signal) => this.#open(signal));
    this.orderCode = new Resource((signal) => this.authorized(signal, (token) => this.#client.createOrderCode(token, signal)), {
      after: this.session,
    });
    this.source = {
      read: (signal) => this.authorized(signal, (token) => this.#client.readPayment(token, signal)),
      open: async (signal) => this.#client.openLive((await this.session.wait(signal)).token),
      retry: () => {
        if (this.session.state.status === 'failed') this.session.reload();
      },
    };
  }

  /** Whether the page itself may begin another payment. */
  get canStartOver(): boolean {
    return !this.#purchase.session && this.#purchase.offer !== '';
  }

  /** Whether another device may be handed this order. A session that was itself handed over only reads. */
  get canHandOff(): boolean {
    const session = this.session.value;
    return !session?.read_until || session.create_until !== undefined;
  }

  /** Whether this page was opened by a hand-off that is not redeemed yet. */
  get isArriving(): boolean {
    return this.#handoff !== undefined;
  }

  /** Makes an address that opens this page with the same order on another device, once. */
  async handOff(signal: AbortSignal): Promise<string> {
    const {code} = await this.authorized(signal, (token): Promise<Handoff> => this.#client.createHandoff(token, signal));
    const {offer, session} = this.#purchase;
    return handoffAddress({vezne: code, ...(!session && {offer}), ...(this.choice.bank && {bank: this.choice.bank})});
  }

  /** Leaves this payment behind and begins another of the same offer. */
  startOver(): void {
    this.#renew();
    this.orderCode.reload();
    this.choice.enter('bank');
  }

  async #open(signal: AbortSignal): Promise<OpenSession> {
    const redeemed = this.#handoff && (await this.#redeem(this.#handoff, signal));
    if (redeemed) return redeemed;
    const {session: token, offer} = this.#purchase;
    if (token) return {token};
    if (!offer) throw await refused(paymentRefusals, 'unknown_offer', false);
    const {session: remembered} = this.#store.read();
    if (isSession(remembered)) return remembered;
    const session = await this.#client.createSession(offer, signal);
    this.#store.write({session});
    return session;
  }

  /** The session handed off to this page; nothing where it was used before, and the page begins as any other. */
  async #redeem({vezne: code, bank}: HandoffLink, signal: AbortSignal): Promise<OpenSession | undefined> {
    const {redeemHandoff} = await import('../handoff/redeem.ts');
    try {
      const {session: own, offer} = this.#purchase;
      const session = await redeemHandoff({code, ...(!own && {offer})}, this.#client, this.#store, signal);
      if (bank) this.choice.choose(bank);
      this.choice.enter('pay');
      this.#handoff = undefined;
      return session;
    } catch (thrown) {
      const problem = toProblem(thrown);
      if (signal.aborted || problem.retryable) throw thrown;
      this.#handoff = undefined;
      this.handoffProblem = problem;
      return undefined;
    }
  }

  #renew(): void {
    this.#store.write({session: undefined});
    this.session.reload();
    this.payment?.reset();
  }

  /**
   * Asks with the session's token. A public session the Worker no longer takes is replaced once and without a
   * word, but never under a code the shopper already sees: they may be typing it into their bank's app.
   */
  async authorized<T>(signal: AbortSignal, ask: (token: string) => Promise<T>): Promise<T> {
    const {token} = await this.session.wait(signal);
    try {
      return await ask(token);
    } catch (thrown) {
      const isKnown = this.orderCode.value || (this.payment?.value?.state ?? 'waiting') !== 'waiting';
      if (signal.aborted || !this.canStartOver || isKnown || !toProblem(thrown).endsSession) throw thrown;
    }
    if (this.session.value?.token === token) this.#renew();
    signal.throwIfAborted();
    return ask((await this.session.wait(signal)).token);
  }
}

const sessions = new Map<string, PaymentSession>();

/** The one payment session of this page for a Worker and what is bought there. */
export function paymentSession(api: string, purchase: Purchase): PaymentSession {
  const key = JSON.stringify([api, purchase.session || null, purchase.session ? null : purchase.offer]);
  let session = sessions.get(key);
  if (!session) sessions.set(key, (session = new PaymentSession(api, purchase)));
  return session;
}
