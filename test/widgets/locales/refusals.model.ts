/** The tables of refusals. That each code of the Worker has a row is a matter of types. */

import {describe, expect, test} from 'vitest';
import {buttonRefusalOf, noticeRefusalOf, refusalOf} from '../../../widgets/locales/payment-refusals.ts';
import {texts as english} from '../../../widgets/locales/payment/payment-en.ts';
import {texts as turkish} from '../../../widgets/locales/payment/payment-tr.ts';
import {refusalOf as ofRefund} from '../../../widgets/locales/refund-refusals.ts';
import type {RefusalOf} from '../../../widgets/locales/refusals.ts';
import {refusalOf as ofSubscription} from '../../../widgets/locales/subscription-refusals.ts';
import {refusalOf as ofVendor} from '../../../widgets/locales/vendor-refusals.ts';
import {PAGE_ERROR_CODES, type PageErrorCode} from '../../../worker/contract/codes.ts';

const TABLES: Readonly<Record<string, RefusalOf>> = {
  'a payment': refusalOf,
  'a pay button': buttonRefusalOf,
  'a payment notice': noticeRefusalOf,
  'a refund': ofRefund,
  'a subscription': ofSubscription,
  'the registration of a vendor': ofVendor,
};

describe.each(Object.entries(TABLES))('a refusal of %s', (_, read) => {
  test('with the code of a newer Worker asks the shopper to pass this code on', () => {
    const {tr, en} = read('a_newer_code' as PageErrorCode, 0).messages;
    expect([tr.text, en.text]).toEqual([expect.stringContaining('{code}'), expect.stringContaining('{code}')]);
  });

  test('for too many requests says how long the shopper has to wait, if the Worker says it', () => {
    const {tr, en} = read('rate_limited', 20_000).messages;
    expect([tr.text, en.text]).toEqual([
      expect.stringContaining('20 saniye'),
      expect.stringContaining('in 20 seconds'),
    ]);
    expect(read('rate_limited', 0).messages.en.text).toContain('in a moment');
  });

  test('says the same in both languages about the code', () => {
    const named = PAGE_ERROR_CODES.map((code) => read(code, 0).messages);
    for (const {tr, en} of named) expect(en.text?.includes('{code}')).toBe(tr.text?.includes('{code}'));
  });
});

test.each([refusalOf, buttonRefusalOf, noticeRefusalOf])(
  'a refusal of a cancelled order says what the view of a cancelled order says, and offers no retry',
  (read) => {
    const {nextStep, asksSeller, isComplete, messages} = read('order_cancelled', 0);
    expect({nextStep, asksSeller, isComplete}).toEqual({nextStep: 'none', asksSeller: true, isComplete: true});
    for (const locale of ['tr', 'en'] as const) {
      const [title, text] = (locale === 'tr' ? turkish : english).views.cancelled;
      expect(messages[locale]).toEqual({title, text});
    }
  },
);

test.each([refusalOf, buttonRefusalOf, noticeRefusalOf])(
  'a refusal of an order that is paid or completed does not say that money has arrived',
  (read) => {
    const {tr, en} = read('order_paid', 0).messages;
    expect([tr.title, en.title]).toEqual([
      'Bu sipariş için ödenecek tutar kalmadı',
      'There’s nothing left to pay for this order',
    ]);
    expect(`${tr.text} ${en.text}`).not.toMatch(/[Yy]eniden|again/);
  },
);
