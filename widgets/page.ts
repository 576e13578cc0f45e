/** The script of the pages that the Worker serves: the buttons that share and print the page. */

import {copyText, shareText} from './transfer/payment/clipboard.ts';

/** The page's address without query and fragment, which belong to this visit. */
const address = location.origin + location.pathname;

const buttons = document.querySelector<HTMLElement>('.buttons');
const message = document.querySelector<HTMLElement>('.share [role=status]');

if (buttons) buttons.hidden = false;

buttons?.addEventListener('click', ({target}) => {
  const {dataset} = target as HTMLElement;
  if (dataset['print'] !== undefined) print();
  if (dataset['share'] !== undefined)
    void shareText(address, async () => say((await copyText(address)) ? (dataset['copied'] ?? '') : address));
});

/** Says what the button has done: the link is copied, or has to be copied by hand. */
function say(text: string): void {
  if (message) message.textContent = text;
}

// An order was placed: paper shows its code.
document.addEventListener('vezne-order-code', () => document.body.classList.add('is-ordered'));
