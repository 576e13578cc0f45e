/** A lazy bundle: requests a PIN and lets the shopper enter it. Loaded while the shopper types the number. */

import {define} from '../core/define.ts';
import {VeznePinEntry} from '../subscription/pin-subscribe/vezne-pin-entry.ts';

export {askSellerAbout} from '../subscription/ask-seller.ts';
export {findEnrollment} from '../subscription/enrollment.ts';
export {
  existingPin,
  foldedTerms,
  mayRequestPin,
  termsChanged,
} from '../subscription/pin-subscribe/after-pin-request.ts';

define(VeznePinEntry);
