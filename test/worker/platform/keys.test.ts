/**
 * The key of a payment page under every kind of recipe. The expected keys were computed with OpenSSL, and not with the
 * Worker.
 */

import {expect, test} from 'vitest';
import {parseRecipe, paymentPageKey, type PaymentPageRecipe, tokenKey} from '../../../worker/platform/keys.ts';

const FIELDS = {
  merchantId: '2042',
  serviceId: '31',
  referenceCode: 'REF-7',
  item: 'Aylık üyelik',
  price: '10.00',
  successUrl: 'https://shop.example/ok',
  failureUrl: 'https://shop.example/fail',
};

test.for<[recipe: string, key: string, trial?: object]>([
  [
    'md5(merchantId serviceId referenceCode item price successUrl failureUrl secret)',
    '6570eed511a8dfb71072af2863039d37',
  ],
  ['sha1(merchantId "|" serviceId "|" referenceCode "|" price "|" secret) base64', '6cAQYEx1OcRk6GG/XqUCLu322Fo='],
  [
    ' sha256(secret merchantId  referenceCode) HEX ',
    'F3BA7E4BC9566CDC8D28D5BAE11CE24E26BCD8314E7028497DEA7DE762241762',
  ],
  [
    'sha512(merchantId price"TRY"secret) hex',
    '351217c3dc7265b07ece5abb325b45d16c89529da1f45b25d4100986cff94d5a76ebe132be8f060d6294b4ac56a03c63a0b6fb594ab6fcc5fc8f8f9382e37433',
  ],
  ['hmac-md5(merchantId referenceCode)', 'a7ffced75840ff48ec30d94f87c26a68'],
  ['hmac-sha1(merchantId referenceCode item price)', 'c859d2509206dab8a03616784cfc34fa43c10542'],
  [
    'hmac-sha256(merchantId "|" serviceId "|" referenceCode "|" item "|" price) base64',
    'fLSuFki/NKm0kC90htEgk5UlN/pHvWuPfWAG4BPxGPQ=',
  ],
  [
    'hmac-sha512(secret price)',
    'b33bff07299ba1629c472aae58fb9405cca902251b2853c2c3031929837379625a70dc75b7874dcec7335e66d33f4399f3e604a376cdc04970e85975e39c20a1',
  ],
  [
    'md5(merchantId hasTrialPeriod trialPeriodDay secret)',
    'e5eac16dc33e70277552f2f57e70409f',
    {hasTrialPeriod: true, trialPeriodDay: 7},
  ],
  ['md5(merchantId hasTrialPeriod trialPeriodDay secret)', '23373a3084319ded434b01f3f6356e71'],
])('the recipe %s makes the expected key', async ([recipe, key, trial]) => {
  const parsed = parseRecipe(recipe) as PaymentPageRecipe;
  expect(await paymentPageKey(parsed, {...FIELDS, ...trial}, 'example page secret')).toBe(key);
});

test('`tokenKey` computes the `key` that `/getToken` expects', async () => {
  expect(await tokenKey({id: '2042', ip: '192.0.2.44', key: 'example merchant key'})).toBe(
    'ab15c00e40d43db6e1cc40da2bb38c51',
  );
});

test('`tokenKey` reads a merchant key with Turkish letters as UTF-8', async () => {
  // `printf '2042192.0.2.44gizli anahtar ığüşöç' | md5sum`
  expect(await tokenKey({id: '2042', ip: '192.0.2.44', key: 'gizli anahtar ığüşöç'})).toBe(
    '030cf9efdb310d6e29ddeabc936ea0e5',
  );
});
