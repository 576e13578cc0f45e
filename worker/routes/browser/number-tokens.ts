/** Limits how many number tokens an attacker can guess. */

import {clientSubnet, providerSubnet, siteSubnet} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {HOUR_MS} from '../../lib/durations.ts';
import {atMost} from '../../objects/limits/guard-rules.ts';
import type {GuardResult, GuardTicket} from '../../objects/limits/guard.ts';
import type {BrowserContext} from './handler.ts';

/**
 * The part of a product's limit of invalid tokens that one provider subnet may use. Thus one subnet cannot switch
 * one-click off for all shoppers of the product.
 */
const PROVIDER_SUBNET_SHARE = 0.1;

/**
 * Calls `use` with a number token, and limits invalid tokens: for the address, for its provider subnet and for the
 * product. Valid tokens do not count, because many shoppers share one address of a mobile network. Above the limit of
 * the provider subnet, one-click is off for this subnet for the rest of the hour. Above the limit of the product,
 * one-click is off for all shoppers of the product. Shoppers can then subscribe with a PIN.
 * @throws {ApiError} `one_click_off`, `number_token_invalid`, `rate_limited`, and the errors of `use`.
 */
export async function withNumberToken<T>(
  token: string,
  request: Request,
  {config, objects, session}: BrowserContext<'subscription'>,
  use: (token: string) => Promise<T>,
): Promise<T> {
  if (!config.oneClick) throw new ApiError('one_click_off');
  if (!/^\d{1,20}$/.test(token)) throw new ApiError('number_token_invalid');
  const subnet = clientSubnet(request);
  const {product} = session;
  const {addressTokensPerHour: perAddress, productTokensPerHour: perProduct} = config.limits;
  const tickets: GuardTicket[] = [];
  const acquire = async (key: string, limit: number | null): Promise<GuardResult | null> => {
    if (limit === null) return null;
    const guard = await objects.guard(key);
    const permit = await guard.acquire([atMost(Math.ceil(limit), HOUR_MS)]);
    if (permit.allowed && permit.permitId !== null && guard.name !== undefined)
      tickets.push({guard: guard.name, permitId: permit.permitId});
    return permit;
  };
  const release = () => Promise.all(tickets.map(({guard, permitId}) => objects.guardNamed(guard).release(permitId)));

  // Every token counts until the platform has accepted it, so that concurrent guesses cannot pass the limits.
  const [ofAddress, ...shared] = await Promise.all([
    acquire(`number tokens ${siteSubnet(subnet)}`, perAddress),
    acquire(
      `number tokens of ${product} in ${providerSubnet(subnet)}`,
      perProduct === null ? null : perProduct * PROVIDER_SUBNET_SHARE,
    ),
    acquire(`number tokens of ${product}`, perProduct),
  ]);
  const isOff = shared.some((permit) => permit?.allowed === false);
  if (isOff || ofAddress?.allowed === false) {
    await release();
    if (ofAddress?.allowed === false)
      throw new ApiError('rate_limited', {...ofAddress, limit: 'address_tokens_per_hour'});
    throw new ApiError('one_click_off', {limit: 'product_tokens_per_hour'});
  }
  try {
    const result = await use(token);
    await release();
    return result;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'number_token_invalid')) await release();
    throw error;
  }
}
