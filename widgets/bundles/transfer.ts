/** All elements of a bank transfer, for pages that bundle the modules. */

import {elements as choosing} from './checkout.ts';
import {elements as paying} from './payment.ts';

export {define} from '../core/define.ts';
export {takeHandoffLink} from '../transfer/purchase/handoff-link.ts';
export const elements = [...choosing, ...paying];
