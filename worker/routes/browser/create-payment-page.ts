import {ApiError} from '../../api-error.ts';
import {type PaymentPage, PaymentPageRequest} from '../../contract/browser-hosted.ts';
import {log} from '../../log.ts';
import {formatAmount} from '../../money.ts';
import {failureOf} from '../../platform/failure.ts';
import {json, readJson} from '../json.ts';
import {platformTrouble} from '../platform-trouble.ts';
import type {RouteContext} from '../routes.ts';
import {limitOrders} from './limit-address.ts';
import {checkReturn} from './return-address.ts';
import {creatingSessionOf} from './session-of.ts';

/** POST /v1/payment-pages: the platform's common payment page, where a phone bill pays what a transfer would. */
export async function createPaymentPage(request: Request, context: RouteContext): Promise<Response> {
  const session = await creatingSessionOf(request, context);
  const named = checkReturn(await readJson(request, PaymentPageRequest), session, context.config);
  const {terms, offer: id, origin, createUntil} = session;
  if (Date.now() >= createUntil) throw new ApiError('session_expired');
  const serviceId = context.config.services.get(terms.service)?.micropaymentId ?? null;
  if (serviceId === null || context.config.paymentPage === null) {
    log('error', 'misconfigured', {names: [serviceId === null ? 'SERVICES' : 'PAYMENT_PAGE_SECRET']});
    throw new ApiError('misconfigured');
  }
  await limitOrders(request, context, terms);
  const offer = context.config.offers.get(id ?? '');
  try {
    const {tokenData} = await context.platform.call('paymentPageToken', {
      serviceId,
      referenceCode: terms.order,
      item: offer?.title.tr ?? terms.order,
      price: formatAmount(terms.amount),
      successUrl: named.success_url ?? session.successUrl ?? `${origin}/`,
      failureUrl: named.failure_url ?? session.failureUrl ?? `${origin}/`,
    });
    return json<PaymentPage>({url: tokenData.redirectUrl, expires_at: isInstant(tokenData.expiryDate) ? tokenData.expiryDate : null});
  } catch (error) {
    throw platformTrouble(failureOf(error), 'paymentPageToken');
  }
}

/** A time that cannot be read is passed on as it came; a page could do nothing with it. */
function isInstant(time: string | null): time is string {
  return time !== null && /T.*\+03:00$/.test(time);
}
