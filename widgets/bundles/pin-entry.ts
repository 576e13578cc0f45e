/** A lazy bundle: requests a PIN and lets the shopper enter it. Loaded while the shopper types the number. */

import {define} from '../core/define.ts';
import {EnrollmentController} from '../subscription/enrollment-controller.ts';
import {enrollmentView} from '../subscription/enrollment-view.ts';
import type {SubscriptionHost} from '../subscription/offer.ts';
import {VeznePinEntry} from '../subscription/pin-subscribe/vezne-pin-entry.ts';

export {formatInWords} from '../subscription/duration.ts';
export {foldedTerms} from '../subscription/pin-subscribe/folded-terms.ts';

/** What the element shows of its enrollment. */
export const enrollmentOf = (host: SubscriptionHost) => new EnrollmentController(host, enrollmentView);

define(VeznePinEntry);
