/** What a page asks the Worker about a subscription that is to begin. */

import type {NewSubscriptionSession, SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import type {LoadRefusals} from '../core/problem.ts';
import {isLocalized, list, money, shape, text, type Check} from '../core/validate.ts';
import {WorkerClient} from '../core/worker-client.ts';

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
