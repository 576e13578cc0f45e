import {ApiError} from '../../http/errors.ts';
import {platformTrouble} from '../../http/platform-trouble.ts';
import type {HostedBy, OrderCodeResult} from '../../objects/order/order-code.ts';
import type {PaymentSession} from '../../session.ts';
import {limitOrders} from '../rate-limit.ts';
import type {RouteContext} from '../route.ts';

type KnownCode = Extract<OrderCodeResult, {code: string}>;

/**
 * The code of the session's order, made where there is none and the session may.
 * @param hosted who goes to the platform's own page for it; a code that is there already is the same for both.
 * @throws {ApiError} `session_expired` where it may not be made any more, `rate_limited`, and trouble of the platform's.
 */
export async function orderCodeOf(
  session: PaymentSession,
  request: Request,
  context: RouteContext,
  hosted: HostedBy | null = null,
): Promise<KnownCode> {
  const terms = {...session.terms, offer: session.offer};
  const object = context.objects.order(terms.service, terms.order);
  let result = await object.orderCode(terms, 'tell');
  if ('absent' in result) {
    // Only what would be new counts: who comes back to a code is never turned away.
    await limitOrders(request, context, terms);
    result = await object.orderCode(terms, Date.now() < session.createUntil ? 'make' : 'find', hosted);
  }
  if ('absent' in result) throw new ApiError('session_expired');
  if ('limited' in result) throw new ApiError('rate_limited', result.limited);
  if ('failure' in result) throw await platformTrouble(result.failure);
  return result;
}
