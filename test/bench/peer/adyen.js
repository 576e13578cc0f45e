// One component, imported by name as its documentation says, so that the bundler leaves out the others. Its list of payment methods is
// in the page already (its "advanced flow"), so it need not ask for a session first; its language is the one in its package, so it need
// not ask for words either. What it asks for nevertheless is answered by the page's own server.

import {AdyenCheckout, BankTransfer} from '@adyen/adyen-web';
import '@adyen/adyen-web/styles/adyen.css';

const stub = `${location.origin}/stub-of-test/`;

const checkout = await AdyenCheckout({
  environment: 'test',
  _environmentUrls: {api: stub, analytics: stub, cdn: {images: stub, translations: stub}},
  clientKey: 'test_NOBODYS',
  countryCode: 'NL',
  locale: 'en-US',
  amount: {value: 14990, currency: 'EUR'},
  analytics: {enabled: false},
  paymentMethodsResponse: {paymentMethods: [{type: 'bankTransfer_IBAN', name: 'Bank Transfer'}]},
  onSubmit: () => {},
});

new BankTransfer(checkout).mount('#bank-transfer');
