/** Operations on orders. */

import type {Context} from '../context.ts';
import {formatAmount, parseAmount} from '../formats.ts';
import type {Marketplace} from '../records/orders.ts';
import type {Readings} from '../records/readings.ts';
import type {Parameters, AnswerFields, PlatformRequest} from '../request.ts';
import {readShopperDetails} from './payment-notices.ts';
import {PhsRefusal, requireAmount, requireService, requireText} from './phs-statuses.ts';

const MAX_USER_ID_LENGTH = 32;

/**
 * /orderToReference/check (orders.md 4.2). In the answer, `order` is the platform's order code. A marketplace order
 * also has its split.
 */
export function checkOrder({parameters}: PlatformRequest, {orders, readings}: Context): AnswerFields {
  const reference = requireText(parameters, 'order');
  const order = orders.find(requireService(parameters).code, reference);
  const unknown = readings.get('unknown_order');
  if (!order && unknown !== 'ERR_014') return {order: unknown === 'null' ? null : ''};
  if (!order) throw new PhsRefusal('ERR_014');
  return {order: order.orderCode, ...(order.marketplace && toSplit(order.marketplace))};
}

/** /orderToReference/create (orders.md 4.2). */
export function createOrder({parameters}: PlatformRequest, context: Context): AnswerFields {
  return {order: saveOrder(parameters, context)};
}

/**
 * /orderToReference/direct (orders.md 4.2): creates an order for the bank page and saves the shopper's details for it.
 */
export function createDirectOrder({parameters}: PlatformRequest, context: Context): AnswerFields {
  const details = readShopperDetails(parameters);
  const code = saveOrder(parameters, context);
  context.shopperDetails.save(code, details);
  return {code};
}

/**
 * /orderToReference/update (orders.md 4.2): sets a new amount and, if the call has one, a new split. The platform
 * refuses to update a completed order.
 */
export function updateOrder({parameters}: PlatformRequest, {orders, readings}: Context): AnswerFields {
  const reference = requireText(parameters, 'order');
  const amount = requireText(parameters, 'amount');
  const service = requireService(parameters);
  const amountKurus = requireAmount(amount);
  const order = orders.find(service.code, reference);
  if (!order) throw new PhsRefusal('ERR_014');
  if (order.completedAt) throw new PhsRefusal(readings.get('completed_order'));
  requireAllowedAmount(amountKurus, readings);
  orders.update(order, amountKurus, readMarketplace(parameters, order.marketplace));
  return {order: order.orderCode};
}

/** Saves a new order, or another sub-merchant's part of an order, and returns the order code. */
function saveOrder(parameters: Parameters, {orders, readings}: Context): string {
  const order = requireText(parameters, 'order');
  const amount = requireText(parameters, 'amount');
  const service = requireService(parameters);
  const amountKurus = requireAmount(amount);
  const marketplace = readMarketplace(parameters);
  const userId = readUserId(parameters);
  requireAllowedAmount(amountKurus, readings);
  const known = orders.find(service.code, order);
  if (known) {
    const isPart = marketplace && known.marketplace && marketplace.subMerchantId !== known.marketplace.subMerchantId;
    if (!isPart || readings.get('sub_merchant_parts') === 'refused') throw new PhsRefusal('ERR_019');
    orders.update(known, known.amountKurus + amountKurus, undefined);
    return known.orderCode;
  }
  return orders.create({serviceCode: service.code, order, amountKurus, marketplace, userId});
}

function requireAllowedAmount(amountKurus: number, readings: Readings): void {
  const largest = readings.get('largest_order');
  if (largest !== 'any' && amountKurus > 100 * Number(largest)) throw new PhsRefusal('ERR_021');
}

/**
 * Reads the split. A new order with one of the three parameters needs all three, because they are "required for
 * marketplace" (orders.md 2.2). An update may have fewer parameters: the missing ones keep their `known` values.
 */
function readMarketplace(parameters: Parameters, known?: Marketplace): Marketplace | undefined {
  if (!['payout', 'sub_merchant_id', 'fee'].some((name) => parameters.text(name) !== '')) return undefined;
  const payout = parameters.text('payout') || known?.payout;
  const subMerchantId = parameters.text('sub_merchant_id') || known?.subMerchantId;
  const fee = parameters.text('fee') || (known && formatAmount(known.feeKurus));
  if (payout === undefined || subMerchantId === undefined || fee === undefined) throw new PhsRefusal('400');
  const feeKurus = parseAmount(fee);
  if (!/^\d+$/.test(subMerchantId)) throw new PhsRefusal('ERR_008', 'sub_merchant_id');
  if (feeKurus === undefined) throw new PhsRefusal('ERR_017', 'fee');
  return {payout, subMerchantId, feeKurus};
}

/** Reads the optional user id. Its maximum length is in characters, not in UTF-16 units. */
function readUserId(parameters: Parameters): string | undefined {
  const userId = parameters.text('user_id');
  if ([...userId].length > MAX_USER_ID_LENGTH) throw new PhsRefusal('ERR_008', 'user_id');
  return userId || undefined;
}

function toSplit({payout, subMerchantId, feeKurus}: Marketplace): AnswerFields {
  return {payout, sub_merchant_id: subMerchantId, fee: formatAmount(feeKurus)};
}
