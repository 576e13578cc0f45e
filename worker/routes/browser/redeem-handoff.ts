import type {RedeemedSession} from '../../contract/browser/answers.ts';
import {RedeemRequest} from '../../contract/browser/requests.ts';
import {json} from '../../http/json.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {RouteContext} from '../route.ts';
import {given, readHandoff, titleOf} from './handoffs.ts';

/** POST /v1/handoffs/redeem: a session of the same order on this device, which reads and creates nothing. */
export async function redeemHandoff(request: Request, context: RouteContext): Promise<Response> {
  const {service, order, object, claim} = await readHandoff(request, context, RedeemRequest);
  const {amount, hours, readUntil, offer} = given(await object.redeemHandoff(claim));
  const {origin} = claim;
  const session = {
    kind: 'payment',
    origin,
    terms: {service, order, amount, hours},
    createUntil: 0,
    readUntil,
    offer,
  } as const;
  return json<RedeemedSession>(
    {
      token: await context.sessions.sign(session),
      kind: 'payment',
      order,
      title: titleOf(offer, context.config),
      amount: formatAmount(amount),
      currency: 'TRY',
      read_until: formatInstant(readUntil),
    },
    {status: 201},
  );
}
