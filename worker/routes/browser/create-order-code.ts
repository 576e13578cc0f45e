import * as z from 'zod';
import {ApiError} from '../../api-error.ts';
import type {OrderCode} from '../../contract/browser.ts';
import {formatInstant} from '../../instant.ts';
import {formatAmount} from '../../money.ts';
import {json, readJson} from '../json.ts';
import {platformTrouble} from '../platform-trouble.ts';
import type {RouteContext} from '../routes.ts';
import {limitOrders} from './limit-address.ts';
import {sessionOf} from './session-of.ts';

/** POST /v1/order-code: the code of the session's order; the same one however often it is asked. */
export async function createOrderCode(request: Request, context: RouteContext): Promise<Response> {
  const {terms: named, offer, createUntil} = await sessionOf(request, context);
  const terms = {...named, offer};
  await readJson(request, z.strictObject({}));
  const object = context.objects.order(terms.service, terms.order);
  let result = await object.orderCode(terms, 'tell');
  if ('absent' in result) {
    // Only what would be new counts: who comes back to a code is never turned away.
    await limitOrders(request, context, terms);
    result = await object.orderCode(terms, Date.now() < createUntil ? 'make' : 'find');
  }
  if ('absent' in result) throw new ApiError('session_expired');
  if ('limited' in result) throw new ApiError('rate_limited', result.limited);
  if ('failure' in result) throw platformTrouble(result.failure);
  return json<OrderCode>({order_code: result.code, order: terms.order, amount: formatAmount(terms.amount), currency: 'TRY', pay_until: formatInstant(result.expiresAt)});
}
