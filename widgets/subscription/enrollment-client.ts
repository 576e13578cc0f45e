/** What a page asks the Worker to subscribe a number. */

import type {PinRequest, SubscribeRequest} from '../../worker/contract/browser/requests.ts';
import type {KnownNumber, PinSent, Subscribed} from '../../worker/contract/browser/subscription-answers.ts';
import {shape, text, time} from '../core/validate.ts';
import {WorkerClient} from '../core/worker-client.ts';
import {subscriptionRefusals} from './offer.ts';

const isPinSent = shape<PinSent>({expires_at: time, resend_at: time, as_of: time});
const isSubscribed = shape<Subscribed>({state: text});
const isKnownNumber = shape<KnownNumber>({msisdn: text});

export class EnrollmentClient extends WorkerClient {
  protected override readonly refusals = subscriptionRefusals;

  sendPin(token: string, request: PinRequest, signal: AbortSignal): Promise<PinSent> {
    return this.ask('/v1/pins', {accept: isPinSent, signal, token, body: request});
  }

  subscribe(token: string, request: SubscribeRequest, signal: AbortSignal): Promise<Subscribed> {
    return this.ask('/v1/subscriptions', {accept: isSubscribed, signal, token, body: request});
  }

  /** Whose number a number token stands for. */
  readNumber(token: string, numberToken: string, signal: AbortSignal): Promise<KnownNumber> {
    return this.ask('/v1/numbers', {accept: isKnownNumber, signal, token, body: {number_token: numberToken}});
  }
}
