/** Fetches the offer to which a shopper subscribes, observes it for an element, and renders its terms. */

import {html, nothing, type TemplateResult} from 'lit';
import type {NewSubscriptionSession, SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import {ASKING, awaitsConsent, pageViewId, trackingId} from '../core/ids.ts';
import type {Locale} from '../core/locale.ts';
import {unknownOfferProblem} from '../core/problem.ts';
import {Query} from '../core/query.ts';
import {scriptTagOf} from '../core/script-tag.ts';
import {StoreController} from '../core/store.ts';
import type {VezneElement} from '../core/vezne-element.ts';
import {isLocalized, isListOf, isAmount, shape, isText, type Check} from '../core/worker-client.ts';
import {pinSubscribeMessages} from '../locales/pin-subscribe.ts';
import {formatPrice} from './price.ts';
import {subscriptionRefusals} from './refusals.ts';
import {SubscriptionClient} from './subscription-client.ts';

/** Where the terms come from: an offer of the Worker, or a session created by the merchant's server. */
export interface OfferSource {
  readonly offer: string;
  readonly session: string;
}

/** The terms that an element shows. */
export type ShownTerms = Omit<SubscriptionTerms, 'create_until'>;

const isNumber: Check = (value) => typeof value === 'number';

const termsShape = {
  title: isLocalized,
  terms: isLocalized,
  price: isAmount,
  period: isText,
  operators: isListOf(shape({id: isNumber, name: isText})),
};

const isTerms = shape<SubscriptionTerms>(termsShape);
const isSession = shape<NewSubscriptionSession>({token: isText, ...termsShape});

/** Renders title, price and terms. Elements show these above every button, so that the shopper reads them first. */
export function offerTerms(offer: ShownTerms, locale: Locale): TemplateResult {
  const {title, terms, terms_url, privacy_url} = offer;
  const t = pinSubscribeMessages[locale];
  return html`<div class="offer" part="offer">
    <h2 part="title"><slot name="title">${title[locale]}</slot></h2>
    <p class="price" part="price"><span class="visually-hidden">${t.price}</span> ${formatPrice(offer, locale)}</p>
    <p class="muted" part="terms">${terms[locale]}</p>
    <p class="muted">${t.renews}</p>
    <p>${pageLink(t.termsLink, terms_url)}${pageLink(t.privacyLink, privacy_url)}</p>
  </div>`;
}

/** A link to a page of the merchant. It opens in another tab, so that the shopper does not lose the form. */
function pageLink(label: string, url: string | undefined): TemplateResult | typeof nothing {
  return url ? html`<a class="link" href=${url} target="_blank">${label}</a>` : nothing;
}

const offers = new Map<string, Query<NewSubscriptionSession>>();

/** The terms of the offer, and the session to subscribe with. A page fetches them only once. */
export function subscriptionOffer(api: string, {offer, session}: OfferSource): Query<NewSubscriptionSession> {
  const key = JSON.stringify([api, session || null, session ? null : offer]);
  let query = offers.get(key);
  if (!query) {
    const client = new SubscriptionClient(api);
    query = new Query(async (signal) => {
      if (session)
        return {
          token: session,
          ...(await client.act('load', '/v1/session', {validate: isTerms, signal, token: session})),
        };
      if (!offer) throw await unknownOfferProblem(subscriptionRefusals, '', '', signal);
      const named = {name: offer, kind: 'subscription'} as const;
      const request = {validate: isSession, signal, isSimple: true, body: {offer}, offer: named};
      return client.act('load', '/v1/sessions', request);
    });
    offers.set(key, query);
  }
  return query;
}

/** For the `static properties` of all elements that start a subscription: the reactive property that they share. */
export const trackingProperties = {trackingParameter: {attribute: 'tracking-parameter'}};

/** An element that starts a subscription. */
export interface SubscriptionHost extends VezneElement<unknown> {
  /** The name of the URL query parameter that contains a campaign's click id. */
  readonly trackingParameter: string;
}

/** Finds the offer of its host, renders the host when the terms arrive, and provides the tracking id of the visit. */
export class SubscriptionController {
  readonly #host: SubscriptionHost;

  /** @param needsSession - Whether the host needs a session yet. */
  constructor(host: SubscriptionHost, needsSession = () => true) {
    this.#host = host;
    void new StoreController(host, () => (needsSession() ? this.terms : undefined));
  }

  get source(): OfferSource {
    const {offer, session} = this.#host;
    return {offer, session};
  }

  /** The terms of the offer, and the session to subscribe with. */
  get terms(): Query<NewSubscriptionSession> {
    return subscriptionOffer(this.#host.address, this.source);
  }

  /** The terms that the page's script contains, if it is the script of this offer. The terms of the session may be newer. */
  get scriptTerms(): ShownTerms | undefined {
    const {address, offer, session} = this.#host;
    const terms = session ? undefined : scriptTagOf(address)?.terms;
    return terms?.id === offer ? terms : undefined;
  }

  /** Whether the shopper has not consented to tracking, or no longer does. Then elements store only what subscribing needs. */
  get awaitsConsent(): boolean {
    return awaitsConsent(document.querySelector(`vezne-activity${ASKING}`));
  }

  /** The id that links the steps of one visit. */
  get trackingId(): string {
    return this.awaitsConsent ? pageViewId() : trackingId(this.#host.trackingParameter);
  }
}
