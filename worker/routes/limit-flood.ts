import type {Context} from '../context.ts';
import {networkOf} from '../http/client-ip.ts';
import {ApiError} from '../http/errors.ts';

/**
 * Turns away a flood from one address before an object is woken: approximately, by the binding alone, and where
 * addresses are limited at all.
 * @throws {ApiError} `rate_limited`
 */
export async function limitFlood(what: string, request: Request, {config, addressRate}: Context): Promise<void> {
  if (config.limits.addressSessionsPerMinute === null) return;
  const {success} = await addressRate.limit({key: `${what} ${networkOf(request)}`});
  if (!success) throw new ApiError('rate_limited', {retryAfterSeconds: 60});
}
