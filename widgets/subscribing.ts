/** The elements with which a number is subscribed. */

import {VeznePinSubscribe} from './pin-subscribe/vezne-pin-subscribe.ts';

export {define} from './define.ts';
export const elements = [VeznePinSubscribe];
