/** The element with which a subscriber sees and ends a subscription. */

import {define} from '../core/define.ts';
import {VezneSubscription} from '../subscription/manage/vezne-subscription.ts';

define(VezneSubscription);
