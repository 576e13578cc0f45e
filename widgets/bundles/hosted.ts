/** The elements that lead to the platform's own pages and back. */

import {VeznePayButton} from '../transfer/pay-button/vezne-pay-button.ts';
import {setSessionReplacer} from '../transfer/purchase/purchase.ts';
import {elements as paymentNotice} from './payment-notice.ts';

setSessionReplacer(async (purchase, token) => (await import('./payment.ts')).replaceRefusedSession(purchase, token));

export {define} from '../core/define.ts';
export const elements = [VeznePayButton, ...paymentNotice];
