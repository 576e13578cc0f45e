/** What the shop page adds to the kit: the bank beside it. A merchant needs none of this. */
import {openBankCounter} from './bank-counter.ts';
import {Tabs} from './tabs.ts';

const counter = openBankCounter();
const bar = document.querySelector<HTMLElement>('.tabs');
const tabs = bar && new Tabs(bar);

// A new code appears at the bank at once.
document.addEventListener('vezne-order-code', () => {
  void counter.refresh();
  tabs?.notify('bank');
});
// And who is at the bank sees that the shop has noticed.
document.addEventListener('vezne-payment', () => tabs?.notify('shop'));
