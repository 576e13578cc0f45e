/** The page with two ways to pay. If a payment is no longer open, hides the other way and all invitations to pay. */

import './demo-bar.ts';
import {openCopyButtons} from './copy-button.ts';
import {sharePaidOrder} from './paid-order.ts';
import {ORDER, PAYMENT_PAGE, save} from './saved.ts';

openCopyButtons();
// A button knows its payment only in the tab in which the shopper has pressed it.
sharePaidOrder(false);

const OPEN: ReadonlySet<string> = new Set(['waiting', 'partial']);

document.addEventListener('vezne-redirect', () => save(ORDER, PAYMENT_PAGE));

document.addEventListener('vezne-payment', (event) => {
  const {payment, target} = event as Event & {readonly payment: {readonly state: string}};
  const isOpen = OPEN.has(payment.state);
  for (const way of document.querySelectorAll<HTMLElement>('.ways > li')) {
    way.hidden = !isOpen && !way.contains(target as Node);
  }
  for (const invitation of document.querySelectorAll<HTMLElement>('.ways > li > p, .ways-page .aside-links')) {
    invitation.hidden = !isOpen;
  }
});
