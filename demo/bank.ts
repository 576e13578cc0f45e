import {openBankCounter} from './bank-counter.ts';

openBankCounter();
