/** What the shop page adds to the kit: the bank beside it. A merchant needs none of this. */

import {openBankCounter} from './bank-counter.ts';
import {Tabs} from './tabs.ts';

const counter = openBankCounter();
const bar = document.querySelector<HTMLElement>('.tabs');
const tabs = bar && new Tabs(bar);

// Who chose a bank in the shop pays into the account there.
document.addEventListener('vezne-bank-select', (event) => {
  const {bank} = event as Event & {readonly bank: {readonly code: string}};
  counter.useBank(bank.code);
});

// Another offer of the same lamp: what happens when its time is over can be seen without waiting for days.
for (const hours of document.querySelectorAll<HTMLInputElement>('[name="hours"]')) {
  hours.addEventListener('change', () => document.querySelector('vezne-checkout')?.setAttribute('offer', hours.value));
}

// A new code appears at the bank at once.
document.addEventListener('vezne-order-code', () => {
  void counter.refresh();
  tabs?.notify('bank');
});
// And who is at the bank sees that the shop has noticed.
document.addEventListener('vezne-payment', () => tabs?.notify('shop'));
