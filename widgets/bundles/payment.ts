/** The elements with which a shopper pays, and what a purchase needs from its code on: they come when there is something to pay. */

import {VeznePaymentCode} from '../transfer/payment-code/vezne-payment-code.ts';
import {VeznePaymentStatus} from '../transfer/payment-status/vezne-payment-status.ts';
import {replaceRefusedSession} from '../transfer/payment/saved-instructions.ts';
import {setSessionReplacer} from '../transfer/purchase/purchase.ts';

setSessionReplacer(replaceRefusedSession);

export {payStep} from '../transfer/checkout/pay-step.ts';
export {define} from '../core/define.ts';
export {paymentStoreOf} from '../transfer/payment/payment-element.ts';
export {replaceRefusedSession};
export const elements = [VeznePaymentCode, VeznePaymentStatus];
