/** What asks for a PIN and takes it: it comes while the number is being typed. */

import {VeznePinEntry} from '../subscription/pin-subscribe/vezne-pin-entry.ts';

export {define} from '../core/define.ts';
export {findEnrollment} from '../subscription/enrollment.ts';
export const elements = [VeznePinEntry];
