/** The page with two ways to pay: after the shopper has paid in one way, it hides the other. */

import './demo-bar.ts';
import {openCopyButtons} from './copy-button.ts';
import {ORDER, save} from './saved.ts';

openCopyButtons();

const OPEN: ReadonlySet<string> = new Set(['waiting', 'partial']);

document.addEventListener('vezne-redirect', () => save(ORDER, 'payment page'));

document.addEventListener('vezne-payment', (event) => {
  const {payment, target} = event as Event & {readonly payment: {readonly state: string}};
  for (const way of document.querySelectorAll<HTMLElement>('.ways > li')) {
    way.hidden = !OPEN.has(payment.state) && !way.contains(target as Node);
  }
});
