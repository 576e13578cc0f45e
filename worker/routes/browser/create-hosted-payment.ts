import type {HostedPayment} from '../../contract/browser/browser-hosted.ts';
import {HostedPaymentRequest} from '../../contract/browser/requests.ts';
import {addressOf} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {json, readJson} from '../../http/json.ts';
import {hostedPage} from '../hosted-page.ts';
import {requireHostedUrlForPage} from '../require-hosted-url.ts';
import {checkReturn} from '../return-urls.ts';
import type {RouteContext} from '../route.ts';
import {creatingSessionOf} from './auth.ts';
import {orderCodeOf} from './order-code-of.ts';

/** POST /v1/hosted-payment: the platform's bank page shows the order's code, which is the same as ours. Nobody is led there to pay a second time. */
export async function createHostedPayment(request: Request, context: RouteContext): Promise<Response> {
  const session = await creatingSessionOf(request, context);
  const returns = checkReturn(await readJson(request, HostedPaymentRequest), session, context.config);
  const base = requireHostedUrlForPage(context.config);
  const {terms} = session;
  if ((await context.objects.order(terms.service, terms.order).due(terms)) === 0) throw new ApiError('order_paid');
  const {code} = await orderCodeOf(session, request, context, {address: addressOf(request)});
  return json<HostedPayment>({order_code: code, url: hostedPage(base, '/phs/banks/', code, returns)});
}
