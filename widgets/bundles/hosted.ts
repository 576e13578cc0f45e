/** The elements that lead to the platform's own pages and back. */

import {define} from '../core/define.ts';
import {VeznePayButton} from '../transfer/pay-button/vezne-pay-button.ts';
import {setSessionReplacer} from '../transfer/purchase/purchase.ts';
import './payment-notice.ts';

setSessionReplacer(async (purchase, token) => (await import('./payment.ts')).replaceRefusedSession(purchase, token));

define(VeznePayButton);
