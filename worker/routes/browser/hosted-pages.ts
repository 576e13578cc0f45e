import type {HostedPayment, PaymentPage, CreatedPaymentNotice, NoticePrefill} from '../../contract/browser/answers.ts';
import type {HostedPaymentRequest, PaymentPageRequest, PaymentNoticeRequest} from '../../contract/browser/requests.ts';
import {clientIp} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {toPageError} from '../../http/platform-errors.ts';
import {log} from '../../lib/log.ts';
import {parseAmount, formatAmount} from '../../lib/money.ts';
import {formatPlatformTime} from '../../lib/time.ts';
import {hostedPageUrl, requireHostedUrl, checkPageReturnUrls} from '../return-urls.ts';
import type {BrowserContext} from './handler.ts';
import {ensureOrderCode, orderCaller} from './payment.ts';

/** POST /v1/hosted-payment: the platform's bank page shows the order's code, which is the same as ours. Nobody is led there to pay a second time. */
export async function createHostedPayment(
  {human, ...returnTo}: HostedPaymentRequest,
  context: BrowserContext<'creating'>,
  request: Request,
): Promise<HostedPayment> {
  const {session} = context;
  const returns = checkPageReturnUrls(returnTo, session, context.config);
  const base = requireHostedUrl(context.config, 'misconfigured');
  const {code} = await ensureOrderCode(session, {human, hosted: {address: clientIp(request)}}, request, context);
  return {order_code: code, url: hostedPageUrl(base, '/phs/banks/', code, returns)};
}

/** POST /v1/payment-pages: the platform's common payment page, where a phone bill pays what a transfer would. The order is paid when mobile billing says so. */
export async function openPaymentPage(
  {anew = false, human, ...returns}: PaymentPageRequest,
  context: BrowserContext<'creating'>,
  request: Request,
): Promise<PaymentPage> {
  const {session} = context;
  const named = checkPageReturnUrls(returns, session, context.config);
  const {offer, origin, createUntil} = session;
  const terms = {...session.terms, offer};
  if (Date.now() >= createUntil) throw new ApiError('session_expired');
  const serviceId = context.config.services.get(terms.service)?.micropaymentId ?? null;
  if (serviceId === null || context.config.paymentPage === null) {
    log('error', 'misconfigured', {names: [serviceId === null ? 'SERVICES' : 'PAYMENT_PAGE_SECRET']});
    throw new ApiError('misconfigured');
  }
  const page = {
    serviceId,
    item: context.config.offers.get(offer ?? '')?.title.tr ?? terms.order,
    successUrl: named.success_url ?? session.successUrl ?? `${origin}/`,
    failureUrl: named.failure_url ?? session.failureUrl ?? `${origin}/`,
  };
  const caller = orderCaller(session, human, request, context);
  const result = await context.objects
    .order(terms.service, terms.order)
    .openPaymentPage({terms, page, reopen: anew, caller});
  if ('paid' in result) throw new ApiError('order_paid');
  if ('refused' in result) throw new ApiError(result.refused);
  if ('limited' in result) throw new ApiError('rate_limited', result.limited);
  if ('failure' in result) throw await toPageError(result.failure, 'paymentPageToken');
  return {url: result.url, expires_at: result.expiresAt};
}

/**
 * POST /v1/payment-notices: a transfer whose description had no code. The shopper submits the notice on the platform's
 * page. Whatever they say of themselves goes there and is kept nowhere; the amount is their claim, what the order lacks unless they say one.
 */
export async function openPaymentNotice(
  {bank, amount: claimed, notice, human, ...returnTo}: PaymentNoticeRequest,
  context: BrowserContext<'creating'>,
  request: Request,
): Promise<CreatedPaymentNotice> {
  const {session} = context;
  const amount = claimed === undefined ? null : parseAmount(claimed);
  if (claimed !== undefined && !amount)
    throw new ApiError('amount_invalid', {fields: [{path: 'amount', message: 'More than 0 is expected.'}]});
  const returns = checkPageReturnUrls(returnTo, session, context.config);
  const base = requireHostedUrl(context.config, 'misconfigured');
  await ensureOrderCode(session, {human}, request, context);

  const {apply_time: appliedAt, ...person} = notice;
  const time = appliedAt === undefined ? {} : {apply_time: formatPlatformTime(Date.parse(appliedAt))};
  const {service, order} = session.terms;
  const result = await context.objects
    .order(service, order)
    .createNotice({bank, amount, shopper: {...person, ...time, user_ip: clientIp(request)}});
  if ('absent' in result) throw new ApiError('unknown_order');
  if ('limited' in result) throw new ApiError('rate_limited', result.limited);
  if ('failure' in result) throw await toPageError(result.failure, 'paymentNotificationCreate');
  return {
    notice_code: result.code,
    url: hostedPageUrl(base, '/phs/yonlendir/', result.code, returns),
  };
}

/** GET /v1/payment-notices/prefill: what the merchant's server said of its shopper, and what their order lacks. */
export async function showNoticePrefill(_input: null, context: BrowserContext<'creating'>): Promise<NoticePrefill> {
  const {terms} = context.session;
  const {
    amount,
    name = null,
    email = null,
    phone = null,
    description = null,
  } = await context.objects.order(terms.service, terms.order).noticePrefill(terms);
  return {amount: formatAmount(amount), name, email, phone, description};
}
