// The page for adyen-web in the slow-phone bench. It imports one component by name, as Adyen's documentation says, so
// that the bundler leaves out the others. The page already contains the list of payment methods (the "advanced flow"),
// so the component fetches no session. It uses the language that is part of the package, so it fetches no translations.
// The page's own server answers the requests that remain.

import {AdyenCheckout, BankTransfer} from '@adyen/adyen-web';
import '@adyen/adyen-web/styles/adyen.css';

const stub = `${location.origin}/stub-of-test/`;

const checkout = await AdyenCheckout({
  environment: 'test',
  _environmentUrls: {api: stub, analytics: stub, cdn: {images: stub, translations: stub}},
  clientKey: 'test_PLACEHOLDER',
  countryCode: 'NL',
  locale: 'en-US',
  amount: {value: 14990, currency: 'EUR'},
  analytics: {enabled: false},
  paymentMethodsResponse: {paymentMethods: [{type: 'bankTransfer_IBAN', name: 'Bank Transfer'}]},
  onSubmit: () => {},
});

new BankTransfer(checkout).mount('#bank-transfer');
