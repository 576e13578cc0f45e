import type {NewSubscriptionSession} from '../../worker/contract/browser/subscription-answers.ts';
import {pageViewId, trackingId} from '../core/ids.ts';
import type {Query} from '../core/query.ts';
import {StoreController} from '../core/store.ts';
import type {VezneElement} from '../core/vezne-element.ts';
import {type OfferSource, subscriptionOffer} from './offer.ts';

/** The reactive property of all elements that subscribe somebody, for their `static properties`. */
export const trackingProperties = {trackingParameter: {attribute: 'tracking-parameter'}};

/** An element that subscribes somebody. */
interface SubscriptionHost extends VezneElement<unknown> {
  /** Name of the part of the page's address that carries a campaign's click id. */
  readonly trackingParameter: string;
}

/** Finds the offer that its host subscribes to, renders the host when the terms arrive, and knows the id of the visit. */
export class SubscriptionController {
  readonly #host: SubscriptionHost;

  constructor(host: SubscriptionHost) {
    this.#host = host;
    void new StoreController(host, () => this.terms);
  }

  get source(): OfferSource {
    const {offer, session} = this.#host;
    return {offer: offer ?? '', session: session ?? ''};
  }

  /** The terms of the offer, and the session to subscribe with. */
  get terms(): Query<NewSubscriptionSession> {
    return subscriptionOffer(this.#host.address, this.source);
  }

  /** Whether the page's tracker waits for the visitor's consent. Until then this element stores only what subscribing needs. */
  get awaitsConsent(): boolean {
    return !self.vezne?.consented && document.querySelector('vezne-activity[consent=required]') !== null;
  }

  /** Id under which the visit is tracked. */
  get trackingId(): string {
    return this.awaitsConsent ? pageViewId() : trackingId(this.#host.trackingParameter);
  }
}
