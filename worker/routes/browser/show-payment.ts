import type {Payment} from '../../contract/browser/answers.ts';
import {json} from '../../http/json.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './auth.ts';

/** GET /v1/payment: where the session's payment stands. */
export async function showPayment(request: Request, context: RouteContext): Promise<Response> {
  const {terms} = await sessionOf(request, context);
  return json<Payment>(await context.objects.order(terms.service, terms.order).payment(terms));
}
