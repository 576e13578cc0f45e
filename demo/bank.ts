/** Entry of the page with the test bank and the test phone. */

import {openBankCounter} from './bank-counter.ts';
import {openPhone} from './club/phone.ts';

openBankCounter();
openPhone();
