import type {Payment} from '../../contract/browser.ts';
import {json} from '../json.ts';
import type {RouteContext} from '../route.ts';
import {sessionOf} from './session-of.ts';

/** GET /v1/payment: where the session's payment stands. */
export async function showPayment(request: Request, context: RouteContext): Promise<Response> {
  const {terms} = await sessionOf(request, context);
  return json<Payment>(await context.objects.order(terms.service, terms.order).payment(terms));
}
