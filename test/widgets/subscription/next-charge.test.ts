/** The day of the first charge after the start of a subscription. */

import {expect} from '@open-wc/testing';
import {formatDay, nextCharge} from '../../../widgets/subscription/next-charge.ts';
import {formatPrice} from '../../../widgets/subscription/price.ts';

const shown = (period: string) => formatPrice({price: '12.00', period}, 'en');

const dayAfter = (startedAt: string, period: string, trialDays?: number) => {
  const next = nextCharge(startedAt, period, trialDays);
  return next && formatDay(next, 'en');
};

it('the first charge is one period after the start, by the calendar in Turkey', () => {
  // Shortly after midnight in Turkey, the date in UTC is still the day before.
  expect(dayAfter('2099-03-01T00:30:00+03:00', 'monthly')).to.equal('1 Apr 2099');
  expect(dayAfter('2099-01-31T01:00:00+03:00', 'monthly')).to.equal('28 Feb 2099');
  expect(dayAfter('2099-01-31T12:00:00+03:00', 'monthly')).to.equal('28 Feb 2099');
  expect(dayAfter('2096-02-29T01:00:00+03:00', 'yearly')).to.equal('28 Feb 2097');
  expect(dayAfter('2099-12-31T01:00:00+03:00', 'daily')).to.equal('1 Jan 2100');
  expect(dayAfter('2099-12-31T23:30:00+03:00', 'weekly')).to.equal('7 Jan 2100');
  expect(dayAfter('2099-12-28T23:30:00+03:00', 'monthly', 7)).to.equal('4 Jan 2100');
});

it('a period without a word is shown as the merchant named it', () => {
  expect(shown('weekly')).to.equal('₺12.00 a\u00a0week');
  for (const period of ['once', 'constructor', 'toString']) expect(shown(period)).to.equal(`₺12.00 (${period})`);
});

it('there is no first charge to show if the length of the period is unknown, or if the day has passed', () => {
  for (const period of ['lunar', 'constructor', '__proto__'])
    expect(dayAfter('2099-03-01T00:30:00+03:00', period)).to.equal(undefined);
  expect(dayAfter('2020-03-01T00:30:00+03:00', 'monthly')).to.equal(undefined);
});
