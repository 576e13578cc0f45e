/** The client for the platform's own pages: the bank page, the payment page and the payment notice. */

import type {
  CreatedPaymentNotice,
  HostedPayment,
  NoticePrefill,
  PaymentPage,
} from '../../../worker/contract/browser/answers.ts';
import type {
  HostedPaymentRequest,
  PaymentNoticeRequest,
  PaymentPageRequest,
} from '../../../worker/contract/browser/requests.ts';
import {shape, isText, WorkerClient} from '../../core/worker-client.ts';

const isUrl = shape<{readonly url: string}>({url: isText});
const isNotice = shape<CreatedPaymentNotice>({notice_code: isText, url: isText});
const isPrefill = shape<NoticePrefill>({});

export class HostedClient extends WorkerClient {
  async openBankPage(token: string, request: HostedPaymentRequest, signal: AbortSignal): Promise<string> {
    const {url} = await this.ask<Pick<HostedPayment, 'url'>>('/v1/hosted-payment', {
      validate: isUrl,
      signal,
      token,
      body: request,
    });
    return url;
  }

  async openPaymentPage(token: string, request: PaymentPageRequest, signal: AbortSignal): Promise<string> {
    const {url} = await this.ask<Pick<PaymentPage, 'url'>>('/v1/payment-pages', {
      validate: isUrl,
      signal,
      token,
      body: request,
    });
    return url;
  }

  createNotice(token: string, request: PaymentNoticeRequest, signal: AbortSignal): Promise<CreatedPaymentNotice> {
    return this.ask('/v1/payment-notices', {validate: isNotice, signal, token, body: request});
  }

  readPrefill(token: string, signal: AbortSignal): Promise<Partial<NoticePrefill>> {
    return this.ask('/v1/payment-notices/prefill', {validate: isPrefill, signal, token});
  }
}

/**
 * The shopper is about to leave for one of the platform's pages. A page that prevents the event's default action can
 * open `url` itself.
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
