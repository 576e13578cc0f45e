/** The entry of the element that subscribes a number with a PIN. */

import {define} from '../core/define.ts';
import {VeznePinSubscribe} from '../subscription/pin-subscribe/vezne-pin-subscribe.ts';

define(VeznePinSubscribe);
