/** Limits requests by the IP address that sends them. */

import type {Context} from '../context.ts';
import {clientSubnet, siteSubnet} from '../http/client-ip.ts';
import {ApiError} from '../http/errors.ts';
import {MINUTE_MS} from '../lib/durations.ts';
import {count, networkGuard} from '../objects/limits/counting.ts';

/**
 * Refuses a flood of requests from one address without waking a Durable Object. Only the rate-limit binding counts, so
 * the limit is approximate. There is no limit if `LIMITS` sets `address_sessions_per_minute` to null.
 * @param name - Name of the limit, such as `pins`.
 * @param subnet - The result of `clientSubnet` or `siteSubnet`.
 * @throws {ApiError} `rate_limited`
 */
export async function limitRequests(name: string, subnet: string, {config, addressRate}: Context): Promise<void> {
  if (config.limits.addressSessionsPerMinute === null) return;
  const {success} = await addressRate.limit({key: `${name} ${subnet}`});
  if (!success) throw new ApiError('rate_limited', {retryAfterSeconds: 60, limit: 'address_sessions_per_minute'});
}

/**
 * Refuses a flood of requests that carry a session. The limit of the binding `READ_RATE` is higher than the limit of
 * `limitRequests`, because a page whose socket cannot connect reads its payment every few seconds.
 * @throws {ApiError} `rate_limited`
 */
export async function limitReads(request: Request, {config, readRate}: Context): Promise<void> {
  if (config.limits.addressSessionsPerMinute === null) return;
  const {success} = await readRate.limit({key: `reads ${clientSubnet(request)}`});
  if (!success) throw new ApiError('rate_limited', {retryAfterSeconds: 60, limit: 'address_sessions_per_minute'});
}

/** The limit of the binding in `wrangler.toml`. The Worker cannot read it from the binding. A test compares the two. */
const BINDING_LIMIT_PER_MINUTE = 300;

/**
 * Limits how many sessions one address may open. The rate-limit binding refuses a flood without waking a Durable
 * Object; the `Guard` then counts exactly. If `LIMITS` allows more than the binding does, only the `Guard` counts.
 * @throws {ApiError} `rate_limited` with the seconds to wait.
 */
export async function limitSessions(request: Request, {config, objects, addressRate}: Context): Promise<void> {
  const limit = config.limits.addressSessionsPerMinute;
  if (limit === null) return;
  const subnet = clientSubnet(request);
  const isFlooding = limit <= BINDING_LIMIT_PER_MINUTE && !(await addressRate.limit({key: subnet})).success;
  const sessionLimit = 'address_sessions_per_minute';
  if (isFlooding) throw new ApiError('rate_limited', {retryAfterSeconds: 60, limit: sessionLimit});
  const sessions = {name: `sessions ${subnet}`, windowMs: MINUTE_MS, limit};
  const counted = await count(objects, networkGuard(subnet), [sessions]);
  if (counted.full !== undefined)
    throw new ApiError('rate_limited', {retryAfterSeconds: counted.retryAfterSeconds, limit: sessionLimit});
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
