/** The entry of the elements that send the shopper to the platform's own pages. */

import {define} from '../core/define.ts';
import {VeznePayButton} from '../transfer/pay-button/vezne-pay-button.ts';
import {setSessionReplacer} from '../transfer/purchase/purchase.ts';
import './checkout.ts';
import './payment-notice.ts';

setSessionReplacer(async (purchase, token) => (await import('./payment.ts')).replaceRefusedSession(purchase, token));

define(VeznePayButton);
