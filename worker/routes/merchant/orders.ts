/** Order codes, payment notices, vendor forms and banks of the orders interface. */

import type * as z from 'zod/mini';
import type {Notice} from '../../contract/merchant/payment-notices.ts';
import {ApiError} from '../../http/errors.ts';
import {recordWithRetry} from '../../lib/async.ts';
import {SECOND_MS} from '../../lib/durations.ts';
import {formatAmount, parseAmount} from '../../lib/money.ts';
import {formatInstant, formatPlatformTime} from '../../lib/time.ts';
import {isStoreRefused} from '../../objects/migrations.ts';
import type {ChangeResult} from '../../objects/order/order-changes.ts';
import type {CodeInput} from '../../objects/order/order-code-requests.ts';
import type {ServerCodeResult} from '../../objects/order/order-code-requests.ts';
import {onlyPart} from '../../objects/order/order-parts.ts';
import type {Preparation} from '../../objects/order/order-state.ts';
import {isFinalState} from '../../objects/refunds/refund-checks.ts';
import type {PlatformClient} from '../../platform/client.ts';
import {PlatformError} from '../../platform/failure.ts';
import {timeFields} from '../../platform/habits.ts';
import {stateOf, numberOrText} from '../../platform/statuses.ts';
import {currentBanks, toBankList} from '../browser/banks.ts';
import {hostedPageUrl, checkServerReturnUrls, requireHostedUrl} from '../return-urls.ts';
import {runCommand} from '../run-command.ts';
import {commandOf, type Handlers, type WriteContext} from './handler.ts';
import {requireAgreed, requireIbanCountry} from './input.ts';
import {callFor} from './platform-errors.ts';
import {toStoredRefund} from './refunds.ts';
import {DEFAULT_HOURS} from './sessions.ts';

interface OrderCodeTerms {
  readonly service: string;
  readonly order: string;
  readonly amount: string;
}

interface OrderCodeInput
  extends OrderCodeTerms, Pick<Preparation, 'hours' | 'prefill' | 'seller' | 'title' | 'metadata'> {
  readonly payout?: string | undefined;
  readonly sub_merchant_id?: string | undefined;
  readonly fee?: string | undefined;
  readonly user_id?: string | undefined;
  readonly extra?: Readonly<Record<string, string>> | undefined;
  readonly adopt?: boolean | undefined;
}

export const orderCodeHandlers = {
  async findOrderCode({service, order}, {platform, objects}) {
    const {order: code, payout, sub_merchant_id, fee} = await platform.call('orderCodeCheck', {code: service, order});
    if (code === null) throw new ApiError('unknown_order');
    await recordWithRetry('order', () => objects.order(service, order).codeFound(code));
    return {order_code: code, service, order, payout, sub_merchant_id, fee};
  },

  async createOrderCode({hours, prefill, seller, title, metadata, adopt, service, ...terms}, context) {
    requireOrders(context.platform);
    requireAgreed(terms.extra, 'orderCodeCreate', context.config);
    const order = {service, ...terms};
    const input = {...order, hours, prefill, seller, title, metadata, adopt};
    const request = {operation: 'orderCodeCreate', input: {code: service, ...terms}} as const;
    return toOrderCode(await createCode(input, context, request), order);
  },

  async createHostedOrderCode({service, notice, redirect_url, back_url, ...terms}, context) {
    const {config} = context;
    requireOrders(context.platform);
    requireAgreed(terms.extra, 'orderCodeDirect', config);
    checkServerReturnUrls({redirect_url, back_url}, config);
    const base = requireHostedUrl(config, 'not_configured');
    const order = {service, ...terms};
    const PaymentNotification = notice && toPlatformNotice(notice);
    const input = {code: service, ...terms, PaymentNotification};
    const code = await createCode(order, context, {operation: 'orderCodeDirect', input});
    return {...toOrderCode(code, order), url: hostedPageUrl(base, '/phs/banks/', code, {redirect_url, back_url})};
  },

  async updateOrderCode({service, ...terms}, context) {
    const {config, objects, caller} = context;
    requireAgreed(terms.extra, 'orderCodeUpdate', config);
    const change = {code: service, ...terms};
    // If the object dies, the same change may be sent again.
    const object = () => objects.order(service, terms.order);
    const result = await recordWithRetry<ChangeResult>('order', async () => object().changeCode(change, caller.id));
    if (!result) throw new ApiError('outcome_unknown');
    if ('failure' in result) throw new PlatformError(result.operation, result.failure);
    if ('foreign' in result) throw new ApiError('order_exists', {fields: [FOREIGN_ORDER]});
    return toOrderCode(result.code, {service, ...terms});
  },

  async completeOrder({service, order}, context) {
    const {objects} = context;
    const refunds = await objects.refunds().ofOrder(service, order);
    await runCommand(objects, 'completeOrder', {service, order}, commandOf(context));
    const pending = refunds.filter(({state}) => !isFinalState(state)).map(toStoredRefund);
    return {service, order, state: 'completed', pending_refunds: pending};
  },

  async cancelOrder({service, order}, {objects, caller}) {
    const details = await objects.order(service, order).cancel(caller.id);
    if (!details) throw new ApiError('unknown_order');
    if (details.cancelledAt === null) throw new ApiError('order_paid');
    const {state, paid} = details.payment;
    return {service, order, state, paid, cancelled_at: formatInstant(details.cancelledAt)};
  },
} satisfies Partial<Handlers>;

/**
 * Checks that the Worker can create order codes. A route calls this function before it prepares the order's object.
 * @throws {ApiError} `not_configured` if the Worker has no `PHS_URL`.
 */
