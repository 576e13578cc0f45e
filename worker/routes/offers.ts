/** Finds the offers that pages name. */

import type {Config} from '../config/config.ts';
import type {Context} from '../context.ts';
import type {Offer} from '../contract/offers.ts';
import {ApiError} from '../http/errors.ts';
import {log} from '../lib/log.ts';

/**
 * Finds an offer.
 * @throws {ApiError} `misconfigured` if the offer's configuration is wrong, which is also logged, for the operator;
 * `unknown_offer` if there is no such offer.
 */
export async function requireOffer({config}: Pick<Context, 'config'>, name: string): Promise<Offer> {
  const offer = config.offers.get(name);
  if (offer) return offer;
  throw new ApiError(logUnusable(config, name) ? 'misconfigured' : 'unknown_offer');
}

/** Logs, for the operator, that an offer's configuration is wrong. @returns whether it is. */
function logUnusable({unusableOffers: {names, variables}}: Config, name: string): boolean {
  const wrong = names.has(name) ? [`OFFERS.${name}`] : variables;
  if (wrong.length > 0) log('error', 'misconfigured', {names: wrong});
  return wrong.length > 0;
}

/** Says which offers cannot be sold, for `/health`. The doctor says why, to callers with the merchant API key. */
export function describeUnusableOffers({unusableOffers: {names, variables, pages}}: Config): string[] {
  const wrong = [
    ...names,
    ...variables.map((variable) => `all offers of ${variable}`),
    ...(pages === null ? [] : ['anything on payment pages']),
  ];
  return wrong.length === 0
    ? []
    : [`Pages cannot sell ${wrong.join(', ')}, because the configuration is wrong. The doctor says what to correct.`];
}
