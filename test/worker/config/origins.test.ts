import {describe, expect, test} from 'vitest';
import {
  ALL_LOOPBACK,
  isLoopback,
  matchesOrigin,
  type OriginPattern,
  parseOriginPattern,
  formatOriginPattern,
} from '../../../worker/config/origins.ts';

test.for([
  ['https://shop.example', {exact: 'https://shop.example'}],
  ['https://shop.example:8443', {exact: 'https://shop.example:8443'}],
  ['HTTPS://Shop.Example', {exact: 'https://shop.example'}],
  ['http://localhost:5173', {exact: 'http://localhost:5173'}],
  ['http://127.0.0.1:5173', {exact: 'http://127.0.0.1:5173'}],
  ['http://[::1]:5173', {exact: 'http://[::1]:5173'}],
  ['http://demo.localhost', {exact: 'http://demo.localhost'}],
  ['https://*.shop.example', {scheme: 'https://', below: '.shop.example'}],
  ['https://*.Shop.example:8443', {scheme: 'https://', below: '.shop.example:8443'}],
  ['https://*.shop.example:443', null],
  ['https://shop.example:443', null],
  ['http://shop.example', null],
  ['http://*.shop.example', null],
  ['http://localhost.shop.example', null],
  ['https://shop.example/', null],
  ['https://shop.example/pay', null],
  ['https://user@shop.example', null],
  ['https://*', null],
  ['https://*.com', null],
  ['https://*.com.', null],
  ['https://*.COM:8443', null],
  ['https://*.com.tr', null],
  ['https://*.co.uk', null],
  ['https://*.shop.com.tr', {scheme: 'https://', below: '.shop.com.tr'}],
  ['https://*.localhost', {scheme: 'https://', below: '.localhost'}],
  ['*', null],
  ['null', null],
  ['shop.example', null],
  ['file:///', null],
  ['https://shop.*.example', null],
] as const)('%o in ALLOWED_ORIGINS is parsed as %o', ([text, pattern]) => {
  expect(parseOriginPattern(text)).toEqual(pattern);
  if (pattern) expect(formatOriginPattern(pattern)).toBe(text.toLowerCase());
});

test.for([
  ['https://mağaza.example', {exact: 'https://xn--maaza-l1a.example'}],
  ['HTTPS://MAĞAZA.Example', {exact: 'https://xn--maaza-l1a.example'}],
  ['https://mağaza.example'.normalize('NFD'), {exact: 'https://xn--maaza-l1a.example'}],
  ['https://mağaza.example:8443', {exact: 'https://xn--maaza-l1a.example:8443'}],
  ['https://xn--maaza-l1a.example', {exact: 'https://xn--maaza-l1a.example'}],
  ['https://*.mağaza.example', {scheme: 'https://', below: '.xn--maaza-l1a.example'}],
  ['https://*.mağaza.com.tr', {scheme: 'https://', below: '.xn--maaza-l1a.com.tr'}],
  ['https://*.рф', null],
  ['http://mağaza.example', null],
  ['https://mağaza.example/', null],
  ['https://mağaza.example/ödeme', null],
  ['https://shop.example/ödeme', null],
  ['https://mağaza.example?a', null],
  ['https://mağaza.example#a', null],
  ['https://ö@mağaza.example', null],
  ['https://ö:x@shop.example', null],
  ['https://mağaza.*.example', null],
] as const)('%o in ALLOWED_ORIGINS, with a name outside ASCII, is parsed as %o', ([text, pattern]) => {
  expect(parseOriginPattern(text)).toEqual(pattern);
});

describe('the allowed origins', () => {
  const patterns = [
    'https://shop.example',
    'https://*.market.example',
    'http://localhost:5173',
    'https://*.mağaza.example',
  ].map((text) => parseOriginPattern(text) as OriginPattern);

  test.for([
    ['https://shop.example', true],
    ['http://localhost:5173', true],
    ['https://a.market.example', true],
    ['https://a.b-2.market.example', true],
    ['https://a.xn--maaza-l1a.example', true],
    ['https://xn--maaza-l1a.example', false],
    ['https://market.example', false],
    ['https://.market.example', false],
    ['https://a..market.example', false],
    ['https://evilmarket.example', false],
    ['https://market.example.evil.example', false],
    ['https://evil.example/.market.example', false],
    ['https://evil.example#.market.example', false],
    ['https://user@x.market.example', false],
    ['https://a.market.example:8443', false],
    ['http://a.market.example', false],
    ['http://shop.example', false],
    ['https://shop.example:443', false],
    ['https://shop.example.', false],
    ['https://SHOP.example', false],
    ['http://localhost:5174', false],
    ['null', false],
    ['', false],
  ] as const)('whether a page of the origin %o may call the Worker: %o', ([origin, allowed]) => {
    expect(matchesOrigin(origin, patterns)).toBe(allowed);
  });
});

test.for([
  ['http://localhost:8790/phs', true],
  ['http://LOCALHOST/phs', true],
  ['http://127.0.0.1:8790/phs', true],
  ['http://127.9.9.9/phs', true],
  ['http://0x7f.1/phs', true],
  ['http://[::1]:8790/phs', true],
  ['http://[::ffff:127.0.0.1]:8790/phs', true],
  ['http://0.0.0.0:8790/phs', true],
  ['http://0/phs', true],
  ['http://[::]:8790/phs', true],
  ['http://sandbox.localhost/phs', true],
  ['http://localhost./phs', true],
  ['https://localhost.example/phs', false],
  ['https://127.0.0.1.example/phs', false],
  ['https://notlocalhost/phs', false],
  ['http://10.0.0.1/phs', false],
  ['http://169.254.0.1/phs', false],
  ['http://[::2]/phs', false],
  ['https://platform.example/localhost', false],
] as const)('isLoopback(%o) is %o', ([address, loopback]) => {
  expect(isLoopback(new URL(address))).toBe(loopback);
});

test.for([
  ['http://localhost:5174', true],
  ['https://localhost', true],
  ['http://127.0.0.1:3000', true],
  ['http://[::1]:3000', true],
  ['http://shop.localhost:3000', true],
  ['null', false],
  ['', false],
  ['http://localhost:5174/', false],
  ['http://localhost.evil.example', false],
  ['https://shop.example', false],
] as const)('with a platform on this machine, a page of %o is allowed: %o', ([origin, allowed]) => {
  expect(matchesOrigin(origin, [ALL_LOOPBACK])).toBe(allowed);
});
