/** Finds secrets of the Worker's configuration in texts that must never contain them. */

import {env} from 'cloudflare:workers';
import {toHex} from '../../../worker/lib/crypto.ts';
import {SecretScanner} from '../../support/leak-scanner.ts';

const NAMES = [
  'MERCHANT_KEY',
  'MERCHANT_PRIVATE_KEY',
  'SERVICE_PRIVATE_KEYS',
  'LANDING_AUTHORIZATION',
  'PAYMENT_PAGE_SECRET',
  'SESSION_SECRET',
  'MERCHANT_API_KEY',
  'WEBHOOK_SECRET',
];
const SUBTLE = {md5: 'MD5', sha1: 'SHA-1', sha256: 'SHA-256'};

/** Only some of the tests configure a webhook receiver. */
const OPTIONAL = new Set(['WEBHOOK_SECRET']);

const bound = Object.entries(env).flatMap(([name, value]): [string, string][] =>
  NAMES.includes(name) ? [[name, value as string]] : [],
);
// A secret that leaks into a text can be recognized only by its value.
const missing = NAMES.filter((name) => !OPTIONAL.has(name) && !bound.some(([boundName]) => boundName === name));
if (missing.length > 0) throw new Error(`These secrets are not bound: ${missing.join(', ')}`);

export const plantedSecrets = await SecretScanner.of(Object.fromEntries(bound), async (algorithm, text) =>
  toHex(await crypto.subtle.digest(SUBTLE[algorithm], new TextEncoder().encode(text))),
);
