/**
 * Whether a page may have an order made, and on which counts. See docs/decisions/005-two-walls-before-a-session.md: an
 * address has a limit a minute and a daily bound of unpaid orders, and when the service is over its cap only addresses over
 * their share are refused. Somebody who shows to be human is never refused. An order of the merchant's own server is not counted.
 */

import type {Context} from '../../context.ts';
import {providerSubnet, clientSubnet, siteOf} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {atMost, type LimitRule} from '../../objects/limits/guard-rules.ts';
import type {UnpaidTaken, UnpaidTicket} from '../../objects/limits/guard.ts';
import type {PaymentSession} from '../../session.ts';
import {checkHuman} from './human-check.ts';

/** What a page renders the human check with before an order; a token made for anything else is refused. */
export const ORDER_ACTION = 'order';

const MINUTE_MS = 60_000;
const KEPT: LimitRule = {kind: 'kept', windowMs: MINUTE_MS};
/** An address may come back then: a payment makes room at any time. */
const RETRY_SECONDS = 60;
/** One /64 has at most a quarter of what its /48 has. */
const NETWORK_SHARE = 1 / 4;
/** When the service is over its cap an address has half of the cap, and a /16 or an IPv6 /32 four times an address's daily bound. */
const CROWDED_ADDRESS_SHARE = 1 / 2;
const CROWDED_NEIGHBOURHOOD_SHARE = 4;

/** One count of unpaid orders. */
interface Count {
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
  const network = clientSubnet(request);
  const address = await objects.guard(`orders ${service} ${network}`);
  const minute = await address.acquire([perMinute === null ? KEPT : atMost(perMinute, MINUTE_MS)], order);

  const tickets: UnpaidTicket[] = [];
  const take = async (key: string, limit: number | null): Promise<UnpaidTaken> => {
    const guard = await objects.guard(key);
    const taken = await guard.takeUnpaid(limit);
    if (taken.allowed && guard.name !== undefined) tickets.push({guard: guard.name, hour: taken.hour});
    return taken;
  };
  const isOverShare = async (hereabouts: UnpaidTaken | undefined): Promise<boolean> => {
    if (cap === null) return false;
    const taken = await (await objects.guard(`orders ${service}`)).acquire([atMost(cap, MINUTE_MS)], order);
    if (taken.allowed) return false;
    // This order is among those of the address already.
    const hasShare = await address.allows(atMost(Math.ceil(cap * CROWDED_ADDRESS_SHARE) + 1, MINUTE_MS));
    return (
      !hasShare ||
      (perDay !== null && hereabouts !== undefined && hereabouts.unpaid >= perDay * CROWDED_NEIGHBOURHOOD_SHARE)
    );
  };

  const counts = perDay === null ? [] : countsOf(service, network, perDay);
  try {
    const taken = await Promise.all(counts.map(({key, limit}) => take(key, limit)));
    const isFull = taken.some(({allowed}) => !allowed);
    const refused = !minute.allowed
      ? minute.retryAfterSeconds
      : isFull || (await isOverShare(taken.at(-1)))
        ? RETRY_SECONDS
        : null;
    if (refused !== null) {
      const {turnstile} = context.config;
      if (!turnstile) throw new ApiError('rate_limited', {retryAfterSeconds: refused});
      await checkHuman(turnstile, {human, action: ORDER_ACTION}, request);
      await Promise.all(counts.map(({key}, index) => taken[index]?.allowed === false && take(key, null)));
    }
    return tickets;
  } catch (error) {
    await giveBackUnpaid(tickets, context);
    throw error;
  }
}

/** The order was not made. */
export async function giveBackUnpaid(tickets: readonly UnpaidTicket[], {objects}: Context): Promise<void> {
  await Promise.all(tickets.map(({guard, hour}) => objects.guardNamed(guard).giveBackUnpaid(hour)));
}

/** The last one is the neighbourhood's. */
function countsOf(service: string, network: string, perDay: number): Count[] {
  const [site, key] = [siteOf(network), (place: string) => `unpaid orders ${service} ${place}`];
  return [
    ...(site === network ? [] : [{key: key(network), limit: Math.ceil(perDay * NETWORK_SHARE)}]),
    {key: key(site), limit: perDay},
    {key: key(providerSubnet(network)), limit: null},
  ];
}
