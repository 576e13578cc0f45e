/** Limits requests by the IP address that sends them. */

import type {Context} from '../context.ts';
import {clientSubnet, siteSubnet} from '../http/client-ip.ts';
import {ApiError} from '../http/errors.ts';
import {count, counterOf, networkGuard} from '../objects/limits/counting.ts';
import type {RouteContext} from './route.ts';

/** The limit of the binding `ADDRESS_RATE`. */
export const ADDRESS_RATE_PER_MINUTE = 300;

/**
 * Refuses a flood of requests from one address without waking a Durable Object. Only the rate-limit binding counts, so
 * the limit is approximate. There is no limit if `LIMITS` sets `address_sessions_per_minute` to null.
 * @param name - Name of the limit, such as `pins`.
 * @param subnet - The result of `clientSubnet` or `siteSubnet`.
 * @throws {ApiError} `rate_limited`
 */
export async function limitRequests(name: string, subnet: string, context: Context): Promise<void> {
  await refuseFlood(context.addressRate, `${name} ${subnet}`, context);
}

/**
 * Refuses a flood of requests that carry a session. The limit of the binding `READ_RATE` is higher than the limit of
 * `limitRequests`, because a page whose socket cannot connect reads its payment every few seconds.
 * @throws {ApiError} `rate_limited`
 */
export async function limitReads(context: RouteContext): Promise<void> {
  await refuseFlood(context.readRate, `reads ${context.subnet}`, context);
}

/**
 * Refuses a flood of POST requests from one IPv6 /48, whose 65,536 addresses (/64) all call one `Guard`. Reads are not
 * counted: they call no `Guard`, and many shoppers may share a /48. An IPv4 /16 shares a `Guard` without such a limit:
 * docs/security.md says what this costs.
 * @throws {ApiError} `rate_limited`
 */
export async function limitSite(context: RouteContext): Promise<void> {
  const {subnet} = context;
  const site = siteSubnet(subnet);
  if (site !== subnet) await refuseFlood(context.readRate, `site ${site}`, context);
}

/**
 * Limits how many sessions one address may open. The rate-limit binding refuses a flood without waking a Durable
 * Object; the `Guard` then counts exactly, as long as it stays in memory. If `LIMITS` allows more than the binding does,
 * only the `Guard` counts. The Worker cannot read the binding's limit; a test compares `wrangler.toml` with this file.
 * @throws {ApiError} `rate_limited` with the seconds to wait.
 */
export async function limitSessions(context: RouteContext): Promise<void> {
  const {config, subnet} = context;
  const limit = config.limits.addressSessionsPerMinute;
  if (limit === null) return;
  if (limit <= ADDRESS_RATE_PER_MINUTE) await refuseFlood(context.addressRate, subnet, context);
  const counted = await count(context.objects, networkGuard(subnet), [
    counterOf('address_sessions_per_minute', subnet, limit),
  ]);
  if (counted.full !== undefined) throw rateLimited(counted.retryAfterSeconds);
}

/**
 * Counts a notification towards the limit of the address that sends it. An IPv6 address counts by its /48: if it
 * counted by its /64, one sender would have 65,536 limits.
 * @param requests - The number of requests that the notification counts as.
 * @throws {ApiError} `rate_limited`
 */
export async function limitHook(request: Request, context: Context, requests = 1): Promise<void> {
  const address = siteSubnet(clientSubnet(request));
  for (let counted = 0; counted < requests; counted += 1) await limitRequests('hooks', address, context);
}

/** Asks a rate-limit binding, unless `LIMITS` turns the bindings off. */
async function refuseFlood(rate: RateLimit, key: string, {config}: Context): Promise<void> {
  if (config.limits.addressSessionsPerMinute === null) return;
  const {success} = await rate.limit({key});
  if (!success) throw rateLimited(60);
}

function rateLimited(retryAfterSeconds: number): ApiError {
  return new ApiError('rate_limited', {retryAfterSeconds, limit: 'address_sessions_per_minute'});
}
