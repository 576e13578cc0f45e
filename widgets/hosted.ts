/** The elements that lead to the platform's own pages and back. */

import {VeznePayButton} from './pay-button/vezne-pay-button.ts';
import {VeznePaymentNotice} from './payment-notice/vezne-payment-notice.ts';

export {define} from './define.ts';
export const elements = [VeznePayButton, VeznePaymentNotice];
