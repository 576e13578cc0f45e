import type {NewSubscriptionSession, SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import {notOffered, type LoadRefusals} from '../core/problem.ts';
import {Resource} from '../core/query.ts';
import {isLocalized, list, money, shape, text, type Check} from '../core/validate.ts';
import {WorkerClient} from '../core/worker-client.ts';

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

/** What a page asks the Worker about a subscription that is to begin. */

export const subscriptionRefusals: LoadRefusals = () => import('../locales/subscription-refusals.ts');

const number: Check = (value) => typeof value === 'number';

const terms = {
  title: isLocalized,
  terms: isLocalized,
  price: money,
  period: text,
  operators: list(shape({id: number, name: text})),
};

const isTerms = shape<SubscriptionTerms>(terms);
const isSubscriptionSession = shape<NewSubscriptionSession>({token: text, ...terms});

export class SubscriptionClient extends WorkerClient {
  protected override readonly refusals = subscriptionRefusals;

  createSession(offer: string, signal: AbortSignal): Promise<NewSubscriptionSession> {
    return this.ask('/v1/sessions', {
      accept: isSubscriptionSession,
      signal,
      body: {offer},
      offer: {name: offer, kind: 'subscription'},
    });
  }

  /** What a session is about that the merchant's server made. */
  readTerms(token: string, signal: AbortSignal): Promise<SubscriptionTerms> {
    return this.ask('/v1/session', {accept: isTerms, signal, token});
  }
}
