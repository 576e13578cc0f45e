/** The elements with which a shopper pays, and what a purchase needs from its code on: they come when there is something to pay. */

import {VeznePaymentCode} from './payment-code/vezne-payment-code.ts';
import {VeznePaymentStatus} from './payment-status/vezne-payment-status.ts';

export {payStep} from './checkout/pay-step.ts';
export {define} from './define.ts';
export {paymentOf} from './internal/payment-of.ts';
export {replaceRefused} from './internal/slip.ts';
export const elements = [VeznePaymentCode, VeznePaymentStatus];
