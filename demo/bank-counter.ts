/** A simulated bank: it sends any amount with any description, as a shopper's banking app would. */

import {readAmount, remainderOf, shareOf, showAmount, showNumber} from './amount.ts';
import {counterMessages, fallbackMessages} from './bank-counter-messages.ts';
import {makeBusyDay} from './busy-day.ts';
import {isPaid, listedOrders} from './listed-orders.ts';
import {pollWhileVisible, SandboxClient, type SandboxOrder, type SandboxTransfer} from './sandbox-client.ts';
import {BANK, bankOfOrder, groupCode, load, ORDER, save} from './saved.ts';

const MAX_ORDERS = 50;
const RETRY_DELAY_MS = 2000;
const REQUEST_TIMEOUT_MS = 4000;

export class BankCounter {
  /** Redraws the orders and transfers immediately. The counter also redraws them periodically. */
  readonly refresh = pollWhileVisible(() => this.#draw());

  readonly #form: HTMLFormElement;
  readonly #sandbox: SandboxClient;
  readonly #language = document.documentElement.lang;
  readonly #messages = counterMessages[this.#language] ?? fallbackMessages;
  #orders: readonly SandboxOrder[] = [];
  /** Code of the order that the user clicked. */
  #chosenCode = '';
  /** The money that had arrived for the chosen order when the counter last looked. */
  #arrived = '';
  /** The amount that the counter last filled in. */
  #filledAmount = '';
  #drawn = '';
  #isSending = false;
  /** Code of the bank chosen in the shop. */
  #bank = load(BANK);
  /** Code of the order on this browser's shop page. */
  #ownCode = load(ORDER);

  constructor(form: HTMLFormElement) {
    this.#form = form;
    this.#sandbox = new SandboxClient(form.dataset['sandbox'] ?? '');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
    form.addEventListener('click', (event) => this.#onClick(event));
  }

  /** Selects the bank whose account receives the next transfers. */
  setBank(code: string): void {
    this.#bank = code;
    save(BANK, code);
    this.#selectBankInForm();
  }

  /** Marks the order of this browser's shop page. If the form has no description, fills the order into the form. */
  async setOwnOrder(code: string): Promise<void> {
    this.#ownCode = code;
    save(ORDER, code);
    this.#drawn = '';
    await this.refresh();
    const order = this.#orders.find((each) => each.order_code === code);
    if (order && this.#field('description', HTMLInputElement).value === '') this.#chooseOrder(order);
  }

  /** Loads the banks, the orders and the transfers. */
  async open(): Promise<void> {
    await Promise.all([this.#fillBanks(), this.refresh()]);
  }

  async #draw(): Promise<void> {
    const [newest, transfers] = await Promise.all([this.#sandbox.orders(MAX_ORDERS), this.#sandbox.transfers()]);
    const orders = listedOrders(newest, [this.#ownCode, this.#chosenCode]);
    // An unchanged list is not redrawn, so that its buttons keep the focus.
    const next = JSON.stringify([orders, transfers]);
    if (next === this.#drawn) return;
    this.#drawn = next;
    this.#drawOrders(orders);
    this.#drawTransfers(transfers);
  }

  async #fillBanks(): Promise<void> {
    const select = this.#field('bank', HTMLSelectElement);
    for (;;) {
      try {
        const response = await fetch('/v1/banks', {signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS)});
        const {banks} = (await response.json()) as {banks: {code: string; name: string}[]};
        select.replaceChildren(...banks.map(({code, name}) => new Option(name, code)));
        this.#selectBankInForm();
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      }
    }
  }

  #selectBankInForm(): void {
    const select = this.#field('bank', HTMLSelectElement);
    if ([...select.options].some(({value}) => value === this.#bank)) select.value = this.#bank;
  }

  async #send(): Promise<void> {
    if (this.#isSending) return;
    const description = this.#field('description', HTMLInputElement);
    const amountInput = this.#field('amount', HTMLInputElement);
    const amount = readAmount(amountInput.value, this.#language);
    description.ariaInvalid = String(description.value.trim() === '');
    amountInput.ariaInvalid = String(amount === undefined);
    if (description.value.trim() === '') return this.#showFieldError(description, this.#messages.describe);
    if (amount === undefined) return this.#showFieldError(amountInput, this.#messages.amount);
    const sender = this.#field('sender', HTMLInputElement).value.trim();
    this.#isSending = true;
    try {
      const {matched} = await this.#sandbox.send({
        description: description.value,
        bank: this.#field('bank', HTMLSelectElement).value,
        amount,
        ...(sender && {sender}),
      });
      const amountText = showAmount(amount, this.#language);
      this.#showResult(
        matched ? 'good' : 'odd',
        matched ? this.#messages.matched(amountText) : this.#messages.unmatched(amountText),
      );
    } catch {
      this.#showResult('bad', this.#messages.away);
    }
    this.#isSending = false;
    await this.refresh();
  }

  #showFieldError(field: HTMLElement, message: string): void {
    this.#showResult('bad', message);
    field.focus();
  }

  #onClick(event: MouseEvent): void {
    const {target, detail} = event;
    const button = target instanceof Element ? target.closest('button') : undefined;
    // A double click must not send a second transfer, even if the first transfer is already done.
    if (button?.type === 'submit' && detail > 1) event.preventDefault();
    const {share, control, seconds} = button?.dataset ?? {};
    if (share) this.#fillShare(share);
    if (control)
      void this.#run(() => this.#sandbox.control(control, seconds ? {advance_seconds: Number(seconds)} : {}), button);
    if (button?.hasAttribute('data-busy'))
      void this.#run(
        () => makeBusyDay({key: this.#form.dataset['key'] ?? '', sandbox: this.#sandbox}),
        button,
        this.#messages.busyDone,
      );
  }

  /** Fills in a part of an order's amount, and the order's code if the form has no description yet. */
  #fillShare(share: string): void {
    // If no order was clicked, use the newest.
    const order = this.#orders.find(({order_code: code}) => code === this.#chosenCode) ?? this.#orders[0];
    if (!order) return;
    if (this.#field('description', HTMLInputElement).value.trim() === '') this.#chooseOrder(order);
    if (share === 'exact') return this.#fillAmount(remainderOf(order.amount, order.arrived));
    const [numerator, denominator] = share === 'half' ? [1, 2] : [2, 1];
    this.#fillAmount(shareOf(order.amount, numerator, denominator));
  }

  #fillAmount(amount: string): void {
    this.#filledAmount = amount === '' ? '' : showNumber(amount, this.#language);
    this.#field('amount', HTMLInputElement).value = this.#filledAmount;
  }

  async #run(
    control: () => Promise<void>,
    button: HTMLButtonElement | null | undefined,
    done = this.#messages.done,
  ): Promise<void> {
    if (button?.ariaBusy === 'true') return;
    const result = this.#find('.control-result');
    result.textContent = this.#messages.running;
    if (button) button.ariaBusy = 'true';
    try {
      await control();
      result.textContent = done;
    } catch {
      result.textContent = this.#messages.away;
    }
    if (button) button.ariaBusy = null;
    await this.refresh();
  }

  #chooseOrder(order: SandboxOrder): void {
    this.#chosenCode = order.order_code;
    const bank = bankOfOrder(order.order_code);
    if (bank) this.setBank(bank);
    this.#field('description', HTMLInputElement).value = order.order_code;
    this.#fillAmount(remainderOf(order.amount, order.arrived));
    this.#arrived = order.arrived;
    this.#showResult('', '');
    for (const button of this.#form.querySelectorAll<HTMLButtonElement>('.orders button')) {
      button.ariaPressed = String(button.value === order.order_code);
    }
  }

  /** After money arrived for the chosen order, an amount that the user has not changed becomes the remainder. */
  #updateAmount(order: SandboxOrder): void {
    if (order.arrived === this.#arrived) return;
    this.#arrived = order.arrived;
    if (this.#field('amount', HTMLInputElement).value !== this.#filledAmount) return;
    this.#fillAmount(isPaid(order) ? '' : remainderOf(order.amount, order.arrived));
  }

  #drawOrders(orders: readonly SandboxOrder[]): void {
    this.#orders = orders;
    const chosen = orders.find(({order_code: code}) => code === this.#chosenCode);
    if (chosen) this.#updateAmount(chosen);
    this.#find('.orders .empty').hidden = orders.length > 0;
    this.#find('.orders ul').replaceChildren(...orders.map((order) => this.#drawOrder(order)));
  }

  #drawOrder(order: SandboxOrder): HTMLElement {
    const {order_code: code, amount, arrived} = order;
    const button = element(
      'button',
      '',
      element('code', groupCode(code)),
      element('span', showAmount(amount, this.#language)),
    );
    button.type = 'button';
    button.value = code;
    button.ariaPressed = String(code === this.#chosenCode);
    if (arrived !== '0.00')
      button.append(element('small', this.#messages.arrived(showAmount(arrived, this.#language))));
    if (code === this.#ownCode) button.append(badge('own', this.#messages.own));
    if (isPaid(order)) button.append(badge('good', this.#messages.paid));
    button.addEventListener('click', () => this.#chooseOrder(order));
    return element('li', '', button);
  }

  #drawTransfers(transfers: readonly SandboxTransfer[]): void {
    this.#find('.sent').hidden = transfers.length === 0;
    this.#find('.sent ol').replaceChildren(...transfers.map((transfer) => this.#drawTransfer(transfer)));
  }

  #drawTransfer({amount, description, matched, at}: SandboxTransfer): HTMLElement {
    return element(
      'li',
      '',
      element('time', at.slice(11, 16)),
      element('b', showAmount(amount, this.#language)),
      element('code', description),
      matched ? badge('good', this.#messages.matchedBadge) : badge('odd', this.#messages.unmatchedBadge),
    );
  }

  #showResult(tone: '' | 'good' | 'odd' | 'bad', message: string): void {
    const result = this.#find('.result');
    result.className = `result ${tone}`;
    result.textContent = message;
  }

  #find(selector: string): HTMLElement {
    const found = this.#form.querySelector<HTMLElement>(selector);
    if (!found) throw new Error(`The bank counter has no ${selector}.`);
    return found;
  }

  #field<T extends HTMLElement>(name: string, type: new () => T): T {
    const found = this.#form.elements.namedItem(name);
    if (!(found instanceof type)) throw new Error(`The bank counter has no field ${name}.`);
    return found;
  }
}

function badge(tone: 'good' | 'odd' | 'own', text: string): HTMLElement {
  const created = element('span', text);
  created.className = `badge ${tone}`;
  return created;
}

function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text: string,
  ...children: Node[]
): HTMLElementTagNameMap[K] {
  const created = document.createElement(tag);
  created.append(text, ...children);
  return created;
}

/** Finds the bank counter of this page and loads it. */
export function openBankCounter(): BankCounter {
  const form = document.querySelector<HTMLFormElement>('form.counter');
  if (!form) throw new Error('This page has no bank counter.');
  const counter = new BankCounter(form);
  void counter.open();
  return counter;
}
