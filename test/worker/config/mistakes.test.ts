/** Tests what the configuration says about mistakes: their places and one sentence each. */

import {expect, test} from 'vitest';
import {readConfig} from '../../../worker/config/config.ts';
import {ConfigError} from '../../../worker/config/mistakes.ts';
import {gold, invalidPlaces, VALID} from './support/bindings.ts';

test('the error names the value inside a table, but of a secret only the binding', () => {
  expect(
    invalidPlaces({
      LIMITS: {address_pin_per_hour: 5, pin_answer_ms: null},
      QUOTAS: {refund_charge: {hour: 1}},
      SERVICES: {KTP: {'hush-service-key': 'x'}},
      SERVICE_PRIVATE_KEYS: {'hush-service-key': 7},
    }),
  ).toEqual([
    'SERVICES',
    'SERVICE_PRIVATE_KEYS',
    'QUOTAS.refund_charge.hour',
    'LIMITS.pin_answer_ms',
    'LIMITS.address_pin_per_hour',
  ]);
});

test('a path of RETURN_URLS may have a comma', () => {
  const urls = 'https://shop.example/a,b https://shop.example/c';
  expect(readConfig({...VALID, RETURN_URLS: urls}).returnUrls).toEqual(urls.split(' '));
});

test.for<[bindings: Record<string, unknown>, reasons: string[]]>([
  [
    {ALLOWED_ORIGINS: 'https://shop.example shop.example https://a.example/'},
    [
      'ALLOWED_ORIGINS: Expected origins such as https://shop.example, without a slash at the end and separated by ' +
        'spaces, not "shop.example", "https://a.example/".',
    ],
  ],
  [
    {ALLOWED_ORIGINS: 'https://shop.example, https://www.shop.example'},
    [
      'ALLOWED_ORIGINS: Expected origins such as https://shop.example, without a slash at the end and separated by ' +
        'spaces, not "https://shop.example,". Write "https://shop.example https://www.shop.example".',
    ],
  ],
  [
    {RETURN_URLS: 'https://shop.example/a,https://shop.example/b'},
    [
      'RETURN_URLS: Expected URLs that begin with https://, separated by spaces, not ' +
        '"https://shop.example/a,https://shop.example/b". Write "https://shop.example/a https://shop.example/b".',
    ],
  ],
  [{ALLOWED_ORIGINS: undefined}, ['ALLOWED_ORIGINS: This field is missing.']],
  [{PHS_URL: 'http://platform.example/phs'}, ['PHS_URL: Expected a URL that begins with https://.']],
  [{PHS_URL: 'https://platform.example'}, ['PHS_URL: Expected a URL that ends in /phs.']],
  [{MERCHANT_ID: '12a'}, ['MERCHANT_ID: Expected digits.']],
  [{MERCHANT_IP: 'localhost'}, ['MERCHANT_IP: Expected an IP address.']],
  [{NOTIFICATIONS: 'payment refund'}, ['NOTIFICATIONS: Expected any of payment, billing, subscription, not "refund".']],
  [
    {LIMITS: {address_pins_per_hour: 'five', order_sockets: 1}},
    ['LIMITS.address_pins_per_hour: Expected a number.', 'LIMITS.order_sockets: This field is not accepted.'],
  ],
  ...[
    [
      'sha3(secret)',
      'Expected a recipe such as md5(merchantId price secret) or hmac-sha256(merchantId "|" price) base64.',
    ],
    [
      'sha1(price "|secret)',
      'Expected a recipe such as md5(merchantId price secret) or hmac-sha256(merchantId "|" price) base64.',
    ],
    [
      'md5(hush, secret)',
      'Expected any of merchantId, serviceId, referenceCode, item, price, successUrl, failureUrl, hasTrialPeriod, ' +
        'trialPeriodDay, secret, or text in quotation marks, separated by spaces.',
    ],
    ['sha1(merchantId "secret")', 'The recipe lacks `secret`.'],
  ].map(([recipe, reason]): [Record<string, unknown>, string[]] => [
    {PAYMENT_PAGE_KEY: recipe},
    [`PAYMENT_PAGE_KEY: ${reason}`],
  ]),
  [
    {RETURN_URLS: 'https://shop.example/a,b https://shop.example/c, https://shop.example/d'},
    ['RETURN_URLS: Expected URLs that begin with https://, separated by spaces, not "https://shop.example/c,".'],
  ],
  [{SESSION_SECRET: 'hush'}, ['SESSION_SECRET: Expected at least 32 characters.']],
  [{SESSION_SECRET: 'a'.repeat(32)}, ['SESSION_SECRET: Expected at least 8 different characters.']],
  [{SERVICES: {KTP: {'hush-service-key': 'x'}}}, ['SERVICES: This field is not accepted.']],
  [{EGRESS: 'relay'}, ['RELAY_URL: EGRESS = "relay" needs this.', 'RELAY_SECRET: EGRESS = "relay" needs this.']],
  [
    {MERCHANT_ID: 'x', OFFERS: {gold: {...gold, amount: '1,0'}}},
    [
      'MERCHANT_ID: Expected digits.',
      'OFFERS.gold.amount: Expected decimal text with at most two places, such as "149.90".',
    ],
  ],
])('each wrong binding or field gets one sentence, which begins with its name: %j', ([bindings, reasons]) => {
  let error: unknown;
  try {
    readConfig({...VALID, ...bindings});
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).reasons).toEqual(reasons);
});
