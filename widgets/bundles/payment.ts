/** The entry of the elements of the payment step. The checkout loads this bundle for that step. */

import {define} from '../core/define.ts';
import {VezneBankList} from '../transfer/bank-list/vezne-bank-list.ts';
import {VeznePaymentCode} from '../transfer/payment-code/vezne-payment-code.ts';
import {VeznePaymentStatus} from '../transfer/payment-status/vezne-payment-status.ts';
import {replaceRefusedSession} from '../transfer/payment/purchase-payment.ts';
import {setSessionReplacer} from '../transfer/purchase/purchase.ts';

setSessionReplacer(replaceRefusedSession);

export {connection, payStep, stepOf} from '../transfer/checkout/pay-step.ts';
export {paymentTitle} from '../transfer/payment-code/payment-details.ts';
export {isSent, paymentStoreOf} from '../transfer/payment/purchase-payment.ts';
export {replaceRefusedSession};

// Without a checkout, `vezne-payment-code` may contain a list of banks.
define(VezneBankList, VeznePaymentCode, VeznePaymentStatus);
