import {html, nothing, type ReactiveController, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {isEscape} from '../../core/escape.ts';
import {StoreController} from '../../core/store.ts';
import {button} from '../../core/templates.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import {next} from '../payment/payment-events.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import type {Purchase} from '../purchase/purchase.ts';

/** The file of the form. */
export const noticeElements = lazyElements(() => import('../../bundles/payment-notice.ts'));

/** The properties that the element around the form passes to it. */
export interface NoticeFormOptions {
  readonly lang: string;
  readonly offer: string;
  readonly session: string;
  readonly api: string;
}

/** Offers the payment notice to a shopper who forgot the code. Loads the form when the shopper opens it. */
export class ForgottenCode implements ReactiveController {
  /** Whether the focus must still move to the opened form. */
  #shouldFocusForm = false;
  /** Whether the shopper has typed into the form, so that Escape must not discard it. */
  #isTouched = false;
  readonly #form: StoreController<typeof noticeElements>;

  constructor(
    readonly host: VezneElement<unknown>,
    readonly purchase: () => Purchase,
    readonly view: () => PaymentView,
  ) {
    host.addController(this);
    this.#form = new StoreController(host, () => (view().report === 'open' ? noticeElements : undefined));
  }

  hostUpdated(): void {
    if (!this.#shouldFocusForm || !this.#form.store?.value) return;
    this.#shouldFocusForm = false;
    this.host.shadowRoot?.querySelector<HTMLElement>('vezne-payment-notice')?.focus();
  }

  /** Whether the form is shown. */
  get isOpen(): boolean {
    return !!this.#form.store?.value;
  }

  /** Renders the question, which is shown below the state of the payment. */
  renderQuestion(t: PaymentMessages): TemplateResult | typeof nothing {
    const {report, isReportUnfinished: isUnsent, text} = this.view();
    if (report === 'none') return nothing;
    const isNextStep = text === 'report-unfinished';
    return html`${isUnsent && !isNextStep ? html`<p>${t.views['report-unfinished'][0]}.</p>` : nothing}
    ${
      this.isOpen
        ? nothing
        : html`<button type="button" class="${isNextStep ? 'button' : 'link'} forgotten" part="button" @click=${() => this.#open()}>
            ${isUnsent ? t.noticeFinish : t.codeForgotten}
          </button>`
    }`;
  }

  /** Renders the form. The host shows it outside the text column, so that it is as wide as the card. */
  renderForm({lang, offer, session, api}: NoticeFormOptions, t: PaymentMessages): TemplateResult | typeof nothing {
    const {store} = this.#form;
    if (!store) return nothing;
    const renderNotice = () => html`<vezne-payment-notice
        lang=${lang}
        exportparts="title,field,problem,button"
        .offer=${offer}
        .session=${session}
        .api=${api}
        @vezne-notice=${() => this.purchase().send({is: 'money-sent', at: Date.now()}, next)}
        ><slot name="human-check" slot="human-check"></slot
      ></vezne-payment-notice>`;
    return html`<div class="report" @keydown=${this.#onKey} @input=${this.#onInput}>
      ${this.host.renderQuery(store, renderNotice, () => html``)}
      ${button(t.cancel, () => void this.#close(), 'link')}
    </div>`;
  }

  #open(): void {
    this.#shouldFocusForm = true;
    this.#isTouched = false;
    this.purchase().send({is: 'report-opened'}, next);
  }

  /** Closes the form. The focus returns to the button that opened it. */
  async #close(): Promise<void> {
    this.purchase().send({is: 'report-closed'}, next);
    await this.host.updateComplete;
    this.host.shadowRoot?.querySelector<HTMLElement>('.forgotten')?.focus();
  }

  readonly #onInput = (): void => void (this.#isTouched = true);

  readonly #onKey = (event: KeyboardEvent): void => {
    if (isEscape(event) && !this.#isTouched) void this.#close();
  };
}
