/** The sandbox's configuration, its services and products, and the limits of mobile billing. */

import * as z from 'zod';
import {isWebAddress} from './formats.ts';
import type {Period} from './records/subscriptions.ts';

/** The variables that the sandbox starts with: the vars in wrangler.toml and the secrets in .dev.vars. All are text. */
export interface EnvironmentVariables {
  readonly MERCHANT_ID: string;
  readonly MERCHANT_IP: string;
  readonly MERCHANT_KEY: string;
  readonly MERCHANT_PRIVATE_KEY: string;
  readonly SERVICE_PRIVATE_KEYS: string;
  readonly LANDING_AUTHORIZATION: string;
  readonly PAYMENT_PAGE_SECRET: string;
  readonly TOKEN_LIFETIME_SECONDS?: string;
  readonly ERROR_HTTP_STATUS?: string;
  readonly NOTIFY_URL?: string;
  readonly PAYMENT_NOTIFY_URL?: string;
  readonly BILLING_NOTIFY_URL?: string;
  readonly SUBSCRIPTION_NOTIFY_URL?: string;
  readonly SANDBOX_LIMITS?: string;
}

export interface Config {
  readonly merchantId: number;
  /** The IP address of the merchant's server, which is part of the token key (orders.md 5). */
  readonly merchantIp: string;
  readonly merchantKey: string;
  /**
   * The merchant's private key, which is part of the keys of payment notifications and refund results (orders.md 6).
   */
  readonly merchantPrivateKey: string;
  /**
   * The private key of each service, by service code. Like the merchant's private key, it is part of the keys of
   * payment notifications and refund results.
   */
  readonly servicePrivateKeys: ReadonlyMap<string, string>;
  /** The text that the merchant sends with every call to the landing interface (subscriptions.md 5). */
  readonly landingAuthorization: string;
  /**
   * The secret of payment pages. It is the end of the text from which a page's key is computed (observed.md, "Keys").
   */
  readonly paymentPageSecret: string;
  readonly tokenLifetimeMs: number;
  /**
   * The HTTP status of answers with an error body. The spec does not say which status the platform uses (orders.md 7).
   */
  readonly errorHttpStatus: number;
  /** URLs that receive notifications. If a URL is empty, the sandbox sends no notifications of that kind. */
  readonly notifyUrls: NotifyUrls;
  /** Overrides of mobile billing's limits (subscriptions.md 8). */
  readonly limits: UsageLimits;
}

export interface NotifyUrls {
  readonly refund: string;
  readonly payment: string;
  /**
   * `billing` and `subscription` are templates with placeholders such as `xxStatusxx` (observed.md, "Notifications").
   */
  readonly billing: string;
  readonly subscription: string;
}

/** @throws {TypeError} The message names the setting that is missing or malformed, and never shows its value. */
export function readConfig(settings: EnvironmentVariables): Config {
  return {
    merchantId: wholeNumber('MERCHANT_ID', settings.MERCHANT_ID, 1),
    merchantIp: required('MERCHANT_IP', settings.MERCHANT_IP),
    merchantKey: required('MERCHANT_KEY', settings.MERCHANT_KEY),
    merchantPrivateKey: required('MERCHANT_PRIVATE_KEY', settings.MERCHANT_PRIVATE_KEY),
    servicePrivateKeys: serviceKeys('SERVICE_PRIVATE_KEYS', settings.SERVICE_PRIVATE_KEYS),
    landingAuthorization: required('LANDING_AUTHORIZATION', settings.LANDING_AUTHORIZATION),
    paymentPageSecret: required('PAYMENT_PAGE_SECRET', settings.PAYMENT_PAGE_SECRET),
    tokenLifetimeMs: 1000 * wholeNumber('TOKEN_LIFETIME_SECONDS', settings.TOKEN_LIFETIME_SECONDS ?? '86400', 1),
    errorHttpStatus: wholeNumber('ERROR_HTTP_STATUS', settings.ERROR_HTTP_STATUS ?? '200', 200, 599),
    notifyUrls: {
      refund: webAddress('NOTIFY_URL', settings.NOTIFY_URL),
      payment: webAddress('PAYMENT_NOTIFY_URL', settings.PAYMENT_NOTIFY_URL),
      billing: webAddress('BILLING_NOTIFY_URL', settings.BILLING_NOTIFY_URL),
      subscription: webAddress('SUBSCRIPTION_NOTIFY_URL', settings.SUBSCRIPTION_NOTIFY_URL),
    },
    limits: limits('SANDBOX_LIMITS', settings.SANDBOX_LIMITS || '{}'),
  };
}

function required(name: string, value: string | undefined): string {
  if (!value) throw new TypeError(`${name} is not set`);
  return value;
}

function wholeNumber(name: string, value: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < min || number > max) {
    throw new TypeError(`${name} must be a whole number from ${min} to ${max}`);
  }
  return number;
}

function webAddress(name: string, value = ''): string {
  if (value !== '' && !isWebAddress(value)) throw new TypeError(`${name} must be an http or https URL`);
  return value;
}

