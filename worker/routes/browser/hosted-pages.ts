/** Links to the platform's hosted pages: the bank page, the payment page and the payment notice. */

import {EXPECTED_SMALLER_AMOUNT, MAX_AMOUNT} from '../../contract/fields.ts';
import {clientIp, siteSubnet} from '../../http/client-ip.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {DAY_MS} from '../../lib/durations.ts';
import {parseAmount, formatAmount} from '../../lib/money.ts';
import {formatPlatformTime} from '../../lib/time.ts';
import {count, counterOf, networkGuard} from '../../objects/limits/counting.ts';
import type {OrderCaller} from '../../objects/order/order-limits.ts';
import {findAccount} from '../../platform/accounts.ts';
import {misconfigured} from '../problems.ts';
import {hostedPageUrl, requireHostedUrl, checkPageReturnUrls} from '../return-urls.ts';
import type {RouteContext} from '../route.ts';
import {requireBilledService} from '../services.ts';
import {currentBanks, logUnreadable} from './banks.ts';
import type {BrowserHandlers} from './handler.ts';
import {buyerRequest, toldInSession} from './offer-terms.ts';
import {ensureOrderCode, offeredTerms, orderCaller, requireAccepted} from './payment.ts';

export const hostedPageHandlers = {
  /**
   * POST /v1/hosted-payment: the URL of the platform's bank page, which shows the same order code as the elements. A
   * shopper who has already paid gets an error instead of a page on which they could pay again. The platform promises the
   * bank page only for codes of its operation `direct`. For any other code, the answer is `bank_page_unavailable`.
   */
  async createHostedPayment({human, buyer, page, ...returnUrls}, context, request) {
    const {session} = context;
    const checkedUrls = checkPageReturnUrls(returnUrls, session, context);
    const base = requireHostedUrl(context.config, 'misconfigured');
    const hosted = {address: clientIp(request)};
    const {code, madeBy} = await ensureOrderCode(session, {human, hosted, buyer, page}, request, context);
    if (madeBy !== 'direct') throw new ApiError('bank_page_unavailable');
    return {order_code: code, url: hostedPageUrl(base, '/phs/banks/', code, checkedUrls)};
  },

  /**
   * POST /v1/payment-pages: the URL of the platform's payment page, where shoppers pay with their phone bill instead of a
   * transfer. The order counts as paid when mobile billing reports the charge.
   */
  async openPaymentPage(
    {anew = false, language = 'tr', human, buyer: sent, page: facts, ...returnUrls},
    context,
    request,
  ) {
    const {session} = context;
    const checkedUrls = checkPageReturnUrls(returnUrls, session, context);
    const {origin, createUntil} = session;
    const terms = offeredTerms(session);
    if (Date.now() >= createUntil) throw new ApiError('session_expired');
    const {serviceId} = requireBilledService(context.config, terms.service, 'misconfigured');
    if (context.config.paymentPage === null) throw misconfigured('PAYMENT_PAGE_SECRET');
    const page = {
      serviceId,
      item: terms.title?.[language] ?? terms.order,
      successUrl: checkedUrls.success_url ?? session.successUrl ?? `${origin}/`,
      failureUrl: checkedUrls.failure_url ?? session.failureUrl ?? `${origin}/`,
    };
    const caller = orderCaller(session, human, request, context);
    const told = await toldInSession(session, facts, context);
    const buyer = await buyerRequest(session, sent, context);
    const result = await context.objects
      .order(terms.service, terms.order)
      .openPaymentPage({terms, page, reopen: anew, caller, told, buyer});
    const {url, expiresAt} = await requireAccepted(result, 'paymentPageToken');
    return {url, expires_at: expiresAt};
  },

  /**
   * POST /v1/payment-notices: reports a transfer whose description had no order code. The shopper submits the notice on
   * the platform's page. The Worker sends the shopper's personal data to the platform and does not store it. The shopper
   * enters the amount of the transfer; the default is the amount still to be paid. The device of a hand-off may report the
   * transfer too, because the shopper sends the money there; a session that creates no order code needs an order with one.
   */
  async openPaymentNotice({bank, amount: claimed, notice, human, ...returnUrls}, context, request) {
    const {session} = context;
    const amount = claimed === undefined ? null : parseAmount(claimed);
    const isTooLarge = (amount ?? 0) > (parseAmount(MAX_AMOUNT) ?? 0);
    if (isTooLarge || (claimed !== undefined && !amount)) {
      const message = isTooLarge ? EXPECTED_SMALLER_AMOUNT : 'Expected more than 0.';
      throw fieldError('amount_invalid', 'amount', message);
    }
    const checkedUrls = checkPageReturnUrls(returnUrls, session, context);
    const base = requireHostedUrl(context.config, 'misconfigured');
    await ensureOrderCode(session, {human}, request, context);
    await limitNotices(orderCaller(session, human, request, context), context);

    const {apply_time: appliedAt, ...person} = notice;
    const time = appliedAt === undefined ? {} : {apply_time: formatPlatformTime(Date.parse(appliedAt))};
    const {service, order} = session.terms;
    const list = await currentBanks(context).catch(logUnreadable);
    const code = (list && findAccount(list.banks, bank)?.code) ?? bank;
    const result = await context.objects
      .order(service, order)
      .createNotice({bank: code, amount, shopper: {...person, ...time, user_ip: clientIp(request)}});
    if ('absent' in result) throw new ApiError('unknown_order');
    const created = await requireAccepted(result, 'paymentNotificationCreate');
    return {notice_code: created.code, url: hostedPageUrl(base, '/phs/yonlendir/', created.code, checkedUrls)};
  },

  /**
   * GET /v1/payment-notices/prefill: the amount to prefill, and the shopper's data that the merchant's server supplied.
   * The session's token is part of a page and may leak with the page. Therefore the token reveals the shopper's data only
   * until a day after `createUntil`.
   */
  async showNoticePrefill(_input, context) {
    const {terms, createUntil} = context.session;
    const mayReadPerson = Date.now() < createUntil + PREFILL_MS;
    const {
      amount,
      name = null,
      email = null,
      phone = null,
      description = null,
    } = await context.objects.order(terms.service, terms.order).noticePrefill(terms, mayReadPerson);
    return {order: terms.order, amount: formatAmount(amount), name, email, phone, description};
  },
} satisfies Partial<BrowserHandlers>;

/**
 * Limits the payment notices of an address, because a person reads each notice and one address may create many orders.
 * Above the limit, a human check is required. An IPv6 address counts by its /48.
 */
async function limitNotices(caller: OrderCaller | null, {config, objects}: RouteContext): Promise<void> {
  const limit = config.limits.addressNoticesPer10Minutes;
  if (!caller || limit === null) return;
  const notices = counterOf('address_notices_per_10_minutes', siteSubnet(caller.subnet), limit);
  const counted = await count(objects, networkGuard(caller.subnet), [notices]);
  if (counted.full === undefined) return;
  const {retryAfterSeconds} = counted;
  if (!caller.checkHuman)
    throw new ApiError('rate_limited', {retryAfterSeconds, limit: 'address_notices_per_10_minutes'});
  const refused = await caller.checkHuman();
  if (refused) throw new ApiError(refused);
}

/** How long after `createUntil` a session may read the shopper's data. */
const PREFILL_MS = DAY_MS;
