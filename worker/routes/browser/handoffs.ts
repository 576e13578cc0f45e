/** Hand-offs: moving an order to a second device. */

import type {RedeemRequest} from '../../contract/browser/requests.ts';
import {ApiError} from '../../http/errors.ts';
import {formatAmount} from '../../lib/money.ts';
import {formatInstant} from '../../lib/time.ts';
import type {HandoffClaim} from '../../objects/order/handoffs.ts';
import type {Order} from '../../objects/order/order.ts';
import type {RouteContext} from '../route.ts';
import type {BrowserHandlers} from './handler.ts';
import {offeredTerms} from './payment.ts';

export const handoffHandlers = {
  /**
   * POST /v1/handoffs: creates a hand-off code. A page shows it as a QR code, which opens this order on a phone. The
   * hand-off code works once, within ten minutes. A session from a hand-off cannot create another hand-off, so a person
   * who received an order cannot pass it on.
   */
  async createHandoff(_input, context) {
    const {origin, readUntil} = context.session;
    const {service, order, hours, offer, shared} = offeredTerms(context.session);
    const handoff = await context.objects
      .order(service, order)
      .createHandoff({origin, readUntil, offer, hours, shared});
    if (!handoff) throw new ApiError('not_found');
    const code = formatHandoffCode({secret: handoff.secret, service, order});
    return {code, expires_at: formatInstant(handoff.expiresAt)};
  },

  /**
   * POST /v1/handoffs/preview: returns the order of a hand-off code without using the code up. A page shows this order
   * and asks the shopper before it opens the order, because somebody else may have sent the link.
   */
  async previewHandoff(input, context, request) {
    const {object, claim} = findHandoff(input, context, request);
    const {amount, title = null, seller} = requireValidHandoff(await object.previewHandoff(claim));
    return {
      title,
      amount: formatAmount(amount),
      currency: 'TRY',
      ...(seller && {seller}),
    };
  },

  /** POST /v1/handoffs/redeem: uses a hand-off code up, and opens a read-only session of its order for this device. */
  async redeemHandoff(input, context, request) {
    const {service, order, object, claim} = findHandoff(input, context, request);
    const {
      amount,
      title = null,
      hours,
      readUntil,
      offer,
      shared,
    } = requireValidHandoff(await object.redeemHandoff(claim));
    const {origin} = claim;
    const session = {
      kind: 'payment',
      origin,
      terms: {service, order, amount, hours, shared},
      createUntil: 0,
      readUntil,
      offer,
    } as const;
    return {
      token: await context.sessions.sign(session),
      kind: 'payment',
      order,
      title,
      amount: formatAmount(amount),
      currency: 'TRY',
      read_until: formatInstant(readUntil),
    };
  },
} satisfies Partial<BrowserHandlers>;

interface RequestedHandoff extends HandoffCode {
  readonly object: DurableObjectStub<Order>;
  /** What the order checks before it reveals anything. */
  readonly claim: HandoffClaim;
}

/** Parses a hand-off code and finds its order. @throws {ApiError} `handoff_invalid` if the code is malformed. */
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

/**
 * Returns what the order returned for a hand-off. @throws {ApiError} `handoff_invalid` if the order does not accept the
 * hand-off.
 */
export function requireValidHandoff<T>(answer: T | null): T {
  if (answer === null) throw new ApiError('handoff_invalid');
  return answer;
}

/**
 * The parts of a hand-off code: `<secret>/<service>/<order>`. The code names its order, so the Worker needs no list of
 * codes.
 */
export interface HandoffCode {
  readonly secret: string;
  readonly service: string;
  /** The merchant's reference; it may hold any character. */
  readonly order: string;
}

export function formatHandoffCode({secret, service, order}: HandoffCode): string {
  return [secret, encodeURIComponent(service), encodeURIComponent(order)].join('/');
}

/** Null if the text is not a hand-off code. */
export function parseHandoffCode(text: string): HandoffCode | null {
  const [secret, service, order, ...rest] = text.split('/');
  if (!secret || !service || !order || rest.length > 0) return null;
  try {
    return {secret, service: decodeURIComponent(service), order: decodeURIComponent(order)};
  } catch {
    return null;
  }
}
