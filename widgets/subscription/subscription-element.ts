import type {NewSubscriptionSession} from '../../worker/contract/browser/subscription-answers.ts';
import {pageViewId, trackingId} from '../core/ids.ts';
import {property} from '../core/property.ts';
import type {Query} from '../core/query.ts';
import {VezneElement} from '../core/vezne-element.ts';
import {type OfferSource, subscriptionOffer} from './offer.ts';

/** What the elements with which somebody subscribes have in common. */
export abstract class SubscriptionElement<W> extends VezneElement<W> {
  /** Name of the part of the page's address that carries a campaign's click id. */
  @property({attribute: 'tracking-parameter'}) trackingParameter = '';

  protected get source(): OfferSource {
    return {offer: this.offer ?? '', session: this.session ?? ''};
  }

  protected get terms(): Query<NewSubscriptionSession> {
    return subscriptionOffer(this.address, this.source);
  }

  /** Whether the page's tracker waits for the visitor's consent: until then subscribing leaves nothing behind either that is not needed for it. */
  protected get awaitsConsent(): boolean {
    return !self.vezne?.consented && document.querySelector('vezne-activity[consent=required]') !== null;
  }

  protected get trackingId(): string {
    return this.awaitsConsent ? pageViewId() : trackingId(this.trackingParameter);
  }
}
