import {expect, test} from 'vitest';
import {maskMsisdn, parseMsisdn} from '../../../worker/lib/msisdn.ts';

test('parseMsisdn reads a Turkish mobile number in all common forms', () => {
  const forms = [
    '05321234567',
    '5321234567',
    '+905321234567',
    '00905321234567',
    '905321234567',
    '0532 123 45 67',
    ' 532-123-45-67 ',
    '+90 (532) 123.45.67',
    '５３２１２３４５６７',
  ];
  expect(forms.map(parseMsisdn)).toEqual(forms.map(() => '5321234567'));
});

test('parseMsisdn returns null for any other text', () => {
  const others = [
    '02121234567',
    '2121234567',
    '+4915112345678',
    '+15321234567',
    '+5321234567',
    '532123456',
    '53212345678',
    '4321234567',
    '532123456x',
    '5321234567,5321234568',
    '١٢٣',
    '',
  ];
  expect(others.map(parseMsisdn)).toEqual(others.map(() => null));
});

test('maskMsisdn keeps the first three and the last two of ten places, however a platform masks the number', () => {
  const forms = [
    '5321234567',
    '05321234567',
    '532***4567',
    '532*****67',
    '532XXXXX67',
    '90532xxxxx67',
    '+90 532 *** ** 67',
    '0532•••••67',
  ];
  expect(forms.map(maskMsisdn)).toEqual(forms.map(() => '532*****67'));
  expect(['532', '532*****6', 'XXXXXXXXXX', '*****67', 'unknown', ''].map(maskMsisdn)).toEqual(Array(6).fill(null));
});
