/** What asks for a PIN and takes it: it comes while the number is being typed. */

import {define} from '../core/define.ts';
import {VeznePinEntry} from '../subscription/pin-subscribe/vezne-pin-entry.ts';

export {findEnrollment} from '../subscription/enrollment.ts';

define(VeznePinEntry);
