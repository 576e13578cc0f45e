/** What the form of the buyer asks for, what is wrong with it, and when the shopper sees it. */

import {expect, test} from 'vitest';
import {
  errorsOf,
  fieldsOf,
  type FormEvent,
  type FormState,
  nextForm,
  read,
} from '../../../../widgets/transfer/buyer/buyer-fields.ts';
import {provinceOf, PROVINCES} from '../../../../widgets/transfer/buyer/provinces.ts';
import type {BuyerForm} from '../../../../worker/contract/buyer.ts';
import {BUYER_FORM} from '../../stub-worker/answers.ts';

const {privacy_url, seller, version} = BUYER_FORM;
const EMPTY: FormState = {draft: {}, left: [], refused: []};
const after = (form: BuyerForm, ...events: readonly FormEvent[]) =>
  events.reduce((state, event) => nextForm(form, state, event), EMPTY);

const FULL = {
  name: ' Deniz  Örnek ',
  email: 'deniz@Shop.Example',
  phone: '0532 123 45 67',
  'address.line': 'Çiçek Sokak 7/3',
  'address.province': 'İstanbul',
  'address.district': 'Kadıköy',
  'address.postal_code': '34710',
  'own.engraving': '',
  'own.color': 'oak',
  'own.contract': true,
  marketing: false,
};

test('a form asks for what its settings name, in the sequence in which a shopper fills it in', () => {
  expect(fieldsOf(BUYER_FORM).map(({path, isRequired}) => `${path}${isRequired ? ' *' : ''}`)).toEqual([
    'name *',
    'email *',
    'phone',
    'address.line *',
    'address.district *',
    'address.province *',
    'address.postal_code',
    'own.engraving',
    'own.color *',
    'own.contract *',
    'marketing',
  ]);
  expect(fieldsOf({email: 'optional', privacy_url, seller, version})).toEqual([{path: 'email', isRequired: false}]);
});

test('what a shopper typed is sent as the Worker stores it', () => {
  expect(read(BUYER_FORM, {...EMPTY, draft: FULL})).toMatchObject({
    problems: [],
    buyer: {
      email: 'deniz@shop.example',
      phone: '5321234567',
      address: {line: 'Çiçek Sokak 7/3', district: 'Kadıköy', province: 'İstanbul', postal_code: '34710'},
      own: {color: 'oak', contract: true},
      marketing: false,
    },
  });
});

const typed = (path: string, value: string | boolean): FormEvent => ({
  is: 'typed',
  path,
  draft: {...FULL, [path]: value},
});
const left = (path: string, value: string | boolean): FormEvent => ({
  is: 'left',
  path,
  draft: {...FULL, [path]: value},
});
const submitted = (change: object): FormEvent => ({is: 'submitted', draft: {...FULL, ...change}});

test.each<[what: string, events: readonly FormEvent[], errors: object]>([
  ['nothing is wrong before the shopper has done anything', [], {}],
  ['a field is not checked before it is left', [typed('email', 'deniz@')], {}],
  ['a field that is left is checked', [left('email', 'deniz@')], {email: 'wrong'}],
  ['it is checked again with each key', [left('email', 'deniz@'), typed('email', 'deniz@shop.example')], {}],
  ['and may be wrong again', [left('email', 'a@b.co'), typed('email', 'a@b.c')], {email: 'wrong'}],
  [
    'an untouched field is not checked when another is left',
    [{is: 'left', path: 'name', draft: {}}],
    {name: 'missing'},
  ],
  [
    'everything is checked when the form is submitted',
    [submitted({name: ' ', phone: '12', 'address.postal_code': '347', 'own.contract': false})],
    {name: 'missing', phone: 'wrong', 'address.postal_code': 'wrong', 'own.contract': 'missing'},
  ],
  ['a choice is one of those that are offered', [submitted({'own.color': 'pine'})], {'own.color': 'wrong'}],
  ['a tick is required', [left('own.contract', false)], {'own.contract': 'missing'}],
  ['consent to marketing is not', [left('marketing', false)], {}],
  [
    'what the Worker names is wrong',
    [submitted({}), {is: 'refused', fields: ['buyer.email', 'buyer.address']}],
    {email: 'wrong'},
  ],
  [
    'until the shopper changes it',
    [submitted({}), {is: 'refused', fields: ['buyer.email', 'buyer.own.color']}, typed('email', 'x@shop.example')],
    {'own.color': 'wrong'},
  ],
])('%s', (_, events, errors) => {
  expect(errorsOf(BUYER_FORM, after(BUYER_FORM, ...events))).toEqual(errors);
});

test('an optional address is complete or empty', () => {
  const form: BuyerForm = {address: 'optional', privacy_url, seller, version};
  expect(errorsOf(form, after(form, {is: 'submitted', draft: {}}))).toEqual({});
  expect(errorsOf(form, after(form, {is: 'submitted', draft: {'address.district': 'Kadıköy'}}))).toEqual({
    'address.line': 'missing',
    'address.province': 'missing',
  });
});

test('a province is found in any spelling, and other places stay as they were typed', () => {
  expect(new Set(PROVINCES).size).toBe(81);
  expect(['istanbul', 'İZMİR', 'IĞDIR', 'hakkari', 'Sanliurfa', 'Lefkoşa', ''].map(provinceOf)).toEqual([
    'İstanbul',
    'İzmir',
    'Iğdır',
    'Hakkâri',
    'Şanlıurfa',
    'Lefkoşa',
    '',
  ]);
});
