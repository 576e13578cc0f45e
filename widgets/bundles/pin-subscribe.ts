/** The elements with which a number is subscribed. */

import {VeznePinSubscribe} from '../subscription/pin-subscribe/vezne-pin-subscribe.ts';

export {define} from '../core/define.ts';
export const elements = [VeznePinSubscribe];
