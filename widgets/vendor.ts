/** The script of a vendor's form: `<script type="module" src="https://pay.merchant.example/vendor.js">`. */

import {define} from './core/define.ts';
import {joinPage} from './core/script-tag.ts';
import {VezneVendorForm} from './vendor-form/vezne-vendor-form.ts';

joinPage(import.meta.url).scripts.set('vendor', undefined);
define(VezneVendorForm);
