/** The element with which a subscriber sees and ends a subscription. */

import {VezneSubscription} from '../subscription/manage/vezne-subscription.ts';

export {define} from '../core/define.ts';
export const elements = [VezneSubscription];
