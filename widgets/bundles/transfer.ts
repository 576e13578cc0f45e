/** All elements for a bank transfer and the file of the payment step, for tests of the modules as they are. */

import {define} from '../core/define.ts';
import {VezneCheckout} from '../transfer/checkout/vezne-checkout.ts';
import {loadPaymentFile} from '../transfer/payment-file.ts';

export {takeHandoffLink} from '../transfer/purchase/handoff-link.ts';

define(VezneCheckout);
await loadPaymentFile();
