/** A lazy bundle: the form for a transfer without its code. The build puts this bundle into the file of `hosted.ts`. */

import {define} from '../core/define.ts';
import {VeznePaymentNotice} from '../transfer/payment-notice/vezne-payment-notice.ts';

export {takeReturnOutcome} from '../transfer/return-url.ts';

define(VeznePaymentNotice);
