import type {Context} from '../context.ts';
import {clientSubnet, siteSubnet} from '../http/client-ip.ts';
import {ApiError} from '../http/errors.ts';
import {MINUTE_MS} from '../lib/durations.ts';
import {atMost} from '../objects/limits/guard-rules.ts';

/**
 * Turns away a flood from one address before an object is woken: approximately, by the binding alone, and where
 * addresses are limited at all.
 * @param subnet as `clientSubnet` or `siteSubnet` names it.
 * @throws {ApiError} `rate_limited`
 */
export async function limitRequests(what: string, subnet: string, {config, addressRate}: Context): Promise<void> {
  if (config.limits.addressSessionsPerMinute === null) return;
  const {success} = await addressRate.limit({key: `${what} ${subnet}`});
  if (!success) throw new ApiError('rate_limited', {retryAfterSeconds: 60});
}

/** What `wrangler.toml` says of the binding, which cannot be asked. */
const BINDING_LIMIT_PER_MINUTE = 300;

/**
 * Bounds how many sessions one address makes. The rate-limit binding turns a flood away without waking an
 * object; the `Guard` counts exactly. A limit that is wider than the binding's is the `Guard`'s alone: the
 * binding would cut it short.
 * @throws {ApiError} `rate_limited` with the seconds to wait.
 */
export async function limitSessions(request: Request, {config, objects, addressRate}: Context): Promise<void> {
  const limit = config.limits.addressSessionsPerMinute;
  if (limit === null) return;
  const subnet = clientSubnet(request);
  const isFlooding = limit <= BINDING_LIMIT_PER_MINUTE && !(await addressRate.limit({key: subnet})).success;
  if (isFlooding) throw new ApiError('rate_limited', {retryAfterSeconds: 60});
  const permit = await (await objects.guard(`sessions ${subnet}`)).acquire([atMost(limit, MINUTE_MS)]);
  if (!permit.allowed) throw new ApiError('rate_limited', {retryAfterSeconds: permit.retryAfterSeconds});
}

/**
 * Charges a call of a hook to its address: an IPv6 sender by its /48, whose 65,536 networks would otherwise have as many limits.
 * @throws {ApiError} `rate_limited`
 */
export async function limitHook(request: Request, context: Context, charges = 1): Promise<void> {
  const address = siteSubnet(clientSubnet(request));
  for (let charge = 0; charge < charges; charge += 1) await limitRequests('hooks', address, context);
}
