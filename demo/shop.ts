/** The shop page: one of two ways to pay, with the bank counter beside it. A merchant does not need this. */

import './demo-bar.ts';
import {openBankCounter} from './bank-counter.ts';
import {promisesDelivery, SHARED_OFFER, sharePaidOrder, type ShownPayment} from './paid-order.ts';
import {Tabs} from './tabs.ts';
import {keepVariant} from './variant.ts';

const OPEN: ReadonlySet<string> = new Set(['waiting', 'partial']);
type PaymentEvent = Event & {readonly payment: ShownPayment};

/** Whether the shopper pays on pages of the platform, to which buttons lead. */
const isHosted = new URLSearchParams(location.search).get('pay') === 'platform';
keepVariant(isHosted ? 'platform' : 'here');
// A button knows its payment only in the tab in which the shopper has pressed it.
sharePaidOrder(!isHosted);

const counter = openBankCounter();
const bar = document.querySelector<HTMLElement>('.tabs');
const tabs = bar && new Tabs(bar);
/** The link to the other way to pay, which is for the offer that both ways share. */
const otherWay = document.querySelector<HTMLElement>('.pay .aside-links');
const delivery = document.querySelector<HTMLElement>('#delivery');

// The counter pays into the account at the bank that the shopper chose in the shop.
document.addEventListener('vezne-bank-select', (event) => {
  const {bank} = event as Event & {readonly bank: {readonly code: string}};
  counter.setBank(bank.code);
});

// The radio buttons select between offers of the same lamp with different times to pay. With the shortest time, you see
// an order expire without waiting for days.
for (const hours of document.querySelectorAll<HTMLInputElement>('[name="hours"]')) {
  hours.addEventListener('change', () => {
    if (otherWay && !isHosted) otherWay.hidden = hours.value !== SHARED_OFFER;
    document.querySelector('vezne-checkout')?.setAttribute('offer', hours.value);
  });
}

// The counter shows a new order code immediately.
document.addEventListener('vezne-order-code', (event) => {
  const {orderCode} = event as Event & {readonly orderCode: {readonly order_code: string}};
  tabs?.notify('bank');
  void counter.setOwnOrder(orderCode.order_code);
});

document.addEventListener('vezne-payment', (event) => {
  const {payment, target} = event as PaymentEvent;
  tabs?.notify('shop');
  const isSent = promisesDelivery(payment);
  if (delivery) delivery.hidden = !isSent;
  for (const link of document.querySelectorAll<HTMLElement>('[slot=paid] a')) link.hidden = !isSent;
  const isOpen = OPEN.has(payment.state);
  if (!isHosted) {
    const isShared = (target as Element).getAttribute('offer') === SHARED_OFFER;
    if (otherWay) otherWay.hidden = !isShared || !(isOpen || payment.state === 'expired');
    return;
  }
  // If a payment is no longer open, the page hides the other button and all invitations to pay.
  for (const way of document.querySelectorAll<HTMLElement>('.ways > li')) {
    way.hidden = !isOpen && !way.contains(target as Node);
  }
  for (const invitation of document.querySelectorAll<HTMLElement>('.ways > li > p, .pay .aside-links')) {
    invitation.hidden = !isOpen;
  }
});
