import {expect} from '@open-wc/testing/pure';
import {formatMoney} from '../../../widgets/core/format-money.ts';

describe('an amount', () => {
  for (const [locale, language] of [
    ['tr', 'tr-TR'],
    ['en', 'en-GB'],
  ] as const)
    it(`is written as the browser writes it: ${language}`, () => {
      for (const currency of ['TRY', 'USD', 'CHF'])
        for (const amount of ['0.00', '0.05', '149.90', '999.99', '1000.00', '1234567.89']) {
          const format = {style: 'currency', currency, currencyDisplay: 'narrowSymbol'} as const;
          const expected = new Intl.NumberFormat(language, format).format(Number(amount));
          expect(formatMoney(amount, currency, locale)).to.equal(expected);
        }
    });
});
