import {ApiError} from '../../api-error.ts';
import {HandoffRequest, type RedeemedSession} from '../../contract/browser.ts';
import {formatInstant} from '../../instant.ts';
import {formatAmount} from '../../money.ts';
import {json, readJson} from '../json.ts';
import type {RouteContext} from '../routes.ts';
import {parseHandoff} from './handoff-code.ts';
import {limitAddress} from './limit-address.ts';

/** POST /v1/handoffs/redeem: a session of the same order on this device, which reads and creates nothing. */
export async function redeemHandoff(request: Request, context: RouteContext): Promise<Response> {
  await limitAddress(request, context);
  const {code} = await readJson(request, HandoffRequest);
  const handoff = parseHandoff(code);
  if (!handoff || !context.config.services.has(handoff.service)) throw new ApiError('handoff_invalid');
  const {service, order, secret} = handoff;
  const origin = request.headers.get('origin') ?? '';
  const redeemed = await context.objects.order(service, order).redeemHandoff(secret, origin);
  if (!redeemed) throw new ApiError('handoff_invalid');

  const {amount, hours, readUntil, offer} = redeemed;
  const session = {kind: 'payment', origin, terms: {service, order, amount, hours}, createUntil: 0, readUntil, offer} as const;
  return json<RedeemedSession>(
    {
      token: await context.sessions.sign(session),
      kind: 'payment',
      order,
      title: (offer && context.config.offers.get(offer)?.title) || null,
      amount: formatAmount(amount),
      currency: 'TRY',
      read_until: formatInstant(readUntil),
    },
    {status: 201},
  );
}