function requireOrders(platform: PlatformClient): void {
  if (!platform.isConfigured('phs')) throw new ApiError('not_configured');
}

/**
 * Has the order ask the platform for its code. The order stores the request before, and therefore finds the money and
 * sends events even if the platform's answer is lost.
 */
async function createCode(
  {service, order, amount, payout, sub_merchant_id: subMerchantId, fee, user_id: userId, ...rest}: OrderCodeInput,
  {objects, caller}: WriteContext,
  request: CodeInput,
): Promise<string> {
  const {hours, prefill, seller, title, metadata, adopt = false} = rest;
  const terms = {service, order, amount: parseAmount(amount) ?? 0, hours: hours ?? DEFAULT_HOURS};
  const parts = onlyPart(terms.amount, {payout, subMerchantId, fee});
  const preparation = {by: caller.id, parts, userId, hours, prefill, seller, title, metadata};
  let isSent = false;
  const result = await recordWithRetry<ServerCodeResult | typeof NOT_SENT>('order', async () => {
    const isRepeated = isSent;
    let hasFailed = false;
    const maySend = () => !hasFailed && (isSent = true);
    try {
      const asked = {request, preparation, adopt, isRepeated, maySend};
      return await objects.order(service, order).createCode(terms, asked);
    } catch (error) {
      hasFailed = true;
      if (isStoreRefused(error) && !isSent) return NOT_SENT;
      throw error;
    }
  });
  if (!result) throw isSent ? new ApiError('outcome_unknown') : new ApiError('temporarily_unavailable', NOT_REACHED);
  if ('code' in result) return result.code;
  if ('cancelled' in result) throw new ApiError('order_cancelled');
  const {failure, operation, isForeign = false}: Extract<ServerCodeResult, {readonly failure: unknown}> = result;
  const refusal = new PlatformError(operation, failure);
  if (!isForeign || failure.outcome !== 'refused') throw refusal;
  const {status, message} = failure;
  throw new ApiError('order_exists', {cause: refusal, platform: {status, message}, fields: [FOREIGN_ORDER]});
}

/** The order was not reached, and has sent nothing: it asks this Worker just before it sends. */
const NOT_REACHED = {retryAfterSeconds: 1};

/** An object that refuses its store has not asked the platform. */
const NOT_SENT = {failure: {outcome: 'unsent', retryAfterMs: SECOND_MS}, operation: 'orderCodeCreate'} as const;

const FOREIGN_ORDER = {
  path: 'order',
  message:
    'The platform had an order with this number before this Worker first asked for it. Use a number that no other shop ' +
    'or environment uses, or send `adopt: true` to take the order and its money.',
};

function toOrderCode(code: string, {service, order, amount}: OrderCodeTerms) {
  return {order_code: code, service, order, amount: formatAmount(parseAmount(amount) ?? 0), currency: 'TRY' as const};
}

export const paymentNoticeHandlers = {
  async getPaymentNotice({id}, {platform, config}) {
    const {paymentNotification} = await platform.call('paymentNotificationGet', {id});
    const {code, service_code, order_refno, status, create_time, apply_time, ...rest} = paymentNotification;
    return {
      ...rest,
      ...timeFields('create_time', create_time),
      ...timeFields('apply_time', apply_time),
      notice_code: code,
      service: service_code,
      order: order_refno,
      status: numberOrText(status),
      state: stateOf('payment_notice', status, config.statuses),
    };
  },

  async createPaymentNotice({service, order, amount, bank, notice, redirect_url, back_url}, context) {
    const {config, objects, caller} = context;
    checkServerReturnUrls({redirect_url, back_url}, config);
    const base = requireHostedUrl(config, 'not_configured');
    const input = {code: service, amount, bank, order, PaymentNotification: notice && toPlatformNotice(notice)};
    const code = await callFor({service, order}, 'notice.failed', context, async () => {
      const result = await objects.order(service, order).createNoticeForServer(input, caller.id);
      if ('failure' in result) throw new PlatformError('paymentNotificationCreate', result.failure);
      return result.code;
    });
    return {notice_code: code, url: hostedPageUrl(base, '/phs/yonlendir/', code, {redirect_url, back_url})};
  },
} satisfies Partial<Handlers>;

/** Converts a shopper's payment notice to the platform's format (`docs/spec/orders.md`, 2.4). */
export function toPlatformNotice({apply_time: appliedAt, ...notice}: z.output<typeof Notice>) {
  return {...notice, ...(appliedAt !== undefined && {apply_time: formatPlatformTime(Date.parse(appliedAt))})};
}

export const vendorFormHandlers = {
  async createVendorForm({service, success_url, failure_url, ...vendor}, {platform, config}) {
    checkServerReturnUrls({success_url, failure_url}, config);
    requireIbanCountry(vendor.iban, 'iban', config);
    // The spec spells these parameters differently in its table and in its samples, so the Worker sends both spellings.
    const urls = {success_url, failure_url, successUrl: success_url, failureUrl: failure_url};
    const {redirectUrl: url} = await platform.call('vendorForm', {code: service, ...vendor, ...urls});
    return {url};
  },
} satisfies Partial<Handlers>;

export const bankHandlers = {
  async listBanks(_input, context) {
    const list = await currentBanks(context, (failure) => new PlatformError('bankGetAll', failure));
    const {banks: items, ...answer} = toBankList(list, context.url.origin, context.config);
    return {items, ...answer};
  },
} satisfies Partial<Handlers>;
