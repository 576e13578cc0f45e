/** Connects the shop page with the bank counter beside it. A merchant does not need this. */

import './demo-bar.ts';
import {openBankCounter} from './bank-counter.ts';
import {SHARED_OFFER, sharePaidOrder} from './paid-order.ts';
import {PAY_UNTIL, save} from './saved.ts';
import {Tabs} from './tabs.ts';

sharePaidOrder(true);

const counter = openBankCounter();
const bar = document.querySelector<HTMLElement>('.tabs');
const tabs = bar && new Tabs(bar);
/** The link to other ways to pay. They are for the offer that all pages share. */
const otherWays = document.querySelector<HTMLElement>('.purchase .aside-links');

// The counter pays into the account at the bank that the shopper chose in the shop.
document.addEventListener('vezne-bank-select', (event) => {
  const {bank} = event as Event & {readonly bank: {readonly code: string}};
  counter.setBank(bank.code);
});

// The radio buttons select between offers of the same lamp with different times to pay. With the shortest time, you see
// an order expire without waiting for days.
for (const hours of document.querySelectorAll<HTMLInputElement>('[name="hours"]')) {
  hours.addEventListener('change', () => {
    if (otherWays) otherWays.hidden = hours.value !== SHARED_OFFER;
    document.querySelector('vezne-checkout')?.setAttribute('offer', hours.value);
    const order = document.querySelector<HTMLAnchorElement>('[slot=paid] a');
    if (order) order.search = `?offer=${hours.value}`;
  });
}

// The counter shows a new order code immediately.
document.addEventListener('vezne-order-code', (event) => {
  const {orderCode} = event as Event & {readonly orderCode: {readonly order_code: string; readonly pay_until: string}};
  save(PAY_UNTIL, orderCode.pay_until);
  void counter.setOwnOrder(orderCode.order_code);
  tabs?.notify('bank');
});
// On a phone, mark the shop's tab when the shop shows a new state of the payment. Show the link to other ways to pay
// only in the states in which the shopper can still pay.
document.addEventListener('vezne-payment', (event) => {
  const {payment, target} = event as Event & {readonly payment: {readonly state: string}};
  const isShared = (target as Element).getAttribute('offer') === SHARED_OFFER;
  if (otherWays) otherWays.hidden = !isShared || !['waiting', 'partial', 'expired'].includes(payment.state);
  tabs?.notify('shop');
});
