/** The client for the platform's own pages: the bank page and the payment page. */

import type {HostedPaymentRequest, PaymentPageRequest} from '../../../worker/contract/browser/requests.ts';
import {shape, isText, WorkerClient} from '../../core/worker-client.ts';

const isUrl = shape<{readonly url: string}>({url: isText});

/** The requests for a page of the platform, by path. */
interface PageRequests {
  readonly '/v1/hosted-payment': HostedPaymentRequest;
  readonly '/v1/payment-pages': PaymentPageRequest;
}

export class HostedClient extends WorkerClient {
  /** Returns the URL of the platform's bank page or payment page. */
  async openPage<P extends keyof PageRequests>(
    path: P,
    token: string,
    body: PageRequests[P],
    signal: AbortSignal,
  ): Promise<string> {
    return (await this.ask(path, {validate: isUrl, signal, token, body})).url;
  }
}

/**
 * The shopper is about to leave for one of the platform's pages. A merchant's page that prevents the event's default
 * action can open `url` itself.
 */
export class RedirectEvent extends Event {
  constructor(readonly url: string) {
    super('vezne-redirect', {bubbles: true, composed: true, cancelable: true});
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-redirect': RedirectEvent;
  }
}
