/** Fetches the offer to which a shopper subscribes, observes it for an element, and renders its terms. */

import {html, type TemplateResult} from 'lit';
import type {NewSubscriptionSession, SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import {formatAmount} from '../core/format.ts';
import {pageViewId, trackingId} from '../core/ids.ts';
import type {Locale} from '../core/locale.ts';
import {unknownOfferProblem, type LoadRefusals} from '../core/problem.ts';
import {Query} from '../core/query.ts';
import {IS_PAGE_SCRIPT, scriptTagOf} from '../core/script-tag.ts';
import {StoreController} from '../core/store.ts';
import type {VezneElement} from '../core/vezne-element.ts';
import {isLocalized, isListOf, isAmount, shape, isText, type Check, WorkerClient} from '../core/worker-client.ts';
import {pinSubscribeMessages} from '../locales/pin-subscribe.ts';

/** Where the terms come from: an offer of the Worker, or a session created by the merchant's server. */
export interface OfferSource {
  readonly offer: string;
  readonly session: string;
}

export const subscriptionRefusals: LoadRefusals = () => import('../locales/subscription-refusals.ts');

const isNumber: Check = (value) => typeof value === 'number';

const termsShape = {
  title: isLocalized,
  terms: isLocalized,
  price: isAmount,
  period: isText,
  operators: isListOf(shape({id: isNumber, name: isText})),
};

const isTerms = shape<SubscriptionTerms>(termsShape);
const isSubscriptionSession = shape<NewSubscriptionSession>({token: isText, ...termsShape});

/** Fetches the terms of a subscription before it starts. */
class OfferClient extends WorkerClient {
  protected override readonly refusals = subscriptionRefusals;

  createSession(offer: string, signal: AbortSignal): Promise<NewSubscriptionSession> {
    return this.ask('/v1/sessions', {
      validate: isSubscriptionSession,
      signal,
      isSimple: true,
      body: {offer},
      offer: {name: offer, kind: 'subscription'},
    });
  }

  /** Reads the terms of a session that the merchant's server created. */
  readTerms(token: string, signal: AbortSignal): Promise<SubscriptionTerms> {
    return this.ask('/v1/session', {validate: isTerms, signal, token});
  }
}

/** The price with its period, for example `₺12.00 every week`. */
export function formatPrice({price, period}: ShownTerms, locale: Locale): string {
  const t = pinSubscribeMessages[locale];
  const amount = formatAmount(price, locale);
  const every = t.every[period];
  return every ? t.priceEvery(amount, every) : t.priceOf(amount, period);
}

/** Renders title, price and terms. Elements show them above every button, so that the shopper reads them first. */
export function offerTerms(offer: ShownTerms, locale: Locale): TemplateResult {
  const {title, terms} = offer;
  const t = pinSubscribeMessages[locale];
  return html`<div class="offer" part="offer">
    <h2 part="title"><slot name="title">${title[locale]}</slot></h2>
    <p class="price" part="price"><span class="visually-hidden">${t.price}</span> ${formatPrice(offer, locale)}</p>
    <p class="muted" part="terms">${terms[locale]}</p>
    <p class="muted">${t.renews}</p>
  </div>`;
}

/** What the shopper agrees to, as one text. */
function termsText({title, terms, price, period}: ShownTerms): string {
  return JSON.stringify([title, terms, price, period]);
}

const offers = new Map<string, Query<NewSubscriptionSession>>();

/** The terms of the offer, and the session to subscribe with. A page fetches them only once. */
export function subscriptionOffer(api: string, {offer, session}: OfferSource): Query<NewSubscriptionSession> {
  const key = JSON.stringify([api, session || null, session ? null : offer]);
  let query = offers.get(key);
  if (!query) {
    const client = new OfferClient(api);
    query = new Query(async (signal) => {
      if (session) return {token: session, ...(await client.readTerms(session, signal))};
      if (!offer) throw await unknownOfferProblem(subscriptionRefusals, '');
      return client.createSession(offer, signal);
    });
    offers.set(key, query);
  }
  return query;
}

/** The reactive property that all elements for subscribing share, for their `static properties`. */
export const trackingProperties = {trackingParameter: {attribute: 'tracking-parameter'}};

/** An element that starts a subscription. */
interface SubscriptionHost extends VezneElement<unknown> {
  /** The name of the URL query parameter that contains a campaign's click id. */
  readonly trackingParameter: string;
}

/** The terms of a subscription as an element shows them. They may come from the page's script, without a session. */
export type ShownTerms = Omit<SubscriptionTerms, 'create_until'>;

/** Finds the offer of its host, renders the host when the terms arrive, and provides the tracking id of the visit. */
export class SubscriptionController {
  readonly #host: SubscriptionHost;
  #needsSession: boolean;
  /** The terms of the page's script, once the shopper has begun and until they are compared with those of the session. */
  #shownTerms: ShownTerms | undefined;

  /** @param canWait whether the host can show the terms of the page's script, without a session, until `begin()`. */
  constructor(host: SubscriptionHost, canWait = false) {
    this.#host = host;
    this.#needsSession = !canWait;
    void new StoreController(host, () => (this.scriptTerms ? undefined : this.terms));
  }

  /** The terms of the page's script, as long as the host needs no session. */
  get scriptTerms(): ShownTerms | undefined {
    const {address, offer, session} = this.#host;
    const terms = IS_PAGE_SCRIPT && !this.#needsSession && !session ? scriptTagOf(address)?.terms : undefined;
    return terms?.id === offer ? terms : undefined;
  }

  /** What the shopper can read: the terms of the session, or those of the page's script until the session is open. */
  get shownTerms(): ShownTerms | undefined {
    return this.terms.value ?? this.#shownTerms ?? this.scriptTerms;
  }

  /** Opens the session, because the shopper has begun to fill in the form. */
  begin(): void {
    this.#shownTerms ??= this.scriptTerms;
    this.#needsSession = true;
    this.#host.requestUpdate();
  }

  /** Waits for the session. @returns Whether its terms are those that the shopper has read. */
  async areTermsCurrent(signal: AbortSignal): Promise<boolean> {
    this.begin();
    const read = this.#shownTerms;
    const current = await this.terms.wait(signal);
    this.#shownTerms = undefined;
    return !read || termsText(read) === termsText(current);
  }

  get source(): OfferSource {
    const {offer, session} = this.#host;
    return {offer: offer ?? '', session: session ?? ''};
  }

  /** The terms of the offer, and the session to subscribe with. */
  get terms(): Query<NewSubscriptionSession> {
    return subscriptionOffer(this.#host.address, this.source);
  }

  /** Whether the shopper must still consent to tracking. Before that, elements store only what subscribing needs. */
  get awaitsConsent(): boolean {
    return !self.vezne?.consented && document.querySelector('vezne-activity[consent=required]') !== null;
  }

  /** The id that links the steps of one visit. */
  get trackingId(): string {
    return this.awaitsConsent ? pageViewId() : trackingId(this.#host.trackingParameter);
  }
}
