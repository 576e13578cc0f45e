/** The form for a transfer without its code. It comes with the pay button: the build puts this bundle into the file of `hosted.ts`. */

import {define} from '../core/define.ts';
import {VeznePaymentNotice} from '../transfer/payment-notice/vezne-payment-notice.ts';

define(VeznePaymentNotice);
