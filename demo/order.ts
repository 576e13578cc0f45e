/**
 * The page of an order, to which the link in the checkout's `paid` slot leads. A shop's server would show the order
 * that it stored; this page shows the order that this browser stored.
 */

import './demo-bar.ts';
import {load, ORDER} from './saved.ts';

const PAID: ReadonlySet<string> = new Set(['paid', 'overpaid', 'completed']);
const OPEN: ReadonlySet<string> = new Set(['waiting', 'partial']);

const find = (selector: string) => document.querySelector(selector) as HTMLElement;

// The shop has two offers for the same lamp, which differ in the time to pay.
if (new URLSearchParams(location.search).get('offer') === 'brief')
  document.querySelector('vezne-payment-status')?.setAttribute('offer', 'brief');

const hasOrder = load(ORDER) !== '';
find('#order-none').hidden = hasOrder;
find('#order-known').hidden = !hasOrder;
find('.aside-links').hidden = !hasOrder;

document.addEventListener('vezne-payment', (event) => {
  const {state} = (event as Event & {readonly payment: {readonly state: string}}).payment;
  find('#order-open').hidden = !OPEN.has(state);
  find('#delivery').hidden = !PAID.has(state);
});
