import type {NoticePrefill} from '../../contract/browser-hosted.ts';
import {json} from '../json.ts';
import type {RouteContext} from '../routes.ts';
import {creatingSessionOf} from './session-of.ts';

/** GET /v1/payment-notices/prefill: what the merchant's server said of its shopper. */
export async function showNoticePrefill(request: Request, context: RouteContext): Promise<Response> {
  const {terms: {service, order}} = await creatingSessionOf(request, context);
  const prefill = await context.objects.order(service, order).prefill();
  const {name = null, email = null, phone = null, description = null} = prefill ?? {};
  return json<NoticePrefill>({name, email, phone, description});
}
