/** Sends the requests that subscribe a number: request a PIN, subscribe, and read the number behind a number token. */

import type {PinRequest, SubscribeRequest} from '../../worker/contract/browser/requests.ts';
import type {ShownNumber, PinSent, Subscribed} from '../../worker/contract/browser/subscription-answers.ts';
import {shape, isText, isTime, WorkerClient} from '../core/worker-client.ts';
import {subscriptionRefusals} from './refusals.ts';

const isPinSent = shape<PinSent>({expires_at: isTime, resend_at: isTime, as_of: isTime});
const isSubscribed = shape<Subscribed>({state: isText});
const isShownNumber = shape<ShownNumber>({msisdn: isText});

export class EnrollmentClient extends WorkerClient {
  protected override readonly refusals = subscriptionRefusals;

  sendPin(token: string, request: PinRequest, signal: AbortSignal): Promise<PinSent> {
    return this.ask('/v1/pins', {validate: isPinSent, signal, token, body: request});
  }

  subscribe(token: string, request: SubscribeRequest, signal: AbortSignal): Promise<Subscribed> {
    return this.ask('/v1/subscriptions', {validate: isSubscribed, signal, token, body: request});
  }

  /** Reads the number that a number token stands for. The number is masked. */
  readNumber(token: string, numberToken: string, signal: AbortSignal): Promise<ShownNumber> {
    return this.ask('/v1/numbers', {validate: isShownNumber, signal, token, body: {number_token: numberToken}});
  }
}
