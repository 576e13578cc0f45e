/** The entry of the elements of the payment step. The checkout loads this bundle for that step. */

import {onIdle} from '../core/async.ts';
import {define} from '../core/define.ts';
import {mayHaveCampaign, usePage} from '../core/use-page.ts';
import {addTexts} from '../locales/payment.ts';
import {VezneBankList} from '../transfer/bank-list/vezne-bank-list.ts';
import {VeznePaymentCode} from '../transfer/payment-code/vezne-payment-code.ts';
import {VeznePaymentStatus} from '../transfer/payment-status/vezne-payment-status.ts';

export {checkoutView, payStep, priceNote, restLabel} from '../transfer/checkout/pay-step.ts';
export {buttonView} from '../transfer/pay-button/button-view.ts';
export {paymentStoreOf} from '../transfer/payment/payment-of-purchase.ts';

/** Defines the elements, whose first texts are there. */
export function start(...texts: Parameters<typeof addTexts>): void {
  addTexts(...texts);
  // Without a checkout, `vezne-payment-code` may contain a list of banks.
  define(VezneBankList, VeznePaymentCode, VeznePaymentStatus);
}

onIdle(() => {
  // What the page says of an order is then read without a wait.
  if (mayHaveCampaign()) void usePage(() => {});
});
