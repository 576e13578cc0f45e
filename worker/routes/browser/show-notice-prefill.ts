import type {NoticePrefill} from '../../contract/browser/browser-hosted.ts';
import {json} from '../../http/json.ts';
import {formatAmount} from '../../lib/money.ts';
import type {RouteContext} from '../route.ts';
import {creatingSessionOf} from './auth.ts';

/** GET /v1/payment-notices/prefill: what the merchant's server said of its shopper, and what their order lacks. */
export async function showNoticePrefill(request: Request, context: RouteContext): Promise<Response> {
  const {terms} = await creatingSessionOf(request, context);
  const {
    amount,
    name = null,
    email = null,
    phone = null,
    description = null,
  } = await context.objects.order(terms.service, terms.order).prefill(terms);
  return json<NoticePrefill>({amount: formatAmount(amount), name, email, phone, description});
}