function serviceKeys(name: string, value: string): ReadonlyMap<string, string> {
  const entries = Object.entries(json(name, value) ?? {});
  const malformed = entries.some(([code, key]) => !findService(code) || typeof key !== 'string' || key === '');
  if (entries.length === 0 || malformed)
    throw new TypeError(`${name} must be an object of service codes and their keys`);
  return new Map(entries as [string, string][]);
}

function limits(name: string, value: string): UsageLimits {
  const usageLimits = readUsageLimits(json(name, value));
  if (usageLimits === undefined)
    throw new TypeError(
      `${name} must be null or an object such as {"subscription/detail": {"day": 1000, "second": 5}}`,
    );
  return usageLimits;
}

/** @throws {TypeError} */
function json(name: string, value: string | undefined): unknown {
  try {
    return JSON.parse(required(name, value));
  } catch {
    throw new TypeError(`${name} must be JSON`);
  }
}

export interface Service {
  readonly id: number;
  /** The code that the merchant sends as the parameter `code` (orders.md 2.2). */
  readonly code: string;
  readonly name: string;
}

export const MERCHANT_NAME = 'Fener Atölyesi';

const SERVICES: readonly [Service, ...Service[]] = [
  {id: 1, code: 'DEMO', name: 'Örnek Hizmet'},
  {id: 12, code: 'DEMO2', name: 'İkinci Hizmet'},
];

/** The service that receives a transfer whose description names no order. */
export const DEFAULT_SERVICE = SERVICES[0];

export function findServiceById(id: number): Service | undefined {
  return SERVICES.find((service) => service.id === id);
}

export function findService(code: string): Service | undefined {
  return SERVICES.find((service) => service.code === code);
}

/** A product that shoppers subscribe to on a landing page. */
export interface Product {
  readonly id: number;
  readonly service: Service;
  readonly item: string;
  readonly feeKurus: number;
  readonly period: Period;
  /** The number of free days at the beginning; 0 if there is no trial. */
  readonly trialDays: number;
  /** If true, the platform refuses PINs and subscriptions for the product with status 021. */
  readonly testMode: boolean;
}

const PRODUCT_ROWS = [
  [77, 'DEMO', 'Kulüp üyeliği', 1200, 'weekly', 0, false],
  [78, 'DEMO', 'Denemeli üyelik', 2990, 'monthly', 7, false],
  [79, 'DEMO', 'Hazırlanan üyelik', 1200, 'weekly', 0, true],
] as const;

const PRODUCTS: readonly Product[] = PRODUCT_ROWS.flatMap(([id, code, item, feeKurus, period, trialDays, testMode]) => {
  const service = findService(code);
  return service ? [{id, service, item, feeKurus, period, trialDays, testMode}] : [];
});

export function findProduct(id: number): Product | undefined {
  return PRODUCTS.find((product) => product.id === id);
}

/** How often the merchant may call an operation; null means without limit. */
export interface UsageLimit {
  readonly day: number | null;
  readonly second: number | null;
}

/** Limits by operation that override the default limits; null lifts all limits. */
export type UsageLimits = Readonly<Record<string, UsageLimit>> | null;

/**
 * The default limits (subscriptions.md 8). The spec has no limit for the message search; its limit is in observed.md.
 */
export const DEFAULT_USAGE_LIMITS: Readonly<Record<string, UsageLimit>> = {
  'subscription/detail': {day: 1000, second: 5},
  'subscription/cancel': {day: 1000, second: 5},
  'subscriptions/search': {day: 1000, second: 1},
  'subscription/reset': {day: 20, second: 5},
  'transaction/detail': {day: 1000, second: 5},
  'transaction/refund': {day: 20, second: 5},
  'transactions/search': {day: 1000, second: 1},
  'messages/search': {day: 1000, second: 1},
};

const Count = z.int().min(0).nullable();
const UsageLimitOverrides = z.partialRecord(
  z.enum(Object.keys(DEFAULT_USAGE_LIMITS)),
  z.strictObject({day: Count, second: Count}),
);

/** Reads overrides of the default limits; `null` lifts all limits. Returns undefined if the value is malformed. */
export function readUsageLimits(value: unknown): UsageLimits | undefined {
  if (value === null) return null;
  const result = UsageLimitOverrides.safeParse(value);
  return result.success ? (result.data as UsageLimits) : undefined;
}

/**
 * Returns the limit of an operation from the first of the `overrides` that names the operation or lifts all limits,
 * otherwise the default limit. Callers pass the overrides of the control `limits` before the overrides of the
 * configuration.
 */
export function usageLimitOf(operation: string, ...overrides: readonly (UsageLimits | undefined)[]): UsageLimit {
  for (const override of overrides) {
    if (override === null) return {day: null, second: null};
    const limit = override?.[operation];
    if (limit) return limit;
  }
  return DEFAULT_USAGE_LIMITS[operation] ?? {day: null, second: null};
}

/** Name of the stored setting in which the control `limits` saves its overrides. */
export const USAGE_LIMITS_SETTING = 'limits';
