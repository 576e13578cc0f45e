/** The entry of all elements for a bank transfer, for pages that bundle the modules themselves. */

import './checkout.ts';
import './payment.ts';

export {takeHandoffLink} from '../transfer/purchase/handoff-link.ts';
