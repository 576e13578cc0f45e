/**
 * Decides whether a page may create an order, and counts the order; see docs/decisions/order-limits.md. Every IP
 * address has a limit of orders per minute and a limit of unpaid orders per day. While the service is over its cap,
 * only IP addresses that are over their share are refused. A shopper who passes the human check is never refused.
 * Orders of the merchant's own server are not counted.
 */

import type {Limits} from '../../config/limits.ts';
import type {Context} from '../../context.ts';
import {providerSubnet, siteSubnet} from '../../http/client-ip.ts';
import type {HumanCheck, HumanCheckRefusal} from '../../http/human-check.ts';
import type {SharedLimit} from '../../http/refusal-reporter.ts';
import {allSettledOrThrow} from '../../lib/async.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import type {Objects} from '../../objects.ts';
import type {OrderTerms} from '../../session.ts';
import {atMost, type LimitRule} from '../limits/guard-rules.ts';
import type {Guard, UnpaidResult, UnpaidTicket} from '../limits/guard.ts';
import type {OrderRecord} from './order-state.ts';

/** What the limits know about a page that has a public session. Anybody can create such a session. */
export interface OrderCaller {
  /** The subnet of the page's IP address, as `clientSubnet` returns it. */
  readonly subnet: string;
  readonly limits: Pick<Limits, 'addressOrdersPerMinute' | 'addressUnpaidOrdersPerDay' | 'serviceOrdersPerMinute'>;
  /** Null when no human check is configured. An order above a limit is then refused. */
  readonly checkHuman: HumanCheck | null;
}

export type OrderRefusal =
  /** `limit` is missing if the limit applies to this order alone. */
  | {readonly limited: {readonly retryAfterSeconds: number; readonly limit?: SharedLimit}}
  | {readonly refused: HumanCheckRefusal};

export function isOrderRefusal(result: object): result is OrderRefusal {
  return 'limited' in result || 'refused' in result;
}

/**
 * The counters that counted an order. If the order is not created, the counters are released. If the order is paid, the
 * counters are credited.
 */
export interface OrderAdmission {
  readonly unpaid: readonly UnpaidTicket[];
}

const RETAINED_RULE: LimitRule = {kind: 'kept', windowMs: MINUTE_MS};
/**
 * Retry delay if a limit other than the limit per minute of an IP address refuses an order. It is short, because a
 * payment may make room at any time.
 */
const RETRY_AFTER_SECONDS = 60;
/** An IPv6 /64 may use at most a quarter of the limit of its /48. */
const CLIENT_SUBNET_SHARE = 1 / 4;
/** The share of the cap that one IP address may use while the service is over its cap. */
const ADDRESS_SHARE_OF_CAP = 1 / 2;
/**
 * While the service is over its cap, a provider subnet (IPv4 /16, IPv6 /32) is refused at this many times the daily
 * limit of one IP address.
 */
const PROVIDER_SUBNET_MULTIPLE = 4;

/**
 * Counts a new order in every counter that applies, before the order is created. The caller stores the returned
 * tickets. If the order is not created, the caller releases them. When the order is paid, `Order` credits the counters.
 * An order that has a code or was counted before is never refused. A refused order does not count towards the daily
 * limits.
 * @param caller - Null for the merchant's own server, whose orders are not counted.
 */
export async function admitOrder(
  {objects}: Pick<Context, 'objects'>,
  record: OrderRecord | null,
  terms: OrderTerms,
  caller: OrderCaller | null,
): Promise<OrderAdmission | OrderRefusal> {
  const isNew = !record?.code && record?.unpaid === undefined;
  return caller !== null && isNew ? countOrder(objects, terms, caller) : {unpaid: []};
}

/** Releases the counters of an order that was not created. */
export async function releaseOrder(
  {objects}: Pick<Context, 'objects'>,
  unpaid: readonly UnpaidTicket[],
): Promise<void> {
  await Promise.all(unpaid.map(({guard, hour}) => objects.guardNamed(guard).releaseUnpaid(hour)));
}

