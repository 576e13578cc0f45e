/** Valid bindings of a real platform, and what is wrong with bindings that are not. */

import {expect} from 'vitest';
import {readConfig} from '../../../../worker/config/config.ts';
import {ConfigError} from '../../../../worker/config/mistakes.ts';

export const gold = {kind: 'payment' as const, service: 'KTP', amount: '149.90', title: {tr: 'Lamba', en: 'Lamp'}};
export const club = {
  kind: 'subscription',
  product: 77,
  price: '12.00',
  period: 'weekly',
  title: {tr: 'Kulüp', en: 'Club'},
  terms: {tr: 'Haftalık', en: 'Weekly'},
  operators: [{id: 1, name: 'Bir'}],
};

/** Valid bindings for a real platform. Secrets contain "hush", which must never appear in an error. */
export const VALID = {
  PHS_URL: 'https://platform.example/phs',
  MICROPAYMENT_URL: 'https://platform.example/micropayment',
  PAYMENT_PAGE_URL: 'https://platform.example/pay',
  LANDING_URL: 'https://platform.example/landing',
  LANDING_AUTHORIZATION: 'hush-landing-authorization',
  MERCHANT_ID: '2042',
  MERCHANT_IP: '192.0.2.44',
  MERCHANT_KEY: 'hush-merchant-key',
  SERVICES: {KTP: {micropaymentId: 31}},
  OFFERS: {gold},
  ALLOWED_ORIGINS: 'https://shop.example https://*.market.example',
  SESSION_SECRET: 'hush-0123456789abcdef0123456789abcdef',
};

/** The names of the invalid bindings; empty if the configuration is valid. */
export const invalidBindings = (bindings: Record<string, unknown>): readonly string[] => [
  ...new Set(invalidPlaces(bindings).map((place) => place.split('.', 1)[0] ?? '')),
];

/** What is invalid: a binding, or a value inside it. */
export function invalidPlaces(bindings: Record<string, unknown>): readonly string[] {
  try {
    readConfig({...VALID, ...bindings});
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    expect(error.message).toBe(`Missing or wrong: ${error.places.join(', ')}`);
    expect(JSON.stringify(error, ['message', 'stack', 'places', 'cause', 'name'])).not.toMatch(
      /hush|platform\.example|192\.0\.2/,
    );
    return error.places;
  }
}

/** The error that `readConfig` throws if these bindings are missing. */
export const missing = (names: string[]) =>
  new ConfigError(
    names,
    names.map((name) => `${name}: This field is missing.`),
  );
