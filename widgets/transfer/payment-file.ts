/** The file of the payment step. */

import {lazyElements} from '../core/define.ts';
import {localeOf} from '../core/locale.ts';

/** Loads the file, and at the same time its texts. Its elements are defined when both are there. */
export function loadPaymentFile() {
  const element = document.querySelector('vezne-checkout,vezne-payment-code,vezne-payment-status,vezne-pay-button');
  const locale = localeOf(element ?? document.documentElement);
  return Promise.all([
    import('../bundles/payment.ts'),
    locale === 'tr' ? import('../locales/payment/payment-tr.ts') : import('../locales/payment/payment-en.ts'),
  ]).then(([file, {texts}]) => {
    file.start(locale, texts);
    return file;
  });
}

export const paymentElements = lazyElements(loadPaymentFile);
