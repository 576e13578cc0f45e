/** The elements a shopper meets first: what a page gets that has one of them. */

import {VezneBankList} from './bank-list/vezne-bank-list.ts';
import {VezneCheckout} from './checkout/vezne-checkout.ts';

export {define} from './define.ts';
export const elements = [VezneBankList, VezneCheckout];
