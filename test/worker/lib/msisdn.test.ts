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

test('maskMsisdn keeps the first three and the last two of ten places, and returns null for other texts', () => {
  expect(['5321234567', '532***4567', '532*****67', '532', '05321234567', 'unknown'].map(maskMsisdn)).toEqual([
    '532*****67',
    '532*****67',
    '532*****67',
    null,
    null,
    null,
  ]);
});
