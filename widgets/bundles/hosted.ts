/** The entry of the elements that send the shopper to the platform's own pages. */

import {define} from '../core/define.ts';
import {VeznePayButton} from '../transfer/pay-button/vezne-pay-button.ts';
import './payment-notice.ts';

define(VeznePayButton);
