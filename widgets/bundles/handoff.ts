/** What opens an order on a second device: it comes when the shopper asks for it. */

import {VezneHandoff} from '../transfer/handoff/vezne-handoff.ts';

export {define} from '../core/define.ts';
export const elements = [VezneHandoff];
