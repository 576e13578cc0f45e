/** The element with which a marketplace's vendor registers. */

import {define} from '../core/define.ts';
import {VezneVendorForm} from '../vendor-form/vezne-vendor-form.ts';

define(VezneVendorForm);
