import type {Config} from '../../config/config.ts';
import type {HandoffRequest, RedeemRequest} from '../../contract/browser/requests.ts';
import type {Localized} from '../../contract/fields.ts';
import {ApiError} from '../../http/errors.ts';
import {readJson} from '../../http/json.ts';
import type {HandoffClaim} from '../../objects/order/handoffs.ts';
import type {Order} from '../../objects/order/order.ts';
import {limitAddress} from '../rate-limit.ts';
import type {RouteContext} from '../route.ts';
import {type HandoffCode, parseHandoff} from './handoff-code.ts';

interface AskedHandoff extends HandoffCode {
  readonly object: DurableObjectStub<Order>;
  /** What the order compares before it gives anything. */
  readonly claim: HandoffClaim;
}

/** The hand-off a page asks about, and the order it belongs to. @throws {ApiError} `handoff_invalid` where it can be none, `rate_limited`. */
export async function readHandoff(
  request: Request,
  context: RouteContext,
  schema: typeof HandoffRequest | typeof RedeemRequest,
): Promise<AskedHandoff> {
  await limitAddress(request, context);
  const asked: RedeemRequest = await readJson(request, schema);
  const {code, offer, attempt} = asked;
  const handoff = parseHandoff(code);
  if (!handoff || !context.config.services.has(handoff.service)) throw new ApiError('handoff_invalid');
  const {service, order, secret} = handoff;
  const origin = request.headers.get('origin') ?? '';
  return {...handoff, object: context.objects.order(service, order), claim: {secret, origin, offer, attempt}};
}

/** What the order gave. @throws {ApiError} `handoff_invalid` where it gave nothing. */
export function given<T>(found: T | null): T {
  if (found === null) throw new ApiError('handoff_invalid');
  return found;
}

/** What is sold, in words; null where a merchant's server made the session. */
export function titleOf(offer: string | undefined, {offers}: Config): Localized | null {
  return (offer && offers.get(offer)?.title) || null;
}
