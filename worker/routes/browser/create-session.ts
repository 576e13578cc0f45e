import {ApiError} from '../../api-error.ts';
import {type Session, SessionRequest} from '../../contract/browser.ts';
import {formatInstant} from '../../instant.ts';
import {parseAmount} from '../../money.ts';
import {randomText} from '../../random-text.ts';
import {CREATE_MS, READ_MS} from '../../session.ts';
import {json, readJson} from '../json.ts';
import type {RouteContext} from '../routes.ts';
import {limitAddress} from './limit-address.ts';

/** POST /v1/sessions: what the page may sell is the offer's; who names it says no price. */
export async function createSession(request: Request, context: RouteContext): Promise<Response> {
  await limitAddress(request, context);
  const {offer: id} = await readJson(request, SessionRequest);
  const offer = context.config.offers.get(id);
  const amount = offer && parseAmount(offer.amount);
  if (!offer || !amount) throw new ApiError('unknown_offer');

  const now = Date.now();
  const order = `VZ${randomText(16)}`;
  const terms = {service: offer.service, order, amount, hours: offer.hours};
  const origin = request.headers.get('origin') ?? '';
  const session = {kind: 'payment', origin, terms, createUntil: now + CREATE_MS, readUntil: now + READ_MS, offer: id} as const;
  return json<Session>(
    {
      token: await context.sessions.sign(session),
      kind: 'payment',
      order,
      title: offer.title,
      amount: offer.amount,
      currency: 'TRY',
      create_until: formatInstant(session.createUntil),
      read_until: formatInstant(session.readUntil),
      hours: offer.hours,
    },
    {status: 201},
  );
}
