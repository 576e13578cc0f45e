import type {NewSubscriptionSession, SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import {unknownOfferProblem, type LoadRefusals} from '../core/problem.ts';
import {Query} from '../core/query.ts';
import {isLocalized, isListOf, isAmount, shape, isText, type Check, WorkerClient} from '../core/worker-client.ts';

/** Who says what is subscribed to: an offer of the Worker's, or a session the merchant's server made. */
export interface OfferSource {
  readonly offer: string;
  readonly session: string;
}

const offers = new Map<string, Query<NewSubscriptionSession>>();

/** What is subscribed to, and the session to do it with: asked once a page for a Worker and an offer or session. */
export function subscriptionOffer(api: string, {offer, session}: OfferSource): Query<NewSubscriptionSession> {
  const key = JSON.stringify([api, session || null, session ? null : offer]);
  let found = offers.get(key);
  if (!found) {
    const client = new SubscriptionClient(api);
    found = new Query(async (signal) => {
      if (session) return {token: session, ...(await client.readTerms(session, signal))};
      if (!offer) throw await unknownOfferProblem(subscriptionRefusals, '');
      return client.createSession(offer, signal);
    });
    offers.set(key, found);
  }
  return found;
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

/** What a page asks the Worker about a subscription that is to begin. */
export class SubscriptionClient extends WorkerClient {
  protected override readonly refusals = subscriptionRefusals;

  createSession(offer: string, signal: AbortSignal): Promise<NewSubscriptionSession> {
    return this.ask('/v1/sessions', {
      validate: isSubscriptionSession,
      signal,
      body: {offer},
      offer: {name: offer, kind: 'subscription'},
    });
  }

  /** What a session is about that the merchant's server made. */
  readTerms(token: string, signal: AbortSignal): Promise<SubscriptionTerms> {
    return this.ask('/v1/session', {validate: isTerms, signal, token});
  }
}
