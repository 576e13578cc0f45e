/**
 * The page script of a checkout: `<script type="module" src="https://pay.merchant.example/checkout.js?offer=lamp">`. It
 * contains the bank list, and the title and the amount of the offer that its URL names.
 */

import type {CheckoutPageData} from '../worker/contract/browser/page-data.ts';
import {onIdle} from './core/async.ts';
import {keepPurchaseListeners} from './core/purchases.ts';
import {loadTracker, startPageScript} from './page-script.ts';
import {VezneBankList} from './transfer/bank-list/vezne-bank-list.ts';
import {VezneCheckout} from './transfer/checkout/vezne-checkout.ts';
import {loadPaymentFile} from './transfer/payment-file.ts';
import {followHandoffLinks} from './transfer/purchase/handoff-link.ts';

// The Worker replaces it with the data. A pinned file has an empty object in its place.
declare const __VEZNE_PAGE_DATA__: Partial<CheckoutPageData>;

followHandoffLinks();
keepPurchaseListeners();

startPageScript(
  'checkout',
  [VezneBankList, VezneCheckout],
  [
    ['vezne-payment-code,vezne-payment-status', loadPaymentFile],
    ['vezne-pay-button,vezne-payment-notice', () => import('./bundles/hosted.ts')],
    ['vezne-activity', loadTracker],
  ],
  __VEZNE_PAGE_DATA__,
);

// Load the file of the payment step early. When the shopper then chooses a bank, the order is the only thing left to
// request.
onIdle(() => {
  // If this fails, the checkout fetches the file again when it needs it.
  if (document.querySelector('vezne-checkout')) loadPaymentFile().catch(() => {});
});
