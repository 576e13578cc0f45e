/** The client for the platform's own pages: the bank page, the payment page and the payment notice. */

import type {CreatedPaymentNotice, NoticePrefill} from '../../../worker/contract/browser/answers.ts';
import type {
  HostedPaymentRequest,
  PaymentNoticeRequest,
  PaymentPageRequest,
} from '../../../worker/contract/browser/requests.ts';
import type {Problem} from '../../core/problem.ts';
import {shape, isText, WorkerClient} from '../../core/worker-client.ts';

const isUrl = shape<{readonly url: string}>({url: isText});
const isNotice = shape<CreatedPaymentNotice>({notice_code: isText, url: isText});
const isPrefill = shape<NoticePrefill>({});

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

  createNotice(token: string, request: PaymentNoticeRequest, signal: AbortSignal): Promise<CreatedPaymentNotice> {
    return this.ask('/v1/payment-notices', {validate: isNotice, signal, token, body: request});
  }

  readPrefill(token: string, signal: AbortSignal): Promise<Partial<NoticePrefill>> {
    return this.ask('/v1/payment-notices/prefill', {validate: isPrefill, signal, token});
  }
}

/** Whether the same request would be refused again, because the order is paid or the session has ended. */
export function isRefusedForGood(problem: Problem | undefined): boolean {
  return !!problem && (problem.endsSession || problem.code === 'order_paid');
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
