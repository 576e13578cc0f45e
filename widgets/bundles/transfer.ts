/** All elements of a bank transfer, for pages that bundle the modules. */

import {elements as checkout} from './checkout.ts';
import {elements as payment} from './payment.ts';

export {define} from '../core/define.ts';
export {takeHandoffLink} from '../transfer/purchase/handoff-link.ts';
export const elements = [...checkout, ...payment];
