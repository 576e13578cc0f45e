/** Entry of the bank page. */

import {openBankCounter} from './bank-counter.ts';

openBankCounter();
