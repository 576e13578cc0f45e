/** The entry of all elements for a bank transfer, for pages that bundle the modules themselves. */

import {define} from '../core/define.ts';
import {VezneCheckout} from '../transfer/checkout/vezne-checkout.ts';
import {loadPaymentFile} from '../transfer/payment-file.ts';

export {takeHandoffLink} from '../transfer/purchase/handoff-link.ts';

define(VezneCheckout);
await loadPaymentFile();
