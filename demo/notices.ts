/** A control of the demo: a visitor approves or rejects submitted payment notices, as the platform's staff does. */

import {showAmount} from './amount.ts';
import {counterMessages, fallbackMessages} from './bank-counter-messages.ts';
import {pollWhileVisible, SandboxClient, type SandboxNotice} from './sandbox-client.ts';
import {groupCode, load, ORDER} from './saved.ts';

/** The status of a notice that the shopper has submitted, and about which the platform has not decided. */
const SUBMITTED = 1;
const REJECTED = -1;
const MAX_ORDERS = 50;

interface ShownNotice extends SandboxNotice {
  /** The code of the notice's order; undefined if the order is not one of the newest. */
  readonly orderCode: string | undefined;
}

export class NoticeControl {
  /** Redraws immediately. The control also redraws itself periodically. */
  readonly refresh = pollWhileVisible(() => this.#draw());

  readonly #root: HTMLElement;
  readonly #list: HTMLElement;
  readonly #result: HTMLElement;
  readonly #sandbox: SandboxClient;
  readonly #language = document.documentElement.lang;
  readonly #messages = counterMessages[this.#language] ?? fallbackMessages;
  #drawn = '[]';
  #isDeciding = false;

  /** @param root - The control. It is hidden while there is nothing to decide and no result to show. */
  constructor(root: HTMLElement) {
    this.#root = root;
    this.#list = root.querySelector('ul') as HTMLElement;
    this.#result = root.querySelector('[role=status]') as HTMLElement;
    this.#result.tabIndex = -1;
    this.#sandbox = new SandboxClient(root.dataset['sandbox'] ?? '');
  }

  async #draw(): Promise<void> {
    const notices = await this.#readNotices();
    this.#root.hidden = notices.length === 0 && this.#result.textContent === '';
    // An unchanged list is not redrawn, so that its buttons keep the focus.
    const next = JSON.stringify(notices);
    if (next === this.#drawn) return;
    this.#drawn = next;
    this.#list.replaceChildren(...notices.map((notice) => this.#drawNotice(notice)));
  }

  /** Reads the notices that wait for a decision. The notice of this browser's order is first. */
  async #readNotices(): Promise<ShownNotice[]> {
    const notices = (await this.#sandbox.notices()).filter(({status}) => status === SUBMITTED);
    if (notices.length === 0) return [];
    const orders = await this.#sandbox.orders(MAX_ORDERS);
    return notices
      .map((notice) => {
        const order = orders.find((each) => each.order === notice.order);
        return Object.assign(notice, {orderCode: order?.order_code});
      })
      .toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
  }

  #drawNotice(notice: ShownNotice): HTMLElement {
    const {order, orderCode, amount, name, created_at: createdAt} = notice;
    const item = document.createElement('li');
    const text = document.createElement('p');
    text.id = `notice-${notice.notice_code}`;
    const code = document.createElement('code');
    code.textContent = orderCode ? groupCode(orderCode) : order;
    const details = [showAmount(amount, this.#language), createdAt.slice(11, 16), name].filter(Boolean);
    text.append(code, ` ${details.join(' · ')}`);
    if (isOwn(notice)) {
      const own = document.createElement('span');
      own.className = 'badge own';
      own.textContent = this.#messages.own;
      text.append(' ', own);
    }
    item.append(
      text,
      this.#button('approve', text.id, () => this.#approve(notice)),
      this.#button('reject', text.id, () => this.#reject(notice)),
    );
    return item;
  }

  /** @param decide - Carries the decision out, and returns the name of the text that says what happened. */
  #button(name: 'approve' | 'reject', describedBy: string, decide: () => Promise<string>): HTMLElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = this.#root.dataset[name] ?? '';
    button.setAttribute('aria-describedby', describedBy);
    button.addEventListener('click', async () => {
      // A second press could send a second transfer. The attribute `disabled` would take the focus from the button.
      if (this.#isDeciding) return;
      this.#setDeciding(true);
      try {
        this.#result.textContent = this.#root.dataset[await decide()] ?? '';
      } catch {
        this.#result.textContent = this.#messages.away;
      }
      await this.refresh();
      this.#setDeciding(false);
      // The pressed button is removed with its notice.
      if (!button.isConnected) this.#result.focus();
    });
    return button;
  }

  /** Disables the buttons of all notices during a decision. */
  #setDeciding(isDeciding: boolean): void {
    this.#isDeciding = isDeciding;
    for (const button of this.#list.querySelectorAll('button')) button.ariaDisabled = String(isDeciding);
  }

  /** Assigns a payment of the same amount that has no order. If there is no such payment, a transfer is sent first. */
  async #approve({notice_code: code, amount, bank}: SandboxNotice): Promise<string> {
    const transfers = await this.#sandbox.transfers(50);
    const found = transfers.find((transfer) => !transfer.matched && transfer.amount === amount);
    const {transaction_id} = found ?? (await this.#sandbox.send({description: this.#messages.noCode, bank, amount}));
    await this.#sandbox.control(`notices/${code}/approve`, {transaction_id});
    return found ? 'approved' : 'paid';
  }

  async #reject({notice_code: code}: SandboxNotice): Promise<string> {
    await this.#sandbox.control(`notices/${code}/status`, {status: REJECTED});
    return 'rejected';
  }
}

/** Returns whether the notice is about the order of this browser. */
function isOwn({orderCode}: ShownNotice): boolean {
  return orderCode !== undefined && orderCode === load(ORDER);
}
