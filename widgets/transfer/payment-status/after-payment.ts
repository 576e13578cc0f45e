import {html, nothing, type ReactiveController, type TemplateResult} from 'lit';
import type {Payment} from '../../../worker/contract/browser/answers.ts';
import type {PaidPurchase} from '../../core/purchases.ts';
import {button} from '../../core/templates.ts';
import {VezneEvent, type VezneElement} from '../../core/vezne-element.ts';
import type {PaymentOutcomeMessages} from '../../locales/payment-outcome.ts';
import {announce, isMarked, mark, once} from './purchases.ts';

/** A shopper can read the card for this time. */
const WAIT_MS = 5_000;

/** Tells the page that an order is paid, and leads the shopper once to the page that the merchant has named for it. */
export class AfterPayment implements ReactiveController {
  /** The order that was told. */
  #told = '';
  /** Where the order leads, and the name of its mark; undefined if it leads nowhere, or the shopper was led. */
  #next: {readonly url: string; readonly name: string} | undefined;
  #isLeaving = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly host: VezneElement<unknown>) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#lead();
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#isLeaving = false;
  }

  /**
   * @param payment - All of its money has arrived.
   * @param isDone - Whether the shopper has nothing else to read.
   */
  tell(payment: Payment, isDone: boolean): void {
    const {order, order_code, amount, purchase = {}} = payment;
    if (this.#told === order) return;
    this.#told = order;
    this.hostDisconnected();
    const {address, offer} = this.#outer;
    const key = `${address} ${order}`;
    const paid: PaidPurchase = {
      kind: 'payment',
      order,
      order_code,
      amount,
      currency: 'TRY',
      // The name of a bill ends with its secret.
      offer: offer.split('.')[0] || null,
      campaign: purchase.campaign ?? {},
    };
    announce(key, paid, () => (this.host.isConnected ? this.host : document).dispatchEvent(new PurchaseEvent(paid)));
    const url = addressOf(payment);
    this.#next = url && isDone ? {url, name: `after ${key}`} : undefined;
    this.#lead();
  }

  /** The way to the merchant's page, which stays after the shopper was led there. */
  render(payment: Payment, t: PaymentOutcomeMessages): TemplateResult | typeof nothing {
    const url = addressOf(payment);
    if (!url) return nothing;
    return html`<p class="muted" role="status">${this.#isLeaving ? t.afterSoon : nothing}</p>
      <a class="button" part="button" href=${url} @click=${() => this.#onStay()}>${t.afterNow}</a>
      ${this.#isLeaving ? button(t.afterStay, () => this.#onStay(), 'link') : nothing}`;
  }

  /** Leads the shopper on after some time, which begins anew if the page is loaded or the element is moved. */
  readonly #lead = (): void => {
    if (!this.#next || !this.host.isConnected || this.#isLeaving || isMarked(this.#next.name)) return;
    if (document.hidden) return document.addEventListener('visibilitychange', this.#lead, {once: true});
    const {url, name} = this.#next;
    this.#isLeaving = true;
    this.#timer = setTimeout(() => void once(name, () => location.assign(url)).then(this.#stop), WAIT_MS);
    this.host.requestUpdate();
  };

  /** The shopper stays on this page, or has left it by the link. */
  #onStay(): void {
    if (this.#next) mark(this.#next.name);
    this.#stop();
  }

  readonly #stop = (): void => {
    this.#next = undefined;
    this.hostDisconnected();
    this.host.requestUpdate();
  };

  /** The element that a page has, around those in its shadow root. */
  get #outer(): VezneElement<unknown> {
    let {host} = this;
    for (let root; (root = host.getRootNode()) instanceof ShadowRoot && 'address' in root.host;)
      host = root.host as VezneElement<unknown>;
    return host;
  }
}

/** Undefined unless it is a web page: the answer is from the network. */
function addressOf({purchase}: Payment): string | undefined {
  const url = purchase?.after_payment;
  return url && /^https?:/.test(url) ? url : undefined;
}

/** The whole amount of an order has arrived. The event comes once for each order in this browser. */
export class PurchaseEvent extends VezneEvent {
  constructor(readonly purchase: PaidPurchase) {
    super('vezne-purchase');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-purchase': PurchaseEvent;
  }
}
