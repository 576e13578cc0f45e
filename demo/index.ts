/** The start page: a live checkout, and a simulated bank with one button per kind of transfer. */

import './demo-bar.ts';
import {remainderOf, shareOf, showAmount} from './amount.ts';
import {counterMessages, fallbackMessages} from './bank-counter-messages.ts';
import {openCopyButtons} from './copy-button.ts';
import {isPaidState, sharePaidOrder} from './paid-order.ts';
import {SandboxClient} from './sandbox-client.ts';
import {ORDER, PAY_UNTIL, save} from './saved.ts';

openCopyButtons();
// The checkout shows a payment of its own order code.
sharePaidOrder(true);

const bank = document.querySelector('.quick-bank') as HTMLElement;
const result = bank.querySelector('.quick-result') as HTMLElement;
const hint = bank.querySelector('#quick-hint') as HTMLElement;
const buttons = [...bank.querySelectorAll<HTMLButtonElement>('[data-send]')];
const sandbox = new SandboxClient(bank.dataset['sandbox'] ?? '');
const language = document.documentElement.lang;
const messages = counterMessages[language] ?? fallbackMessages;

let orderCode = '';
/** Code of the bank that the shopper chose in the checkout. */
let chosenBank = 'ziraat';

document.addEventListener('vezne-bank-select', (event) => {
  chosenBank = (event as Event & {readonly bank: {readonly code: string}}).bank.code;
});
document.addEventListener('vezne-order-code', (event) => {
  const order = (event as Event & {readonly orderCode: {readonly order_code: string; readonly pay_until: string}})
    .orderCode;
  orderCode = order.order_code;
  save(PAY_UNTIL, order.pay_until);
  save(ORDER, orderCode);
  hint.textContent = bank.dataset['ready'] ?? '';
  for (const button of buttons) button.disabled = false;
});
document.addEventListener('vezne-payment', (event) => {
  const {state} = (event as Event & {readonly payment: {readonly state: string}}).payment;
  const isPaid = isPaidState(state);
  bank.classList.toggle('paid', isPaid);
  if (isPaid) hint.textContent = bank.dataset['paid'] ?? '';
});

for (const button of buttons) {
  button.addEventListener('click', () => void send(button.dataset['send'] ?? ''));
}

async function send(kind: string): Promise<void> {
  try {
    const order = (await sandbox.orders(50)).find(({order_code: code}) => code === orderCode);
    if (!order) throw new Error('The sandbox does not know the order.');
    const amount = kind === 'half' ? shareOf(order.amount, 1, 2) : remainderOf(order.amount, order.arrived);
    const description = kind === 'unmatched' ? messages.noCode : orderCode;
    const {matched} = await sandbox.send({description, bank: chosenBank, amount});
    const text = showAmount(amount, language);
    result.textContent = matched ? messages.matched(text) : messages.unmatched(text);
  } catch {
    result.textContent = messages.away;
  }
}
