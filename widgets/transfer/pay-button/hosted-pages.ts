/** The clients for the platform's own pages: the bank page, the payment page and the payment notice. */

import type {CreatedPaymentNotice, NoticePrefill} from '../../../worker/contract/browser/answers.ts';
import type {PageFactsInput} from '../../../worker/contract/browser/page-facts.ts';
import type {
  HostedPaymentRequest,
  PaymentNoticeRequest,
  PaymentPageRequest,
} from '../../../worker/contract/browser/requests.ts';
import type {Buyer} from '../../../worker/contract/buyer.ts';
import type {Locale} from '../../core/locale.ts';
import {paymentRefusals, Problem, toProblem, unreachableProblem} from '../../core/problem.ts';
import {shape, isText, WorkerClient} from '../../core/worker-client.ts';
import {isOrderOf} from '../purchase/session-order.ts';
import {returnUrl} from '../return-url.ts';

const isUrl = shape<{readonly url: string}>({url: isText});
const isNotice = shape<CreatedPaymentNotice>({notice_code: isText, url: isText});
const isPrefill = shape<NoticePrefill>({});

/** The path and the body of the request for a page of the platform. */
type PageRequest = ['/v1/payment-pages', PaymentPageRequest] | ['/v1/hosted-payment', HostedPaymentRequest];

interface PageOptions {
  /** Token of the human check, or an empty string. */
  readonly human: string;
  /** Set to request another payment page in place of the last one. */
  readonly anew: true | undefined;
  /** The language of the item's name on the payment page. */
  readonly language: Locale;
  /** Who buys, if the order asks for it. */
  readonly buyer: Buyer | undefined;
  readonly page: PageFactsInput | undefined;
}

export class HostedClient extends WorkerClient {
  protected override readonly refusals = async () => ({refusalOf: (await paymentRefusals()).buttonRefusalOf});

  /** Returns the URL of the platform's page. @param via - `bank-page` or `payment-page`. */
  async openPage(
    via: string,
    token: string,
    {human, anew, language, buyer, page}: PageOptions,
    signal: AbortSignal,
  ): Promise<string> {
    const backFrom = (outcome: string) => returnUrl(via, outcome);
    const [path, urls]: PageRequest =
      via === 'payment-page'
        ? ['/v1/payment-pages', {success_url: backFrom('success'), failure_url: backFrom('failure'), anew, language}]
        : ['/v1/hosted-payment', {redirect_url: backFrom('done'), back_url: backFrom('back')}];
    const body = {...urls, ...(human && {human}), buyer, page};
    return (await this.ask(path, {validate: isUrl, signal, token, body})).url;
  }
}

/** Sends payment notices. A refusal has texts that do not invite the shopper to send the money again. */
export class NoticeClient extends WorkerClient {
  protected override readonly refusals = async () => ({refusalOf: (await paymentRefusals()).noticeRefusalOf});

  /** While the platform is down, the problem has texts that say that the notice is not sent. */
  create(token: string, request: PaymentNoticeRequest, signal: AbortSignal): Promise<CreatedPaymentNotice> {
    return this.ask('/v1/payment-notices', {validate: isNotice, signal, token, body: request}).catch(
      async (thrown: unknown) => {
        const {code} = toProblem(thrown);
        if (code !== 'temporarily_unavailable') throw thrown;
        throw new Problem(code, true, 0, (await this.refusals()).refusalOf(code, 0));
      },
    );
  }

  async readPrefill(token: string, signal: AbortSignal): Promise<NoticePrefill> {
    const prefill = await this.ask('/v1/payment-notices/prefill', {validate: isPrefill, signal, token});
    if (!isOrderOf(token, prefill)) throw unreachableProblem();
    return prefill;
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
