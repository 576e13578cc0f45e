import type {CreatedPaymentNotice} from '../../contract/browser/browser-hosted.ts';
import {PaymentNoticeRequest} from '../../contract/browser/requests.ts';
import {addressOf} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {json, readJson} from '../../http/json.ts';
import {platformTrouble} from '../../http/platform-trouble.ts';
import {parseAmount} from '../../lib/money.ts';
import {formatPlatformTime} from '../../lib/time.ts';
import {hostedPage} from '../hosted-page.ts';
import {requireHostedUrlForPage} from '../require-hosted-url.ts';
import {checkReturn} from '../return-urls.ts';
import type {RouteContext} from '../route.ts';
import {creatingSessionOf} from './auth.ts';
import {orderCodeOf} from './order-code-of.ts';

/**
 * POST /v1/payment-notices: a transfer whose description had no code. The shopper submits the notice on the platform's
 * page. Whatever they say of themselves goes there and is kept nowhere; the amount is their claim, what the order lacks unless they say one.
 */
export async function createPaymentNotice(request: Request, context: RouteContext): Promise<Response> {
  const session = await creatingSessionOf(request, context);
  const {bank, amount: claimed, notice, ...returnTo} = await readJson(request, PaymentNoticeRequest);
  const amount = claimed === undefined ? null : parseAmount(claimed);
  if (claimed !== undefined && !amount)
    throw new ApiError('amount_invalid', {fields: [{path: 'amount', message: 'More than 0 is expected.'}]});
  const returns = checkReturn(returnTo, session, context.config);
  const base = requireHostedUrlForPage(context.config);
  await orderCodeOf(session, request, context);

  const {apply_time: appliedAt, ...person} = notice;
  const time = appliedAt === undefined ? {} : {apply_time: formatPlatformTime(Date.parse(appliedAt))};
  const {service, order} = session.terms;
  const result = await context.objects
    .order(service, order)
    .giveNotice({bank, amount, shopper: {...person, ...time, user_ip: addressOf(request)}});
  if ('absent' in result) throw new ApiError('unknown_order');
  if ('limited' in result) throw new ApiError('rate_limited', result.limited);
  if ('failure' in result) throw await platformTrouble(result.failure, 'paymentNotificationCreate');
  return json<CreatedPaymentNotice>({
    notice_code: result.code,
    url: hostedPage(base, '/phs/yonlendir/', result.code, returns),
  });
}
