import {html, nothing, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {isEscape} from '../../core/escape.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton} from '../../core/templates.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import {hasMouse, renderWhenResized} from '../resize.ts';

const handoffElements = lazyElements(() => import('../../bundles/handoff.ts'));

/** How wide an element has to be for two columns. */
const BESIDE_EM = 40;

/** Renders the button that shows the QR code for a phone, and the QR code. Loads the QR code when needed. */
export class HandoffToggle {
  readonly #host: VezneElement<unknown>;
  readonly #bundle: StoreController<typeof handoffElements>;
  #isOpen = false;

  constructor(host: VezneElement<unknown>) {
    this.#host = host;
    this.#bundle = new StoreController(host, () => (this.#isShown ? handoffElements : undefined));
    renderWhenResized(host, () => this.isBeside !== !!host.find('.beside'));
  }

  renderButton(t: PaymentMessages): TemplateResult | typeof nothing {
    if (this.isBeside) return nothing;
    return html`<button type="button" class="link phone" part="button" aria-expanded=${this.#isOpen} @click=${this.#onToggle} @keydown=${this.#onKey}>
      ${t.openOnPhone}
    </button>`;
  }

  renderPanel(): TemplateResult | typeof nothing {
    if (!this.#isShown) return nothing;
    return html`<div class="phone" @keydown=${this.#onKey}>
      ${this.#host.renderQuery(
        this.#bundle.store,
        () => this.#renderHandoff(),
        () => skeleton(1),
      )}
    </div>`;
  }

  #renderHandoff(): TemplateResult {
    const {address, locale, offer, session} = this.#host;
    return html`<vezne-handoff
      lang=${locale}
      exportparts="qr,button,problem"
      .offer=${offer}
      .session=${session}
      .api=${address}
    ></vezne-handoff>`;
  }

  get #isShown(): boolean {
    return this.#isOpen || this.isBeside;
  }

  /** Whether there is room for the QR code beside the instructions, where it is always open. */
  get isBeside(): boolean {
    const base = this.#host.find('.base');
    return (
      !!base && hasMouse() && this.#host.clientWidth >= BESIDE_EM * Number.parseFloat(getComputedStyle(base).fontSize)
    );
  }

  readonly #onToggle = (): void => {
    this.#isOpen = !this.#isOpen;
    this.#host.requestUpdate();
  };

  readonly #onKey = (event: KeyboardEvent): void => {
    if (!this.#isOpen || !isEscape(event)) return;
    this.#onToggle();
    this.#host.find('button.phone')?.focus();
  };
}
