/** The element with which a subscriber sees and ends a subscription. */

import {VezneSubscription} from './subscription/vezne-subscription.ts';

export {define} from './define.ts';
export const elements = [VezneSubscription];
