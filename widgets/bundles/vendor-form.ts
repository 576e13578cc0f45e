/** The entry of the element with which a vendor registers at a marketplace. */

import {define} from '../core/define.ts';
import {VezneVendorForm} from '../vendor-form/vezne-vendor-form.ts';

define(VezneVendorForm);
