/**
 * Whether a page may have an order made, and on which counts. See docs/decisions/005-two-walls-before-a-session.md: an
 * address has a limit a minute and a daily bound of unpaid orders, and when the service is over its cap only addresses over
 * their share are refused. Somebody who shows to be human is never refused. An order of the merchant's own server is not counted.
 */

import type {Context} from '../../context.ts';
import {providerSubnet, clientSubnet, siteSubnet} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {humanCheckOf, ORDER_ACTION} from '../../http/human-check.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import {atMost, type LimitRule} from '../../objects/limits/guard-rules.ts';
import type {UnpaidResult, UnpaidTicket} from '../../objects/limits/guard.ts';
import type {PaymentSession} from '../../session.ts';

const RETAINED_RULE: LimitRule = {kind: 'kept', windowMs: MINUTE_MS};
/** An address may come back then: a payment makes room at any time. */
const RETRY_AFTER_SECONDS = 60;
/** One /64 has at most a quarter of what its /48 has. */
const CLIENT_SUBNET_SHARE = 1 / 4;
/** When the service is over its cap an address has half of the cap, and a /16 or an IPv6 /32 four times an address's daily bound. */
const ADDRESS_SHARE_OF_CAP = 1 / 2;
const PROVIDER_SUBNET_MULTIPLE = 4;

/** One count of unpaid orders. */
interface UnpaidLimit {
  readonly key: string;
  /** Null where it only counts once the service is over its cap. */
  readonly limit: number | null;
}

/**
 * Counts an order everywhere it counts.
 * @param human token of the human check, where the page sent one.
 * @returns where, so that it can be given back when it is not made and made up for when it is paid.
 * @throws {ApiError} `rate_limited`, `human_check_required`, `human_check_failed`; nothing is counted by the day then.
 */
export async function admitOrder(
  session: PaymentSession,
  human: string | undefined,
  request: Request,
  context: Context,
): Promise<UnpaidTicket[]> {
  // Strangers make sessions from offers only: the merchant's server vouches for its own.
  if (session.offer === undefined) return [];
  const {service, order} = session.terms;
  const {
    addressOrdersPerMinute: perMinute,
    addressUnpaidOrdersPerDay: perDay,
    serviceOrdersPerMinute: cap,
  } = context.config.limits;
  const {objects} = context;
  const subnet = clientSubnet(request);
  const address = await objects.guard(`orders ${service} ${subnet}`);
  const minute = await address.acquire([perMinute === null ? RETAINED_RULE : atMost(perMinute, MINUTE_MS)], order);

  const tickets: UnpaidTicket[] = [];
  const acquire = async (key: string, limit: number | null): Promise<UnpaidResult> => {
    const guard = await objects.guard(key);
    const result = await guard.acquireUnpaid(limit);
    if (result.allowed && guard.name !== undefined) tickets.push({guard: guard.name, hour: result.hour});
    return result;
  };
  const isOverShare = async (providerResult: UnpaidResult | undefined): Promise<boolean> => {
    if (cap === null) return false;
    const result = await (await objects.guard(`orders ${service}`)).acquire([atMost(cap, MINUTE_MS)], order);
    if (result.allowed) return false;
    // This order is among those of the address already.
    const hasShare = await address.allows(atMost(Math.ceil(cap * ADDRESS_SHARE_OF_CAP) + 1, MINUTE_MS));
    return (
      !hasShare ||
      (perDay !== null && providerResult !== undefined && providerResult.unpaid >= perDay * PROVIDER_SUBNET_MULTIPLE)
    );
  };

  const limits = perDay === null ? [] : unpaidLimits(service, subnet, perDay);
  try {
    const results = await Promise.all(limits.map(({key, limit}) => acquire(key, limit)));
    const isFull = results.some(({allowed}) => !allowed);
    const retryAfterSeconds = !minute.allowed
      ? minute.retryAfterSeconds
      : isFull || (await isOverShare(results.at(-1)))
        ? RETRY_AFTER_SECONDS
        : null;
    if (retryAfterSeconds !== null) {
      const checkHuman = humanCheckOf(request, {human, action: ORDER_ACTION}, context.config.turnstile);
      if (!checkHuman) throw new ApiError('rate_limited', {retryAfterSeconds});
      const refused = await checkHuman();
      if (refused) throw new ApiError(refused);
      await Promise.all(limits.map(({key}, index) => results[index]?.allowed === false && acquire(key, null)));
    }
    return tickets;
  } catch (error) {
    await releaseUnpaidTickets(tickets, context);
    throw error;
  }
}

/** The order was not made. */
export async function releaseUnpaidTickets(tickets: readonly UnpaidTicket[], {objects}: Context): Promise<void> {
  await Promise.all(tickets.map(({guard, hour}) => objects.guardNamed(guard).releaseUnpaid(hour)));
}

/** The last one is the neighbourhood's. */
function unpaidLimits(service: string, subnet: string, perDay: number): UnpaidLimit[] {
  const [site, key] = [siteSubnet(subnet), (counted: string) => `unpaid orders ${service} ${counted}`];
  return [
    ...(site === subnet ? [] : [{key: key(subnet), limit: Math.ceil(perDay * CLIENT_SUBNET_SHARE)}]),
    {key: key(site), limit: perDay},
    {key: key(providerSubnet(subnet)), limit: null},
  ];
}
