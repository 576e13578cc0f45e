/** The script of a refund link: `<script type="module" src="https://pay.merchant.example/refund.js">`. */

import {define} from './core/define.ts';
import {joinPage} from './core/script-tag.ts';
import {VezneRefundContact} from './refund/vezne-refund-contact.ts';

joinPage(import.meta.url).scripts.set('refund', undefined);
define(VezneRefundContact);
