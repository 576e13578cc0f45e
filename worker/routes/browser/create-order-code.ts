import * as z from 'zod';
import type {OrderCode} from '../../contract/browser/answers.ts';
import {json, readJson} from '../../http/json.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './auth.ts';
import {orderCodeOf} from './order-code-of.ts';

/** POST /v1/order-code: the code of the session's order; the same one however often it is asked. */
export async function createOrderCode(request: Request, context: RouteContext): Promise<Response> {
  const session = await sessionOf(request, context);
  await readJson(request, z.strictObject({}));
  const {order} = session.terms;
  const {code, amount, expiresAt} = await orderCodeOf(session, request, context);
  return json<OrderCode>({
    order_code: code,
    order,
    amount: formatAmount(amount),
    currency: 'TRY',
    pay_until: formatInstant(expiresAt),
  });
}
