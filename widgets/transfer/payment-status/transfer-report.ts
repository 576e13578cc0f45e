import {html, nothing, type ReactiveController, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {isEscape} from '../../core/escape.ts';
import {StoreController} from '../../core/store.ts';
import {button} from '../../core/templates.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import {next, type PaymentEvent} from '../payment/payment-events.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import type {Purchase} from '../purchase/purchase.ts';

/** The file of the form. */
const noticeElements = lazyElements(() => import('../../bundles/payment-notice.ts'));

/**
 * The report of a transfer whose code the shopper forgot. Loads the form when the shopper opens it. After the shopper has
 * submitted it on the platform's page, records the return, and renders the host again when the view changes by itself,
 * because the platform has not confirmed the report.
 */
export class TransferReport implements ReactiveController {
  /** Whether the focus must still move to the opened form. */
  #shouldFocusForm = false;
  /** Whether the shopper has typed into the form, so that Escape must not discard it. */
  #isTouched = false;
  /** Whether the shopper has returned from the platform's page, and the page has not recorded the return yet. */
  #hasReturned = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #form: StoreController<typeof noticeElements>;

  constructor(
    readonly host: VezneElement<unknown>,
    readonly purchase: () => Purchase,
    readonly view: () => PaymentView,
  ) {
    host.addController(this);
    this.#form = new StoreController(
      host,
      // The file of the form, which the shopper has used before, reads the return URL.
      () => (view().report === 'open' || location.search.includes('=notice.') ? noticeElements : undefined),
      (store) => {
        // The outcome is read only once from the URL. So an element that is moved does not record a second return.
        this.#hasReturned ||= store?.value?.takeReturnOutcome('notice') === 'done';
      },
    );
  }

  hostUpdate(): void {
    // Anybody can write the return URL, so it counts only if the Worker knows a notice of this order.
    if (!this.#hasReturned || !this.view().payment?.notice) return;
    this.#hasReturned = false;
    this.#send({is: 'report-submitted', at: Date.now()});
    // In the next frame, because a checkout first shows the hidden status and changes its place.
    requestAnimationFrame(() => {
      this.host.focus({preventScroll: true});
      this.host.scrollIntoView({block: 'center'});
    });
  }

  hostUpdated(): void {
    this.hostDisconnected();
    const {changesInMs} = this.view();
    if (changesInMs !== undefined) this.#timer = setTimeout(() => this.host.requestUpdate(), changesInMs);
    if (!this.#shouldFocusForm || !this.isOpen) return;
    this.#shouldFocusForm = false;
    this.host.find('vezne-payment-notice')?.focus();
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
  }

  /** Whether the form is shown. */
  get isOpen(): boolean {
    return this.view().report === 'open' && !!this.#form.store?.value;
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
  renderForm(t: PaymentMessages): TemplateResult | typeof nothing {
    if (this.view().report !== 'open') return nothing;
    const {locale, offer, session, address} = this.host;
    const renderNotice = () => html`<vezne-payment-notice
        lang=${locale}
        exportparts="title,field,problem,button"
        .offer=${offer}
        .session=${session}
        .api=${address}
        @vezne-notice=${() => this.#send({is: 'money-sent', at: Date.now()})}
        ><slot name="human-check" slot="human-check"></slot
      ></vezne-payment-notice>`;
    return html`<div class="report" @keydown=${this.#onKey} @input=${this.#onInput}>
      ${this.host.renderQuery(this.#form.store, renderNotice, () => html``)}
      ${button(t.cancel, () => void this.#close(), 'link')}
    </div>`;
  }

  #open(): void {
    this.#shouldFocusForm = true;
    this.#isTouched = false;
    this.#send({is: 'report-opened'});
  }

  /** Closes the form. The focus returns to the button that opened it. */
  async #close(): Promise<void> {
    this.#send({is: 'report-closed'});
    await this.host.updateComplete;
    this.host.find('.forgotten')?.focus();
  }

  #send(event: PaymentEvent): void {
    this.purchase().send(event, next);
  }

  readonly #onInput = (): void => void (this.#isTouched = true);

  readonly #onKey = (event: KeyboardEvent): void => {
    if (isEscape(event) && !this.#isTouched) void this.#close();
  };
}
