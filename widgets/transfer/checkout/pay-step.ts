import {html, nothing, type TemplateResult} from 'lit';
import type {Locale} from '../../core/locale.ts';
import {Store} from '../../core/store.ts';
import {paymentMessages} from '../../locales/payment.ts';
import {troubleMessages} from '../../locales/trouble.ts';
import {orderCodeOf} from '../payment/purchase-payment.ts';
import {isSettled} from '../purchase/order-client.ts';
import type {Purchase} from '../purchase/purchase.ts';

const CONNECTION_EVENTS = ['online', 'offline'] as const;

/** Notifies when the device goes offline or online. */
class Connection extends Store {
  readonly #onChange = () => this.notify();

  get isOnline(): boolean {
    return navigator.onLine;
  }

  protected override start(): void {
    for (const type of CONNECTION_EVENTS) addEventListener(type, this.#onChange);
  }

  protected override stop(): void {
    for (const type of CONNECTION_EVENTS) removeEventListener(type, this.#onChange);
  }
}

export const connection = new Connection();

interface PayStepOptions {
  readonly purchase: Purchase;
  readonly connection: Connection | undefined;
  readonly changeBank: () => void;
  readonly locale: Locale;
  /** The CSS parts that a page can style through the checkout. */
  readonly parts: string;
  readonly offer: string;
  readonly session: string;
  readonly api: string;
}

/**
 * Renders the checkout's payment step: the order code, until the payment is settled, and the status of the payment. The
 * payment bundle contains this function.
 */
export function payStep(step: PayStepOptions): TemplateResult {
  const {purchase, connection: device, locale, parts, offer, session, api} = step;
  const isPaying = !isSettled(purchase.payment?.value);
  const isOffline = isPaying && device?.isOnline === false;
  return html`<p class="offline" role="status">${isOffline ? troubleMessages[locale].offlineTitle : nothing}</p>
    ${isPaying ? codeStep(step) : nothing}
    <vezne-payment-status
      data-autofocus
      ?hidden=${isStatusHidden(purchase)}
      lang=${locale}
      exportparts=${parts}
      .offer=${offer}
      .session=${session}
      .api=${api}
      ><slot name="paid" slot="paid"></slot
    ></vezne-payment-status>`;
}

function codeStep({changeBank, locale, parts, offer, session, api}: PayStepOptions): TemplateResult {
  const t = paymentMessages[locale];
  return html`<h3 class="step-title" tabindex="-1" data-autofocus>${t.payTitle}</h3>
    <vezne-payment-code lang=${locale} exportparts=${parts} .offer=${offer} .session=${session} .api=${api}>
      <button slot="account" type="button" class="link" part="button" aria-label=${t.bankChange} @click=${changeBank}>
        ${t.change}
      </button>
      <slot name="human-check" slot="human-check"></slot>
    </vezne-payment-code>`;
}

/** Whether the status is hidden. It is hidden while it would tell the shopper nothing more than the order code does. */
function isStatusHidden(purchase: Purchase): boolean {
  const payment = purchase.payment?.value;
  if (purchase.isSessionEnded) return !isSettled(payment);
  return !orderCodeOf(purchase) && (payment?.state ?? 'waiting') === 'waiting';
}
