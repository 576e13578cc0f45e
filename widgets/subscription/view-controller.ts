import {html, nothing, type ReactiveController, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import type {Seller} from '../../worker/contract/fields.ts';
import {lazyElements} from '../core/define.ts';
import type {Locale} from '../core/locale.ts';
import type {Problem} from '../core/problem.ts';
import type {Query} from '../core/query.ts';
import {type Store, StoreController} from '../core/store.ts';
import type {VezneElement} from '../core/vezne-element.ts';
import {troubleMessages} from '../locales/trouble.ts';

const contactsElement = lazyElements(() => import('../bundles/seller.ts'));

/** A view. Its countdowns are in milliseconds. */
interface View {
  readonly is: string;
  readonly waitMs?: number;
  readonly resendInMs?: number;
  readonly expiresInMs?: number;
}

interface ViewOptions<S, V, C> {
  readonly host: VezneElement<unknown>;
  readonly find: () => S;
  readonly viewOf: (store: S) => V;
  /** Called after each event with the new view, and with the one before if the host has had one. */
  readonly onView: (view: V, before: V | undefined) => void;
  /** The file with the cards that end the view. */
  readonly cards: Query<C>;
}

/**
 * Shows in its host what a store knows: renders the host when the store changes, or each second while a time runs, moves
 * the focus to what an event has shown, and renders the last cards.
 */
export class ViewController<S extends Store, V extends View, C> implements ReactiveController {
  readonly host: VezneElement<unknown>;
  readonly #options: ViewOptions<S, V, C>;
  #last: {readonly of: S; readonly view: V} | undefined;
  readonly #files = new Set<unknown>();
  #target = '';
  #tick: ReturnType<typeof setInterval> | undefined;

  constructor(options: ViewOptions<S, V, C>) {
    const {host, find, viewOf, onView} = (this.#options = options);
    this.host = host;
    host.addController(this);
    void new StoreController(host, find, (of) => {
      if (!of) return;
      const before = this.#last?.of === of ? this.#last.view : undefined;
      const view = viewOf(of);
      this.#last = {of, view};
      onView(view, before);
    });
  }

  get current(): S {
    return this.#options.find();
  }

  /** What the host shows now. */
  get view(): V {
    return this.#options.viewOf(this.current);
  }

  /** The cards; undefined until they have loaded. */
  get cards(): C | undefined {
    return this.file(this.#options.cards);
  }

  /** The content of a file, which loads when the host first uses it. */
  file<F>(query: Query<F>): F | undefined {
    const {host} = this;
    if (!this.#files.has(query)) {
      this.#files.add(query);
      void new StoreController(host, () => query);
      // The file loads with the next update. An element that is being updated ignores requests for one.
      void host.updateComplete.then(() => host.requestUpdate());
    }
    return query.value;
  }

  /** Moves the focus to this node as soon as the host shows it. */
  focus(target = '[data-autofocus]'): void {
    this.#target = target;
  }

  /**
   * @param title - Is shown alone if the cards did not load, because the shopper must still learn the outcome.
   * @param isAnnounced - Whether a screen reader must announce the title, because the card does not get the focus.
   */
  render(title: string, renderCard: (cards: C) => TemplateResult, isAnnounced = false): TemplateResult {
    const {cards: loaded} = this;
    if (this.#options.cards.problem) return html`<h3 tabindex="-1" data-autofocus>${title}</h3>`;
    if (!loaded) return this.host.renderSkeleton();
    return html`${isAnnounced ? html`<p class="visually-hidden" role="alert">${title}</p>` : nothing}${renderCard(loaded)}`;
  }

  /**
   * Renders the seller's contacts. Their file loads when it is first needed.
   * @param about - The subscription that the shopper asks about, if it is known.
   * @param isNextStep - Whether the shopper's next step is to ask the seller.
   */
  askSeller(seller: Seller | undefined, about = '', isNextStep = false): TemplateResult | typeof nothing {
    if (!seller) return nothing;
    this.file(contactsElement);
    return html`<vezne-seller-contacts
      class=${isNextStep ? nothing : 'card'}
      lang=${this.host.locale}
      exportparts="button"
      .seller=${seller}
      .about=${about}
      .isNextStep=${isNextStep}
    ></vezne-seller-contacts>`;
  }

  /** Renders the seller's contacts below a problem, if its text sends the shopper to the seller. */
  askSellerAbout(problem: Problem | undefined, terms?: Pick<SubscriptionTerms, 'seller' | 'title'>): unknown {
    if (!problem?.refusal?.asksSeller) return nothing;
    return this.askSeller(problem.details?.seller ?? terms?.seller, terms?.title[this.host.locale]);
  }

  hostUpdated(): void {
    const {waitMs, resendInMs, expiresInMs} = this.view;
    if (waitMs || resendInMs || expiresInMs) this.#tick ??= setInterval(() => this.host.requestUpdate(), 1_000);
    else this.hostDisconnected();
    const target = this.#target && this.host.find(this.#target);
    if (!target) return;
    target.focus();
    this.#target = '';
  }

  hostDisconnected(): void {
    clearInterval(this.#tick);
    this.#tick = undefined;
  }
}

/** What a card needs of the controller that shows it. */
export type CardHost = Pick<ViewController<Store, View, unknown>, 'host' | 'askSeller'>;

/** The title of a refusal. */
export function refusalTitle({refusal}: Problem, locale: Locale): string {
  return refusal?.messages[locale].title ?? troubleMessages[locale].busyTitle;
}
