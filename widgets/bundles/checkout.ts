/** The entry of the bundle that a bank transfer needs first: the checkout and the bank list. */

import {define} from '../core/define.ts';
import {VezneBankList} from '../transfer/bank-list/vezne-bank-list.ts';
import {VezneCheckout} from '../transfer/checkout/vezne-checkout.ts';

define(VezneBankList, VezneCheckout);
