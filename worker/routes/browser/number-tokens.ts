/** Limits how many number tokens an attacker can guess. */

import type {ErrorCode} from '../../contract/codes.ts';
import {NUMBER_TOKEN} from '../../contract/fields.ts';
import {siteSubnet} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {allSettledOrThrow} from '../../lib/async.ts';
import {describeError, log} from '../../lib/log.ts';
import {count, counterOf, networkGuard, productGuard, release, type Ticket} from '../../objects/limits/counting.ts';
import {isOrdinaryRefusal} from '../../platform/failure.ts';
import type {BrowserContext} from './handler.ts';

/**
 * The part of a product's limit of invalid tokens that one provider subnet may use. Thus one subnet cannot switch
 * one-click off for all shoppers of the product.
 */
const PROVIDER_SUBNET_SHARE = 0.1;

/** Refusals that say something about the number, so that the platform knows the number of the token. */
const ABOUT_NUMBER: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'already_subscribed',
  'billing_cap_reached',
  'daily_cap_reached',
]);

/**
 * Whether the token may be a guess. The contract does not say with which status the platform refuses a wrong token, so
 * every refusal counts that is not the platform's own trouble.
 */
function isGuess(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const {failure} = error.options;
  const isRefused = failure !== undefined && isOrdinaryRefusal(failure) && !ABOUT_NUMBER.has(error.code);
  return isRefused || error.code === 'number_token_invalid';
}

/**
 * Calls `use` with a number token, and limits invalid tokens (`isGuess`): for the address, for its provider subnet and
 * for the product. Valid tokens do not count, because many shoppers share one address of a mobile network. Above the limit of
 * the provider subnet, one-click is off for this subnet for the rest of the hour. Above the limit of the product,
 * one-click is off for all shoppers of the product. Shoppers can then subscribe with a PIN.
 * @throws {ApiError} `one_click_off`, `number_token_invalid`, `rate_limited`, and the errors of `use`.
 */
export async function withNumberToken<T>(
  token: string,
  {config, objects, session, subnet}: BrowserContext<'subscription'>,
  use: (token: string) => Promise<T>,
): Promise<T> {
  if (config.oneClick === 'off') throw new ApiError('one_click_off');
  if (!NUMBER_TOKEN.test(token)) throw new ApiError('number_token_invalid');
  const {product} = session;
  const {addressTokensPerHour: perAddress, serviceTokensPerHour: perProduct} = config.limits;
  const invalid = (per: string, share: number) =>
    perProduct === null ? [] : [counterOf('service_tokens_per_hour', per, Math.ceil(perProduct * share))];
  const ofAddress = perAddress === null ? [] : [counterOf('address_tokens_per_hour', siteSubnet(subnet), perAddress)];

  // Every token counts until the platform has accepted it, so that concurrent guesses cannot pass the limits.
  const [own, all] = await allSettledOrThrow([
    count(objects, networkGuard(subnet), [...ofAddress, ...invalid(String(product), PROVIDER_SUBNET_SHARE)]),
    count(objects, productGuard(product), invalid('', 1)),
  ]);
  const tickets: Ticket[] = [own, all].flatMap((counted) => (counted.full === undefined ? [counted.ticket] : []));
  const releaseAll = () => release(objects, tickets);
  if (own.full !== undefined || all.full !== undefined) {
    await releaseAll();
    if (own.full === 0 && perAddress !== null)
      throw new ApiError('rate_limited', {retryAfterSeconds: own.retryAfterSeconds, limit: 'address_tokens_per_hour'});
    throw new ApiError('one_click_off', {limit: 'service_tokens_per_hour'});
  }
  // Released once, whatever happens: a second release would release the token of another shopper. A failed release only
  // makes a count wrong, so the shopper still gets the answer.
  let isValid = true;
  try {
    return await use(token);
  } catch (error) {
    isValid = !isGuess(error);
    throw error;
  } finally {
    // What the shopper gets does not depend on the counters.
    if (isValid)
      await releaseAll().catch((error: unknown) => log('error', 'internal_error', {error: describeError(error)}));
  }
}
