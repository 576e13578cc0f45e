/** A lazy bundle: the QR code of a hand-off, loaded when the shopper opens it. */

import {define} from '../core/define.ts';
import {VezneHandoff} from '../transfer/handoff/vezne-handoff.ts';

define(VezneHandoff);
