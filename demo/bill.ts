/** The shop sends a bill by link; the shopper pays too much, and gets it back by link. */

import './demo-bar.ts';
import {readAmount, showAmount} from './amount.ts';
import {callMerchant} from './merchant-server.ts';
import {pollWhileVisible, SandboxClient} from './sandbox-client.ts';

interface OrderAnswer {
  readonly order_code: string | null;
  readonly payment: {readonly amount: string; readonly paid: string; readonly refundable: {readonly amount: string}};
}

const SERVICE = 'DEMO';
const TOO_MUCH = 50;
const find = <T extends HTMLElement>(selector: string) => document.querySelector(selector) as T;
const form = find<HTMLFormElement>('#make');
const state = find('#state p');
const overpay = find<HTMLButtonElement>('#overpay');
const giveBack = find<HTMLButtonElement>('#give-back');
const phone = find('.phone');
const {lang} = document.documentElement;
const key = form.dataset['key'] ?? '';
const sandbox = new SandboxClient(form.dataset['sandbox'] ?? '');

let order = '';
let shown: OrderAnswer | undefined;
let refundLink = '';

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const {title = '', amount = ''} = Object.fromEntries(new FormData(form)) as Record<string, string>;
  const reference = `F-${Date.now().toString(36)}`;
  try {
    const {url} = await callMerchant<{url: string}>(key, 'PUT', `offers/${reference.toLowerCase()}`, {
      kind: 'payment',
      service: SERVICE,
      order: reference,
      amount: readAmount(amount, lang) ?? amount,
      title: {tr: title, en: title},
      seller: {name: 'Fener Atölyesi', support_phone: '0850 000 00 00', support_email: 'destek@fener.example'},
    });
    [order, shown, refundLink] = [reference, undefined, ''];
    find('#bill-result').textContent = '';
    phone.querySelector('ol')?.replaceChildren();
    receive(phone.dataset['bill'] ?? '', url);
    say('open');
    find('#state').hidden = false;
    await refresh();
  } catch {
    // What is shown of the bill before would look like an answer.
    find('#state').hidden = true;
    find('#bill-result').textContent = form.dataset['wrong'] ?? '';
  }
});

/** The phone gets a message with a link. */
function receive(text: string, url: string): void {
  const [message, sentence, link] = [
    document.createElement('li'),
    document.createElement('p'),
    document.createElement('a'),
  ];
  sentence.textContent = text;
  Object.assign(link, {href: url, target: '_blank', rel: 'noopener', textContent: url});
  message.append(sentence, link);
  phone.querySelector('ol')?.prepend(message);
  phone.hidden = false;
}

function say(name: string, amount = ''): void {
  const text = [state.dataset[name] ?? '', amount && showAmount(amount, lang)].filter(Boolean).join(' ');
  if (state.textContent !== text) state.textContent = text;
}

/** Reads the order as the shop's server would, which events would tell without polling. */
const refresh = pollWhileVisible(async () => {
  if (order === '') return;
  shown = await callMerchant<OrderAnswer>(key, 'GET', `orders?service=${SERVICE}&order=${order}`).catch(
    () => undefined,
  );
  if (!shown?.order_code) return;
  const {amount} = shown.payment.refundable;
  overpay.hidden = shown.payment.paid !== '0.00';
  giveBack.hidden = amount === '0.00' || refundLink !== '';
  if (refundLink !== '') say(amount === '0.00' ? 'refunded' : 'linked', amount === '0.00' ? '' : amount);
  else if (amount === '0.00') say('ordered');
  else say('overpaid', amount);
});

overpay.addEventListener('click', async () => {
  if (!shown?.order_code) return;
  overpay.hidden = true;
  const amount = (Number(shown.payment.amount) + TOO_MUCH).toFixed(2);
  await sandbox.send({description: shown.order_code, bank: 'ziraat', amount, sender: 'Deniz Örnek'});
  await refresh();
});

giveBack.addEventListener('click', async () => {
  giveBack.hidden = true;
  const {url} = await callMerchant<{url: string}>(key, 'POST', 'refund-links', {service: SERVICE, order});
  refundLink = url;
  receive(phone.dataset['refund'] ?? '', url);
  await refresh();
});
