/**
 * Mobile billing: subscriptions, charges and messages (`docs/spec/subscriptions.md`, 4.A), and the payment page (4.B).
 */

import type * as z from 'zod/mini';
import type {BillingSearch} from '../../contract/merchant/billing.ts';
import {MSISDN} from '../../contract/readers/mobile-number.ts';
import {subnetOf} from '../../http/client-ip.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {parseAmount} from '../../lib/money.ts';
import {findConsents} from '../../objects/archive/find-in-archive.ts';
import {PlatformError} from '../../platform/failure.ts';
import {timeFields} from '../../platform/habits.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import {countRows, type Rows} from '../../platform/reply-json.ts';
import {checkServerReturnUrls} from '../return-urls.ts';
import {runCommand} from '../run-command.ts';
import {requireBilledService} from '../services.ts';
import {readCursor} from './cursor.ts';
import {commandOf, type Handlers, queued, type WriteContext} from './handler.ts';
import {callFor} from './platform-errors.ts';
import {
  readableRows,
  toMerchantCharge,
  toMerchantConsent,
  toMerchantMessage,
  toMerchantSubscription,
} from './records.ts';

const DEFAULT_LIMIT = 10;

export const subscriptionHandlers = {
  async getSubscription({service, id}, {platform, config}) {
    const {serviceId} = requireBilledService(config, service);
    const {subscription} = await platform.call('subscriptionGet', {serviceId, subscriptionId: id});
    const {lastTransaction: last, lastSuccessfulTransaction: lastSuccessful} = subscription;
    return {
      ...toMerchantSubscription(subscription, config, serviceId),
      last_charge: last && toMerchantCharge(last, config, serviceId),
      last_successful_charge: lastSuccessful && toMerchantCharge(lastSuccessful, config, serviceId),
    };
  },

  async getConsent({service: name, id: subscription, address}, {config, objects}) {
    const {service} = requireBilledService(config, name);
    const [found] = await findConsents(objects, {service, subscription, network: toNetwork(address)});
    if (!found) throw new ApiError('not_found');
    return toMerchantConsent(found);
  },

  async listConsents({tracking_id: trackingId, address}, {objects}) {
    const found = await findConsents(objects, {trackingId, network: toNetwork(address)});
    return {items: found.map(toMerchantConsent), next_cursor: null, total: found.length};
  },

  async cancelSubscription({service: name, id}, context) {
    const {config, objects} = context;
    // On this path, the platform also resets test numbers: it treats an id of ten digits that begins with 5 as a
    // number.
    if (MSISDN.test(id)) throw fieldError('test_number_refused', 'id', 'This looks like a mobile number.');
    const {service, serviceId} = requireBilledService(config, name);
    const request = {service, serviceId, subscription: id};
    const {subscription} = await runCommand(objects, 'cancelSubscription', request, commandOf(context));
    return toMerchantSubscription(subscription, config, serviceId);
  },

  async searchSubscriptions(input, context) {
    const {platform, config} = context;
    const {serviceId, page, query} = await prepareSearch(input, context, 'subscriptions');
    const {meta, subscriptions: found} = await platform.call('subscriptionSearch', query);
    return page('subscriptionSearch', meta, found, (record) => toMerchantSubscription(record, config, serviceId));
  },

  async resetTestNumber({service: name, msisdn}, context) {
    const {config, objects} = context;
    if (!MSISDN.test(msisdn)) throw fieldError('number_invalid', 'msisdn', 'Expected ten digits that begin with 5.');
    const {service, serviceId} = requireBilledService(config, name);
    await runCommand(objects, 'resetTestNumber', {service, serviceId, msisdn}, commandOf(context));
    return {service: name, msisdn, state: 'reset'};
  },
} satisfies Partial<Handlers>;

function toNetwork(address: string | undefined): string | null {
  return address === undefined ? null : subnetOf(address);
}

