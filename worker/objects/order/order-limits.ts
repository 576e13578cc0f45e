/**
 * Decides whether a page may create an order, and counts the order; see docs/decisions/order-limits.md. The guard of the
 * page's network counts the orders of the page's address and of the network; the guard of the service counts all orders
 * of a minute. A shopper who passes the human check is never refused. Orders of the merchant's own server are not
 * counted.
 */

import type {Limits, SharedLimit} from '../../config/limits.ts';
import type {Context} from '../../context.ts';
import {providerSubnet, siteSubnet} from '../../http/client-ip.ts';
import type {HumanCheck, HumanCheckRefusal} from '../../http/human-check.ts';
import {allSettledOrThrow} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import type {Objects} from '../../objects.ts';
import type {OrderTerms} from '../../session.ts';
import {confirm, count, type Counter, counterOf, networkGuard, release, type Ticket} from '../limits/counting.ts';
import {type ClosedBill, closedBill} from './bill.ts';
import type {OrderRecord} from './order-state.ts';

/** What the limits know about a page that has a public session. Anybody can create such a session. */
export interface OrderCaller {
  /** The subnet of the page's IP address, as `clientSubnet` returns it. */
  readonly subnet: string;
  readonly limits: Pick<Limits, 'addressUnpaidOrdersPerDay' | 'serviceOrdersPerMinute'>;
  /** As of `limitSessions`, if the order opens a session, else null. Only the order knows that a retry opens none. */
  readonly sessionsPerMinute: number | null;
  /** Null when no human check is configured. An order above a limit is then refused. */
  readonly checkHuman: HumanCheck | null;
}

export type OrderRefusal =
  /** `limit` is missing if the limit applies to this order alone. */
  | {readonly limited: {readonly retryAfterSeconds: number; readonly limit?: SharedLimit}}
  | {readonly refused: HumanCheckRefusal | ClosedBill['closed']};

export function isOrderRefusal(result: object): result is OrderRefusal {
  return 'limited' in result || 'refused' in result;
}

/** Where an order was counted. If the order is not created, it is released; if it is paid, it is confirmed. */
export interface OrderAdmission {
  readonly unpaid: readonly Ticket[];
}

/** Retry delay of a refused order. It is short, because a payment may make room at any time. */
const RETRY_AFTER_SECONDS = 60;
/**
 * With a human check, the unpaid orders of an address above which it is asked for: a check costs a shopper little, so it is
 * asked for long before an order would be refused.
 */
const UNCHECKED_ORDERS_PER_DAY = 50;
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
 * Counts a new order in every counter that applies, before the order is created. The caller stores the returned ticket.
 * If the order is not created, the caller releases it. When the order is paid, `Order` confirms it. An order that has a
 * code or was counted before is never refused. A refused order counts towards nothing. The order of a bill is created
 * once.
 * @param caller - Null for the merchant's own server, whose orders are not counted.
 */
export async function admitOrder(
  {objects}: Pick<Context, 'objects'>,
  record: OrderRecord | null,
  terms: OrderTerms,
  caller: OrderCaller | null,
): Promise<OrderAdmission | OrderRefusal> {
  const closed = terms.shared && !record ? await closedBill(objects, terms) : null;
  if (closed) return {refused: closed.closed};
  const isNew = !record?.code && record?.unpaid === undefined;
  return caller !== null && isNew ? countOrder(objects, terms, caller) : {unpaid: []};
}

/** Releases the counters of an order that was not created. */
export async function releaseOrder({objects}: Pick<Context, 'objects'>, unpaid: readonly Ticket[]): Promise<void> {
  await release(objects, unpaid);
}

/**
 * Credits a paid order in the counters that counted it as unpaid, so that the shopper's IP address may order again. A
 * failure only makes a count wrong, so it is not repeated: an order must not be credited twice.
 */
