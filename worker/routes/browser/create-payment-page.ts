import type {PaymentPage} from '../../contract/browser/browser-hosted.ts';
import {PaymentPageRequest} from '../../contract/browser/requests.ts';
import {ApiError} from '../../http/errors.ts';
import {json, readJson} from '../../http/json.ts';
import {platformTrouble} from '../../http/platform-trouble.ts';
import {log} from '../../lib/log.ts';
import {limitOrders} from '../rate-limit.ts';
import {checkReturn} from '../return-urls.ts';
import type {RouteContext} from '../route.ts';
import {creatingSessionOf} from './auth.ts';

/** POST /v1/payment-pages: the platform's common payment page, where a phone bill pays what a transfer would. The order is paid when mobile billing says so. */
export async function createPaymentPage(request: Request, context: RouteContext): Promise<Response> {
  const session = await creatingSessionOf(request, context);
  const {anew = false, ...returns} = await readJson(request, PaymentPageRequest);
  const named = checkReturn(returns, session, context.config);
  const {offer, origin, createUntil} = session;
  const terms = {...session.terms, offer};
  if (Date.now() >= createUntil) throw new ApiError('session_expired');
  const serviceId = context.config.services.get(terms.service)?.micropaymentId ?? null;
  if (serviceId === null || context.config.paymentPage === null) {
    log('error', 'misconfigured', {names: [serviceId === null ? 'SERVICES' : 'PAYMENT_PAGE_SECRET']});
    throw new ApiError('misconfigured');
  }
  await limitOrders(request, context, terms);
  const page = {
    serviceId,
    item: context.config.offers.get(offer ?? '')?.title.tr ?? terms.order,
    successUrl: named.success_url ?? session.successUrl ?? `${origin}/`,
    failureUrl: named.failure_url ?? session.failureUrl ?? `${origin}/`,
  };
  const result = await context.objects.order(terms.service, terms.order).openPage({terms, page, anew});
  if ('paid' in result) throw new ApiError('order_paid');
  if ('limited' in result) throw new ApiError('rate_limited', result.limited);
  if ('failure' in result) throw await platformTrouble(result.failure, 'paymentPageToken');
  return json<PaymentPage>({url: result.url, expires_at: result.expiresAt});
}
