/** The script that defines each element a page may contain. `checkout.js` and `subscribe.js` also load `activity.js`. */
export const ELEMENT_SCRIPTS = {
  'vezne-checkout': 'checkout',
  'vezne-bank-list': 'checkout',
  'vezne-payment-code': 'checkout',
  'vezne-payment-status': 'checkout',
  'vezne-payment-notice': 'checkout',
  'vezne-pay-button': 'checkout',
  'vezne-pin-subscribe': 'subscribe',
  'vezne-one-click': 'subscribe',
  'vezne-subscription': 'subscribe',
  'vezne-vendor-form': 'vendor',
  'vezne-refund-contact': 'refund',
  'vezne-activity': 'activity',
} as const;
