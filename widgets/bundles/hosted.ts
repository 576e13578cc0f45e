/** The elements that lead to the platform's own pages and back. */

import {VeznePayButton} from '../transfer/pay-button/vezne-pay-button.ts';
import {VeznePaymentNotice} from '../transfer/payment-notice/vezne-payment-notice.ts';

export {define} from '../core/define.ts';
export const elements = [VeznePayButton, VeznePaymentNotice];
