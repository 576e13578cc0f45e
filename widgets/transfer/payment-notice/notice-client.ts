import type {CreatedPaymentNotice, NoticePrefill} from '../../../worker/contract/browser/answers.ts';
import type {PaymentNoticeRequest} from '../../../worker/contract/browser/requests.ts';
import {paymentRefusals} from '../../core/problem.ts';
import {shape, isText, WorkerClient} from '../../core/worker-client.ts';

const isNotice = shape<CreatedPaymentNotice>({notice_code: isText, url: isText});
const isPrefill = shape<NoticePrefill>({});

/** Sends payment notices. A refusal has texts that do not invite the shopper to send the money again. */
export class NoticeClient extends WorkerClient {
  protected override readonly refusals = async () => ({refusalOf: (await paymentRefusals()).noticeRefusalOf});

  create(token: string, request: PaymentNoticeRequest, signal: AbortSignal): Promise<CreatedPaymentNotice> {
    return this.ask('/v1/payment-notices', {validate: isNotice, signal, token, body: request});
  }

  readPrefill(token: string, signal: AbortSignal): Promise<Partial<NoticePrefill>> {
    return this.ask('/v1/payment-notices/prefill', {validate: isPrefill, signal, token});
  }
}
