import {html, nothing, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {isEscape} from '../../core/escape.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton} from '../../core/templates.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';

const handoffElements = lazyElements(() => import('../../bundles/handoff.ts'));

/** Renders the button that shows the QR code for a phone, and below it the QR code. Loads the QR code when needed. */
export class HandoffToggle {
  readonly #host: VezneElement<unknown>;
  readonly #bundle: StoreController<typeof handoffElements>;
  #isOpen = false;

  constructor(host: VezneElement<unknown>) {
    this.#host = host;
    this.#bundle = new StoreController(host, () => (this.#isOpen ? handoffElements : undefined));
  }

  render(t: PaymentMessages): TemplateResult {
    return html`<div class="phone" @keydown=${this.#onKey}>
      <button type="button" class="link" part="button" aria-expanded=${this.#isOpen} @click=${this.#onToggle}>
        ${t.openOnPhone}
      </button>
      ${this.#isOpen ? this.#host.renderQuery(this.#bundle.store, () => this.#renderPanel(), oneRow) : nothing}
    </div>`;
  }

  #renderPanel(): TemplateResult {
    const {address, locale, offer, session} = this.#host;
    return html`<vezne-handoff
      lang=${locale}
      exportparts="qr,button,problem"
      .offer=${offer}
      .session=${session}
      .api=${address}
    ></vezne-handoff>`;
  }

  readonly #onToggle = (): void => {
    this.#isOpen = !this.#isOpen;
    this.#host.requestUpdate();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (!this.#isOpen || !isEscape(event)) return;
    this.#onToggle();
    this.#host.renderRoot.querySelector<HTMLElement>('.phone button')?.focus();
  };
}

const oneRow = () => skeleton(1);
