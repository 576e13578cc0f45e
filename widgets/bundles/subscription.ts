/** The entry of the element that shows a subscription and cancels it. */

import {define} from '../core/define.ts';
import {VezneSubscription} from '../subscription/manage/vezne-subscription.ts';

define(VezneSubscription);
