import {expect, test} from 'vitest';
import {redactUrl} from '../../../worker/http/redact-url.ts';

const PAGE = 'https://shop.example/club';

test.for([
  'name=Ay%C5%9Fe',
  'ad=Ay%C5%9Fe',
  'soyad=Y%C4%B1lmaz',
  'first_name=Ay%C5%9Fe',
  'musteri_adi=Ay%C5%9Fe',
  'adres=Kad%C4%B1k%C3%B6y',
  'code=4%2F0AfJohXk7rq2m9w',
  'state=af0ifjsldkj',
  'ticket=ST-1856339',
  'msisdn=x',
  'x=05321234567',
  'x=%2B90%20(0532)%20123%E2%80%9345%E2%80%9367',
  'x=%D9%A0%D9%A5%D9%A3%D9%A2%D9%A1%D9%A2%D9%A3%D9%A4%D9%A5%D9%A6%D9%A7',
])('redactUrl replaces the value of the parameter %s with a dash', (parameter) => {
  const [name = ''] = parameter.split('=');
  expect(redactUrl(`${PAGE}?utm_source=x&${parameter}`)).toBe(`${PAGE}?utm_source=x&${name}=-`);
});

test.for([
  'utm_campaign=yaz-2026',
  'gclid=Cj0KCQjw',
  'code=YAZ2026',
  'kod=INDIRIM10',
  'ad=1234567',
  'state=34',
  'offer=club',
])('redactUrl keeps the parameter %s, which has no private value', (parameter) => {
  expect(redactUrl(`${PAGE}?${parameter}`)).toBe(`${PAGE}?${parameter}`);
});

test.for([
  ['r/Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N?lang=tr', 'r/-?lang=tr'],
  ['p/rug-4711.Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N', 'p/-'],
  ['pay?offer=rug-4711.Zk3v0pW8bT1yQm6XcR9dLgu2HsAe4N', 'pay?offer=-'],
  ['p/rug-4711?offer=rug-4711', 'p/rug-4711?offer=rug-4711'],
])('redactUrl redacts %s as %s, because the name of a refund link or a bill is a secret', ([path, redacted]) => {
  expect(redactUrl(`https://pay.example/${path}`)).toBe(`https://pay.example/${redacted}`);
});
