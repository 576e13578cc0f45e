import {ApiError} from '../../api-error.ts';
import {type PaymentPage, PaymentPageRequest} from '../../contract/browser-hosted.ts';
import {log} from '../../log.ts';
import {formatAmount} from '../../money.ts';
import {most} from '../../objects/guard-rules.ts';
import type {OrderTerms} from '../../payment.ts';
import {failureOf} from '../../platform/failure.ts';
import type {Input, Output} from '../../platform/operations/operations.ts';
import {json, readJson} from '../json.ts';
import {platformTrouble} from '../platform-trouble.ts';
import type {RouteContext} from '../routes.ts';
import {limitOrders} from './limit-address.ts';
import {checkReturn} from './return-address.ts';
import {creatingSessionOf} from './session-of.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a page is taken to be open where the platform does not say, and at the most. */
const UNSAID_MS = HOUR_MS;
const LONGEST_MS = 24 * HOUR_MS;
/** An operator may take its time. */
const BOOKED_WITHIN_MS = HOUR_MS / 2;
/** Each is a call of the platform, and another page that takes the money: a shopper who goes there and back needs few. */
const MOST_PAGES = 5;
const PAGES_WITHIN_MS = 10 * MINUTE_MS;

/** POST /v1/payment-pages: the platform's common payment page, where a phone bill pays what a transfer would. The order is paid when mobile billing says so. */
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
  const order = context.objects.order(terms.service, terms.order);
  if (await order.isPaid()) throw new ApiError('order_paid');
  await limitOrders(request, context, terms);
  await limitPages(terms, context);
  const offer = context.config.offers.get(id ?? '');
  const {redirectUrl: url, expiryDate} = await openPage(context, {
    serviceId,
    referenceCode: terms.order,
    item: offer?.title.tr ?? terms.order,
    price: formatAmount(await order.amount(terms)),
    successUrl: named.success_url ?? session.successUrl ?? `${origin}/`,
    failureUrl: named.failure_url ?? session.failureUrl ?? `${origin}/`,
  });
  const expires_at = isInstant(expiryDate) ? expiryDate : null;
  await order.awaitCharge({...terms, offer: id}, closesAt(expires_at, Date.now()));
  return json<PaymentPage>({url, expires_at});
}

async function limitPages({service, order}: OrderTerms, {objects}: RouteContext): Promise<void> {
  const taken = await (await objects.guard(`pages ${service}/${order}`)).take([most(MOST_PAGES, PAGES_WITHIN_MS)]);
  if (!taken.allowed) throw new ApiError('rate_limited', {retryAfterSeconds: taken.retryAfterSeconds});
}

async function openPage({platform}: RouteContext, page: Input<'paymentPageToken'>): Promise<Output<'paymentPageToken'>['tokenData']> {
  try {
    return (await platform.call('paymentPageToken', page)).tokenData;
  } catch (error) {
    throw platformTrouble(failureOf(error), 'paymentPageToken');
  }
}

/** Until when something paid on the page may still be booked. */
function closesAt(expiresAt: string | null, now: number): number {
  const openMs = expiresAt === null ? UNSAID_MS : Date.parse(expiresAt) - now;
  return now + Math.min(Math.max(openMs, 0), LONGEST_MS) + BOOKED_WITHIN_MS;
}

/** A time that cannot be read is passed on as it came; a page could do nothing with it. */
function isInstant(time: string | null): time is string {
  return time !== null && /T.*\+03:00$/.test(time);
}
