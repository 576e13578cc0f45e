/** What opens an order on a second device: it comes when the shopper asks for it. */

import {VezneHandoff} from './handoff/vezne-handoff.ts';

export {define} from './define.ts';
export const elements = [VezneHandoff];
