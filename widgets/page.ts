/** The script of the pages that the Worker serves: the buttons that share and print the page, and its end. */

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

// Of an order, paper shows the code. A receipt has buttons of its own.
document.addEventListener('vezne-order-code', () => document.body.classList.add('is-ordered'));
document.addEventListener('vezne-payment', ({payment}) =>
  document.body.classList.toggle('is-paid', /paid|completed/.test(payment.state)),
);

// The page says that a bill is closed. A browser that ordered shows its order instead, for example the receipt.
const receipt = document.querySelector('template');
if (receipt && hasOrdered(receipt.content.querySelector('[offer]')?.getAttribute('offer') ?? '')) {
  document.querySelector('.notice')?.remove();
  receipt.replaceWith(receipt.content);
}

// A page without an order has no socket. It looks at itself when the shopper returns: another device may have paid.
if (!receipt) document.addEventListener('visibilitychange', () => void showEnd());

async function showEnd(): Promise<void> {
  const isOrdered = document.body.classList.contains('is-ordered');
  if (document.hidden || isOrdered || !document.querySelector('vezne-checkout')) return;
  const page = await fetch(location.href).catch(() => undefined);
  // An expired link has the status 410. Another failure says nothing of this page.
  if (page && (page.ok || page.status === 410) && (await page.text()).includes('class="notice"')) location.reload();
}

/** Whether the checkout has stored an order code (`SavedOrder`). This file shares no code with others (vite.config.ts). */
function hasOrdered(offer: string): boolean {
  try {
    return /"orderCode":/.test(localStorage.getItem(`vezne ${location.origin} ${offer}`) ?? '');
  } catch {
    return false;
  }
}
