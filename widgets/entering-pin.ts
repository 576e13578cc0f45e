/** What asks for a PIN and takes it: it comes while the number is being typed. */

import {VeznePinEntry} from './pin-subscribe/vezne-pin-entry.ts';

export {define} from './define.ts';
export {enrollment} from './internal/enrollment.ts';
export const elements = [VeznePinEntry];
