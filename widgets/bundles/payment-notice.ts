/** A lazy bundle: the form for a transfer sent without its code. The build puts it into the file of `hosted.ts`. */

import {define} from '../core/define.ts';
import {VeznePaymentNotice} from '../transfer/payment-notice/vezne-payment-notice.ts';

define(VeznePaymentNotice);
