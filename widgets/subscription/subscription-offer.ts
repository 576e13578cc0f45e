import type {NewSubscriptionSession} from '../../worker/contract/browser/subscription-answers.ts';
import {notOffered} from '../core/problem.ts';
import {Resource} from '../core/query.ts';
import {SubscriptionClient, subscriptionRefusals} from './offer.ts';

/** Who says what is subscribed to: an offer of the Worker's, or a session the merchant's server made. */
export interface OfferSource {
  readonly offer: string;
  readonly session: string;
}

const offers = new Map<string, Resource<NewSubscriptionSession>>();

/** What is subscribed to, and the session to do it with: asked once a page for a Worker and an offer or session. */
export function subscriptionOffer(api: string, {offer, session}: OfferSource): Resource<NewSubscriptionSession> {
  const key = JSON.stringify([api, session || null, session ? null : offer]);
  let found = offers.get(key);
  if (!found) {
    const client = new SubscriptionClient(api);
    found = new Resource(async (signal) => {
      if (session) return {token: session, ...(await client.readTerms(session, signal))};
      if (!offer) throw await notOffered(subscriptionRefusals, '');
      return client.createSession(offer, signal);
    });
    offers.set(key, found);
  }
  return found;
}
