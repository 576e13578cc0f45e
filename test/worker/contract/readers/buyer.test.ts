/** Tests what a shopper may write into the form of a buyer, and what is stored of it. */

import {expect, test} from 'vitest';
import type {Buyer, BuyerForm} from '../../../../worker/contract/buyer.ts';
import {readBuyer, readPostalCode} from '../../../../worker/contract/readers/buyer.ts';
import {readEmail} from '../../../../worker/contract/readers/email.ts';

test.for<[typed: string, email: string | undefined]>([
  ['deniz@shop.example', 'deniz@shop.example'],
  ['  Deniz.O+1@SHOP.Example ', 'Deniz.O+1@shop.example'],
  ['\u202ddeniz@shop.example\u202c', 'deniz@shop.example'],
  ['deniz@çiçek.example', 'deniz@çiçek.example'],
  ['deniz@xn--iek-0lac.xn--p1ai', 'deniz@xn--iek-0lac.xn--p1ai'],
  ['deniz@shop', undefined],
  ['deniz@shop.c', undefined],
  ['deniz@shop..example', undefined],
  ['deniz@-shop.example', undefined],
  ['deniz shop@shop.example', undefined],
  ['deniz@shop.example, ada@shop.example', undefined],
  ['mailto:deniz@shop.example', undefined],
  ['Deniz <deniz@shop.example>', undefined],
  ['@shop.example', undefined],
  ['\ud800deniz@shop.example', undefined],
  [`${'d'.repeat(65)}@shop.example`, undefined],
  ['', undefined],
])('%j is read as the e-mail address %s', ([typed, email]) => {
  expect(readEmail(typed)).toBe(email);
});

test.for<[typed: string, code: string | undefined]>([
  ['34710', '34710'],
  [' 34 710 ', '34710'],
  ['٣٤٧١٠', '34710'],
  ['3471', undefined],
  ['TR-34710', undefined],
])('%s is read as the postal code %s', ([typed, code]) => {
  expect(readPostalCode(typed)).toBe(code);
});

const text = {tr: 'Metin', en: 'Text'};
const form = (fields: Partial<BuyerForm>): BuyerForm => ({
  privacy_url: 'https://shop.example/privacy',
  seller: {name: 'Fener Atölyesi'},
  version: '1',
  ...fields,
});
const own = (field: object) => form({own: [{id: 'size', label: text, type: 'text', ...field}] as never});
const CHOICES = [
  {value: 's', label: text},
  {value: 'm', label: text},
];
const ADDRESS = {line: 'Çiçek Sokak 7/3', district: 'Kadıköy', province: 'İstanbul'};

test.for<[title: string, form: BuyerForm, sent: Buyer, stored: object, problems: string[]]>([
  [
    'nothing that is not asked for',
    form({email: 'optional'}),
    {name: 'Deniz', own: {a: true}, marketing: true},
    {},
    [],
  ],
  ['a required field', form({name: 'required'}), {name: ' '}, {}, ['name missing']],
  ['an optional field', form({name: 'optional'}), {name: ' Deniz '}, {name: 'Deniz'}, []],
  ['a foreign phone', form({phone: 'required'}), {phone: '+49 151 12345678'}, {phone: '+4915112345678'}, []],
  ['no phone', form({phone: 'optional'}), {phone: '123'}, {}, ['phone wrong']],
  ['no address', form({address: 'optional'}), {}, {}, []],
  [
    'half an address',
    form({address: 'optional'}),
    {address: {district: 'Kadıköy'}},
    {},
    ['address.line missing', 'address.province missing'],
  ],
  ['an address', form({address: 'required'}), {address: ADDRESS}, {address: ADDRESS}, []],
  [
    'a wrong postal code',
    form({address: 'required'}),
    {address: {...ADDRESS, postal_code: 'x'}},
    {address: ADDRESS},
    ['address.postal_code wrong'],
  ],
  ['a text', own({required: true}), {own: {size: ' 42 '}}, {own: {size: '42'}}, []],
  ['a tick in place of a text', own({required: true}), {own: {size: true}}, {own: {}}, ['own.size wrong']],
  ['a choice', own({type: 'choice', choices: CHOICES}), {own: {size: 'm'}}, {own: {size: 'm'}}, []],
  ['no such choice', own({type: 'choice', choices: CHOICES}), {own: {size: 'xl'}}, {own: {}}, ['own.size wrong']],
  ['a tick that is not set', own({type: 'tick'}), {}, {own: {size: false}}, []],
  [
    'a required tick that is not set',
    own({type: 'tick', required: true}),
    {own: {size: false}},
    {own: {size: false}},
    ['own.size missing'],
  ],
  ['a text in place of a tick', own({type: 'tick'}), {own: {size: 'true'}}, {own: {size: false}}, ['own.size wrong']],
  ['a name of every object', own({id: 'constructor'}), {}, {own: {}}, []],
  ['no consent to marketing', form({marketing: text}), {}, {marketing: false}, []],
  ['consent to marketing', form({marketing: text}), {marketing: true}, {marketing: true}, []],
])('%s is read', ([_title, asked, sent, stored, problems]) => {
  const {buyer, problems: found} = readBuyer(asked, sent);
  expect(buyer).toEqual(stored);
  expect(found.map(({path, is}) => `${path} ${is}`)).toEqual(problems);
});