async function countOrder(
  objects: Objects,
  {service, order}: OrderTerms,
  {subnet, limits, checkHuman}: OrderCaller,
): Promise<OrderAdmission | OrderRefusal> {
  const {addressOrdersPerMinute: perMinute, addressUnpaidOrdersPerDay: perDay, serviceOrdersPerMinute: cap} = limits;
  const address = await objects.guard(`orders ${service} ${subnet}`);
  const minuteRules = [perMinute === null ? RETAINED_RULE : atMost(perMinute, MINUTE_MS)];

  const unpaid: UnpaidTicket[] = [];
  const note = (guard: DurableObjectStub<Guard>, result: UnpaidResult): UnpaidResult => {
    if (result.allowed && guard.name !== undefined) unpaid.push({guard: guard.name, hour: result.hour});
    return result;
  };
  const acquire = async (guard: DurableObjectStub<Guard>, limit: number | null) =>
    note(guard, await guard.acquireUnpaid(limit));
  const isOverShare = async (providerResult: UnpaidResult | undefined): Promise<boolean> => {
    if (cap === null) return false;
    const result = await (await objects.guard(`orders ${service}`)).acquire([atMost(cap, MINUTE_MS)], order);
    if (result.allowed) return false;
    // One is added, because the counter of the IP address already includes this order.
    const hasShare = await address.allows(atMost(Math.ceil(cap * ADDRESS_SHARE_OF_CAP) + 1, MINUTE_MS));
    return (
      !hasShare ||
      (perDay !== null && providerResult !== undefined && providerResult.unpaid >= perDay * PROVIDER_SUBNET_MULTIPLE)
    );
  };

  let isAdmitted = false;
  try {
    // The guard of the address counts the orders of a minute and the unpaid orders in one call.
    // If one call fails, the counters of the others are released, so all answers are awaited.
    const [{permit, unpaid: own}, wider] = await allSettledOrThrow([
      perDay === null
        ? address.acquire(minuteRules, order).then((result) => ({permit: result, unpaid: null}))
        : address.acquireOrder(minuteRules, order, ownLimitOf(subnet, perDay)).then((result) => {
            note(address, result.unpaid);
            return result;
          }),
      allSettledOrThrow(
        wideLimitsOf(service, subnet, perDay).map(async ({key, limit}) => {
          const guard = await objects.guard(key);
          return {guard, result: await acquire(guard, limit)};
        }),
      ),
    ]);
    const results = [...(own ? [{guard: address, result: own}] : []), ...wider];
    const isFull = results.some(({result}) => !result.allowed);
    const retryAfterSeconds = !permit.allowed
      ? permit.retryAfterSeconds
      : isFull || (await isOverShare(results.at(-1)?.result))
        ? RETRY_AFTER_SECONDS
        : null;
    if (retryAfterSeconds !== null) {
      const limit = !permit.allowed
        ? 'address_orders_per_minute'
        : isFull
          ? 'address_unpaid_orders_per_day'
          : 'service_orders_per_minute';
      if (!checkHuman) return {limited: {retryAfterSeconds, limit}};
      const refused = await checkHuman();
      if (refused) return {refused};
      await allSettledOrThrow(results.map(({guard, result}) => !result.allowed && acquire(guard, null)));
    }
    isAdmitted = true;
    return {unpaid};
  } finally {
    if (!isAdmitted) await releaseOrder({objects}, unpaid);
  }
}

/** The daily limit of a subnet, whose guard counts its orders of a minute too. */
function ownLimitOf(subnet: string, perDay: number): number {
  return siteSubnet(subnet) === subnet ? perDay : Math.ceil(perDay * CLIENT_SUBNET_SHARE);
}

/**
 * The daily limits of the wider subnets. The last limit is for the provider subnet. It is null, because its counter
 * itself refuses no order: its count matters only while the service is over its cap.
 */
function wideLimitsOf(service: string, subnet: string, perDay: number | null) {
  if (perDay === null) return [];
  const [site, key] = [siteSubnet(subnet), (counted: string) => `unpaid orders ${service} ${counted}`];
  return [
    ...(site === subnet ? [] : [{key: key(site), limit: perDay}]),
    {key: key(providerSubnet(subnet)), limit: null},
  ];
}