export async function creditOrder(objects: () => Objects, tickets: readonly Ticket[], order: string): Promise<void> {
  try {
    await confirm(objects(), tickets);
  } catch (error) {
    log('warn', 'confirm_failed', {order, error: describeError(error)});
  }
}

async function countOrder(
  objects: Objects,
  {service}: OrderTerms,
  caller: OrderCaller,
): Promise<OrderAdmission | OrderRefusal> {
  const {addressUnpaidOrdersPerDay: perDay, serviceOrdersPerMinute: cap} = caller.limits;
  const network = networkGuard(caller.subnet);
  const counters = networkCounters(service, caller, true);
  const tickets: Ticket[] = [];
  let unpaid: readonly Ticket[] = [];
  const countAll = async (limit: number) => {
    const result = await count(objects, `service ${service}`, [counterOf('service_orders_per_minute', '', limit)]);
    if (result.full === undefined) tickets.push(result.ticket);
    return result;
  };
  const countOwn = async (asked: readonly Counter[]) => {
    const result = await count(objects, network, asked);
    if (result.full !== undefined) return result;
    tickets.push(result.ticket);
    if (asked.length > 1) unpaid = [result.ticket];
    return result;
  };
  let isAdmitted = false;
  try {
    // If one call fails, the other is released, so both answers are awaited.
    const [own, all] = await allSettledOrThrow([countOwn(counters), cap === null ? null : countAll(cap)]);
    const [ofAddress, ofProvider] = [own.before.at(0)?.count ?? 0, own.before.at(-1)?.count ?? 0];
    // The counter of sessions is the second.
    if (caller.sessionsPerMinute !== null && own.full === 1)
      return {limited: {retryAfterSeconds: own.retryAfterSeconds, limit: 'address_sessions_per_minute'}};
    const isOverShare =
      all?.full !== undefined &&
      cap !== null &&
      (ofAddress >= Math.ceil(cap * ADDRESS_SHARE_OF_CAP) ||
        (perDay !== null && ofProvider >= perDay * PROVIDER_SUBNET_MULTIPLE));
    const isFull = own.full !== undefined;
    if (isFull || isOverShare) {
      const limit = isFull ? 'address_unpaid_orders_per_day' : 'service_orders_per_minute';
      if (!caller.checkHuman) return {limited: {retryAfterSeconds: RETRY_AFTER_SECONDS, limit}};
      const refused = await caller.checkHuman();
      if (refused) return {refused};
      if (isFull) await countOwn(networkCounters(service, caller, false));
    }
    isAdmitted = true;
    return {unpaid};
  } finally {
    if (!isAdmitted) await release(objects, tickets);
  }
}

/**
 * The counters of the page's network: first the address's orders and sessions of a minute, last the network's orders.
 * @param mayRefuse - False after the human check, which lifts the limits.
 */
function networkCounters(service: string, caller: OrderCaller, mayRefuse: boolean): readonly Counter[] {
  const {subnet, limits, sessionsPerMinute: sessions} = caller;
  const {addressUnpaidOrdersPerDay: perDay} = limits;
  const bounded = (limit: number) => (caller.checkHuman ? Math.min(limit, UNCHECKED_ORDERS_PER_DAY) : limit);
  const site = siteSubnet(subnet);
  const unpaid = (counted: string, limit: number | null): Counter => ({
    ...counterOf('address_unpaid_orders_per_day', `${service} ${counted}`, mayRefuse ? limit : null),
    credit: 2,
  });
  return [
    counterOf('service_orders_per_minute', `${service} ${subnet}`, null),
    ...(sessions === null ? [] : [counterOf('address_sessions_per_minute', subnet, sessions)]),
    ...(perDay === null
      ? []
      : [
          ...(site === subnet ? [] : [unpaid(subnet, bounded(Math.ceil(perDay * CLIENT_SUBNET_SHARE)))]),
          unpaid(site, bounded(perDay)),
          // It refuses no order by itself: its count matters only while the service is over its cap.
          unpaid(providerSubnet(subnet), null),
        ]),
  ];
}
