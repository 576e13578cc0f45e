import {readLimits, type Limits} from './limits.ts';
import {findService} from './services.ts';
import {isWebAddress} from './web-address.ts';

/** What the sandbox is started with: vars of wrangler.toml and secrets of .dev.vars, all text. */
export interface Settings {
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

export interface Configuration {
  readonly merchantId: number;
  /** The merchant's server address, part of the token key (orders 5). */
  readonly merchantIp: string;
  readonly merchantKey: string;
  /** Part of the keys of notifications (orders 6), as is each service's own, by service code. */
  readonly merchantPrivateKey: string;
  readonly servicePrivateKeys: ReadonlyMap<string, string>;
  /** Comes with every call of the landing interface (subscriptions 5). */
  readonly landingAuthorization: string;
  /** Ends the key of a payment page token (observed, "Keys"). */
  readonly paymentPageSecret: string;
  readonly tokenLifetimeMs: number;
  /** HTTP status of error bodies; which one the platform uses is not shown (orders 7). */
  readonly errorHttpStatus: number;
  /** Where notifications go; an empty one sends none. */
  readonly notifyUrls: NotifyUrls;
  /** Limits of mobile billing, where they differ from subscriptions 8. */
  readonly limits: Limits;
}

export interface NotifyUrls {
  readonly refund: string;
  readonly payment: string;
  /** Templates with placeholders such as `xxStatusxx` (observed). */
  readonly billing: string;
  readonly subscription: string;
}

/** @throws {TypeError} naming the setting that is missing or malformed, never its value. */
export function readConfiguration(settings: Settings): Configuration {
  return {
    merchantId: whole('MERCHANT_ID', settings.MERCHANT_ID, 1),
    merchantIp: present('MERCHANT_IP', settings.MERCHANT_IP),
    merchantKey: present('MERCHANT_KEY', settings.MERCHANT_KEY),
    merchantPrivateKey: present('MERCHANT_PRIVATE_KEY', settings.MERCHANT_PRIVATE_KEY),
    servicePrivateKeys: keys('SERVICE_PRIVATE_KEYS', settings.SERVICE_PRIVATE_KEYS),
    landingAuthorization: present('LANDING_AUTHORIZATION', settings.LANDING_AUTHORIZATION),
    paymentPageSecret: present('PAYMENT_PAGE_SECRET', settings.PAYMENT_PAGE_SECRET),
    tokenLifetimeMs: 1000 * whole('TOKEN_LIFETIME_SECONDS', settings.TOKEN_LIFETIME_SECONDS ?? '86400', 1),
    errorHttpStatus: whole('ERROR_HTTP_STATUS', settings.ERROR_HTTP_STATUS ?? '200', 200, 599),
    notifyUrls: {
      refund: address('NOTIFY_URL', settings.NOTIFY_URL),
      payment: address('PAYMENT_NOTIFY_URL', settings.PAYMENT_NOTIFY_URL),
      billing: address('BILLING_NOTIFY_URL', settings.BILLING_NOTIFY_URL),
      subscription: address('SUBSCRIPTION_NOTIFY_URL', settings.SUBSCRIPTION_NOTIFY_URL),
    },
    limits: limits('SANDBOX_LIMITS', settings.SANDBOX_LIMITS || '{}'),
  };
}

function present(name: string, value: string | undefined): string {
  if (!value) throw new TypeError(`${name} is not set`);
  return value;
}

function whole(name: string, value: string, min: number, max = Number.MAX_SAFE_INTEGER): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < min || number > max) {
    throw new TypeError(`${name} is not a whole number from ${min} to ${max}`);
  }
  return number;
}

function address(name: string, value = ''): string {
  if (value !== '' && !isWebAddress(value)) throw new TypeError(`${name} is not an address that begins with http`);
  return value;
}

function keys(name: string, value: string): ReadonlyMap<string, string> {
  const entries = Object.entries(json(name, value) ?? {});
  const wrong = entries.some(([code, key]) => !findService(code) || typeof key !== 'string' || key === '');
  if (entries.length === 0 || wrong) throw new TypeError(`${name} is not an object of service codes and their keys`);
  return new Map(entries as [string, string][]);
}

function limits(name: string, value: string): Limits {
  const read = readLimits(json(name, value));
  if (read === undefined)
    throw new TypeError(`${name} is not null or an object such as {"subscription/detail": {"day": 1000, "second": 5}}`);
  return read;
}

/** @throws {TypeError} */
function json(name: string, value: string | undefined): unknown {
  try {
    return JSON.parse(present(name, value));
  } catch {
    throw new TypeError(`${name} is not JSON`);
  }
}
