/** A bundle that the checkout loads with its payment step, and the entry of the elements in it. */

import {define} from '../core/define.ts';
import {VeznePaymentCode} from '../transfer/payment-code/vezne-payment-code.ts';
import {VeznePaymentStatus} from '../transfer/payment-status/vezne-payment-status.ts';
import {replaceRefusedSession} from '../transfer/payment/purchase-payment.ts';
import {setSessionReplacer} from '../transfer/purchase/purchase.ts';

setSessionReplacer(replaceRefusedSession);

export {payStep} from '../transfer/checkout/pay-step.ts';
export {paymentStoreOf} from '../transfer/payment/purchase-payment.ts';
export {replaceRefusedSession};

define(VeznePaymentCode, VeznePaymentStatus);
