import type {Config} from '../../config/config.ts';
import type {Handoff, HandoffPreview, RedeemedSession} from '../../contract/browser/answers.ts';
import type {HandoffRequest, RedeemRequest} from '../../contract/browser/requests.ts';
import type {Localized} from '../../contract/fields.ts';
import {ApiError} from '../../http/errors.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {HandoffClaim} from '../../objects/order/handoffs.ts';
import type {Order} from '../../objects/order/order.ts';
import type {RouteContext} from '../route.ts';
import type {BrowserContext} from './handler.ts';

/**
 * POST /v1/handoffs: a code for the QR that opens this order on a phone. Single use, ten minutes. A session that only
 * reads came from one itself and makes none: who was shown an order once does not hand it on.
 */
export async function createHandoff(_input: object, context: BrowserContext<'creating'>): Promise<Handoff> {
  const {terms, origin, readUntil, offer} = context.session;
  const {service, order, hours} = terms;
  const handoff = await context.objects.order(service, order).createHandoff({origin, readUntil, offer, hours});
  if (!handoff) throw new ApiError('not_found');
  const code = formatHandoffCode({secret: handoff.secret, service, order});
  return {code, expires_at: formatInstant(handoff.expiresAt)};
}

/**
 * POST /v1/handoffs/preview: what a hand-off brings, without using it up, so that a page can ask before it opens what
 * somebody sent.
 */
export async function previewHandoff(
  input: HandoffRequest,
  context: RouteContext,
  request: Request,
): Promise<HandoffPreview> {
  const {object, claim} = findHandoff(input, context, request);
  const {offer, amount} = requireValidHandoff(await object.previewHandoff(claim));
  return {
    title: offerTitle(offer, context.config),
    amount: formatAmount(amount),
    currency: 'TRY',
  };
}

/** POST /v1/handoffs/redeem: a session of the same order on this device, which reads and creates nothing. */
export async function redeemHandoff(
  input: RedeemRequest,
  context: RouteContext,
  request: Request,
): Promise<RedeemedSession> {
  const {service, order, object, claim} = findHandoff(input, context, request);
  const {amount, hours, readUntil, offer} = requireValidHandoff(await object.redeemHandoff(claim));
  const {origin} = claim;
  const session = {
    kind: 'payment',
    origin,
    terms: {service, order, amount, hours},
    createUntil: 0,
    readUntil,
    offer,
  } as const;
  return {
    token: await context.sessions.sign(session),
    kind: 'payment',
    order,
    title: offerTitle(offer, context.config),
    amount: formatAmount(amount),
    currency: 'TRY',
    read_until: formatInstant(readUntil),
  };
}

interface RequestedHandoff extends HandoffCode {
  readonly object: DurableObjectStub<Order>;
  /** What the order compares before it gives anything. */
  readonly claim: HandoffClaim;
}

/** The hand-off a page asks about, and the order it belongs to. @throws {ApiError} `handoff_invalid` where it can be none. */
export function findHandoff(
  {code, offer, attempt}: RedeemRequest,
  context: RouteContext,
  request: Request,
): RequestedHandoff {
  const handoff = parseHandoffCode(code);
  if (!handoff || !context.config.services.has(handoff.service)) throw new ApiError('handoff_invalid');
  const {service, order, secret} = handoff;
  const origin = request.headers.get('origin') ?? '';
  return {...handoff, object: context.objects.order(service, order), claim: {secret, origin, offer, attempt}};
}

/** What the order gave. @throws {ApiError} `handoff_invalid` where it gave nothing. */
export function requireValidHandoff<T>(found: T | null): T {
  if (found === null) throw new ApiError('handoff_invalid');
  return found;
}

/** What is sold, in words; null where a merchant's server made the session. */
export function offerTitle(offer: string | undefined, {offers}: Config): Localized | null {
  return (offer && offers.get(offer)?.title) || null;
}

/** A hand-off code names its order, so that no list of them is needed: `<secret>/<service>/<order>`. */
export interface HandoffCode {
  readonly secret: string;
  readonly service: string;
  /** The merchant's reference; it may hold any character. */
  readonly order: string;
}

export function formatHandoffCode({secret, service, order}: HandoffCode): string {
  return [secret, encodeURIComponent(service), encodeURIComponent(order)].join('/');
}

/** Null when it is no hand-off code. */
export function parseHandoffCode(text: string): HandoffCode | null {
  const [secret, service, order, ...rest] = text.split('/');
  if (!secret || !service || !order || rest.length > 0) return null;
  try {
    return {secret, service: decodeURIComponent(service), order: decodeURIComponent(order)};
  } catch {
    return null;
  }
}
