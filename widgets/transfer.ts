/** All elements of a bank transfer, for pages that bundle the modules. */

import {elements as choosing} from './choosing.ts';
import {elements as paying} from './paying.ts';

export {define} from './define.ts';
export {takeHandoffLink} from './handoff/take-link.ts';
export const elements = [...choosing, ...paying];
