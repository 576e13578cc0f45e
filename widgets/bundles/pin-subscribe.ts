/** The elements with which a number is subscribed. */

import {define} from '../core/define.ts';
import {VeznePinSubscribe} from '../subscription/pin-subscribe/vezne-pin-subscribe.ts';

define(VeznePinSubscribe);
