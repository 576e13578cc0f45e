/** Finds the offers that pages name. */

import type {Config} from '../config/config.ts';
import type {Offer} from '../config/offers.ts';
import {ApiError} from '../http/errors.ts';
import {log} from '../lib/log.ts';

/**
 * Finds an offer.
 * @throws {ApiError} `misconfigured` if the offer's configuration is wrong, which is also logged, for the operator;
 * `unknown_offer` if there is no such offer.
 */
export function requireOffer({offers, unusableOffers}: Config, name: string): Offer {
  const offer = offers.get(name);
  if (offer) return offer;
  const wrong = unusableOffers.names.has(name) ? [`OFFERS.${name}`] : unusableOffers.variables;
  if (wrong.length === 0) throw new ApiError('unknown_offer');
  log('error', 'misconfigured', {names: wrong});
  throw new ApiError('misconfigured');
}

/** Says which offers cannot be sold, for `/health`. The doctor says why, to callers with the merchant API key. */
export function describeUnusableOffers({unusableOffers: {names, variables}}: Config): string[] {
  const wrong = [...names, ...variables.map((variable) => `all offers of ${variable}`)];
  return wrong.length === 0
    ? []
    : [`Pages cannot sell ${wrong.join(', ')}, because the configuration is wrong. The doctor says what to correct.`];
}
