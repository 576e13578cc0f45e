/** The element with which a marketplace's vendor registers. */

import {VezneVendorForm} from '../vendor-form/vezne-vendor-form.ts';

export {define} from '../core/define.ts';
export const elements = [VezneVendorForm];
