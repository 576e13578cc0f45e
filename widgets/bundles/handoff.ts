/** What opens an order on a second device: it comes when the shopper asks for it. */

import {define} from '../core/define.ts';
import {VezneHandoff} from '../transfer/handoff/vezne-handoff.ts';

define(VezneHandoff);