export const chargeHandlers = {
  async getCharge({service, id}, {platform, config}) {
    const {serviceId} = requireBilledService(config, service);
    const {transaction} = await platform.call('chargeGet', {serviceId, transactionId: id});
    const {subscription, item, refundDate} = transaction;
    return {
      ...toMerchantCharge(
        {...transaction, subscriptionId: transaction.subscriptionId ?? subscription?.id ?? null},
        config,
        serviceId,
      ),
      item,
      ...timeFields('refund_date', refundDate),
      subscription: subscription && toMerchantSubscription(subscription, config, serviceId),
    };
  },

  async refundCharge({service: name, id, when_exhausted}, context) {
    const {config, objects, writeId} = context;
    const {service, serviceId} = requireBilledService(config, name);
    const request = {service, serviceId, charge: id};
    const queue = when_exhausted === 'queue';
    const result = await runCommand(objects, 'refundCharge', request, {...commandOf(context), queue});
    return 'queuePosition' in result
      ? queued(writeId, result.queuePosition)
      : toMerchantCharge(result.charge, config, serviceId);
  },

  async searchCharges(input, context) {
    const {platform, config} = context;
    const {serviceId, page, query} = await prepareSearch(input, context, 'charges');
    const {meta, transactions: found} = await platform.call('chargeSearch', query);
    return page('chargeSearch', meta, found, (record) => toMerchantCharge(record, config, serviceId));
  },
} satisfies Partial<Handlers>;

export const messageHandlers = {
  async searchMessages(input, context) {
    const {platform, config} = context;
    const {serviceId, page, query} = await prepareSearch(input, context, 'messages');
    const {meta, messages: found} = await platform.call('messageSearch', query);
    return page('messageSearch', meta, found, (record) => toMerchantMessage(record, config, serviceId));
  },
} satisfies Partial<Handlers>;

export const paymentPageHandlers = {
  async createPaymentPage(
    {service: name, reference: order, item, price, trial_days: trialDays, success_url, failure_url},
    context,
  ) {
    const {platform, config, objects, caller} = context;
    checkServerReturnUrls({success_url, failure_url}, config);
    const {service, serviceId} = requireBilledService(config, name);
    const page = {serviceId, item, successUrl: success_url, failureUrl: failure_url};
    if (trialDays !== undefined) {
      // Nothing is charged until the trial ends, so there is no payment to follow.
      const trial = {hasTrialPeriod: true, trialPeriodDay: trialDays};
      const {tokenData} = await platform.call('paymentPageToken', {...page, ...trial, referenceCode: order, price});
      const {token, redirectUrl: url, expiryDate} = tokenData;
      return {token, url, ...timeFields('expires_at', expiryDate)};
    }
    const code = config.services.has(name) ? name : service;
    const terms = {service: code, order, amount: parseAmount(price) ?? 0, hours: 0};
    const result = await callFor({service: code, order}, 'payment_page.failed', context, async () => {
      const opened = await objects.order(code, order).openServerPage({terms, page, price, by: caller.id});
      if ('failure' in opened) throw new PlatformError('paymentPageToken', opened.failure);
      return opened;
    });
    if ('cancelled' in result) throw new ApiError('order_cancelled');
    return {token: result.token, url: result.url, ...timeFields('expires_at', result.expiryDate)};
  },
} satisfies Partial<Handlers>;

interface SearchTotals {
  readonly totalCount: number | null;
  readonly pageCount: number | null;
}

/** Prepares a search for the page of results that its cursor names. The platform counts these pages from 1. */
async function prepareSearch(input: z.output<typeof BillingSearch>, context: WriteContext, endpoint: string) {
  const {serviceId} = requireBilledService(context.config, input.service);
  const cursor = await readCursor<number>(input, endpoint, context);
  const pageNumber = cursor.start ?? 1;
  const limit = input.limit ?? DEFAULT_LIMIT;
  return {
    serviceId,
    query: {serviceId, search: input.search ?? [], sort: input.sort ?? [], limit, page: pageNumber},
    async page<T, U>(
      operation: OperationName,
      {totalCount, pageCount}: SearchTotals,
      found: Rows<T>,
      toItem: (record: T) => U,
    ) {
      const count = countRows(found);
      const pages = pageCount ?? (totalCount === null ? null : Math.ceil(totalCount / limit));
      const hasMore = count > 0 && (pages === null ? count >= limit : pageNumber < pages);
      return {
        items: readableRows(operation, found).map(toItem),
        next_cursor: await cursor.next(hasMore ? pageNumber + 1 : null),
        total: totalCount,
      };
    },
  };
}
