/**
 * The page of an order, to which the link in the checkout's `paid` slot leads. A shop's server would show the order
 * that it stored; this page shows the order that this browser stored.
 */

import './demo-bar.ts';
import {isPaidState, sharePaidOrder} from './paid-order.ts';
import {load, ORDER, PAY_UNTIL} from './saved.ts';

const OPEN: ReadonlySet<string> = new Set(['waiting', 'partial']);

const find = (selector: string) => document.querySelector(selector) as HTMLElement;

// The shop has two offers for the same lamp, which differ in the time to pay.
if (new URLSearchParams(location.search).get('offer') === 'brief')
  document.querySelector('vezne-payment-status')?.setAttribute('offer', 'brief');

sharePaidOrder(true);
const hasOrder = load(ORDER) !== '';
find('#order-none').hidden = hasOrder;
find('#order-known').hidden = !hasOrder;
find('.aside-links').hidden = !hasOrder;

document.addEventListener('vezne-payment', (event) => {
  const {state, order} = (event as Event & {readonly payment: {readonly state: string; readonly order: string}})
    .payment;
  showReference(order, OPEN.has(state) ? load(PAY_UNTIL) : '');
  find('#order-open').hidden = !OPEN.has(state);
  find('#delivery').hidden = !isPaidState(state);
});

/** Shows the order's number and, while it can be paid, the deadline of the payment. */
function showReference(order: string, payUntil: string): void {
  const reference = find('#order-reference');
  const {number = '', until = ''} = reference.dataset;
  const time = new Intl.DateTimeFormat(document.documentElement.lang === 'en' ? 'en-GB' : 'tr-TR', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    // The elements show Turkish time too.
    timeZone: 'Europe/Istanbul',
  });
  const deadline = payUntil && ` · ${until} ${time.format(new Date(payUntil))}`;
  // In groups, as on the receipt.
  reference.textContent = `${number} ${order.replaceAll(/.{6}(?=.)/g, '$& ')}${deadline}`;
}
