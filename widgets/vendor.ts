/** The script of a vendor's form: `<script type="module" src="https://pay.merchant.example/vendor.js">`. */

import {startPageScript} from './page-script.ts';
import {VezneVendorForm} from './vendor-form/vezne-vendor-form.ts';

startPageScript({kind: 'vendor', elements: [VezneVendorForm]});
