import {html, nothing, type LitElement, type ReactiveController, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {StoreController} from '../../core/store.ts';
import {button} from '../../core/templates.ts';
import type {PaymentMessages} from '../../locales/payment.ts';

/** For how long one waits before being asked whether the transfer went without its code. */
const LONG_WAIT_MS = 300_000;

const noticeElements = lazyElements(() => import('../../bundles/payment-notice.ts'));

/** What the form needs to know of the element around it. */
export interface NoticeFormOptions {
  readonly lang: string;
  readonly offer: string;
  readonly session: string;
  readonly api: string;
}

/** Offers the form for a forgotten code to who has waited long; who opens it has it fetched. */
export class ForgottenCode implements ReactiveController {
  #isWaitLong = false;
  #isOpen = false;
  /** Whether the form was opened and is yet to be led to. */
  #shouldFocusForm = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #form: StoreController<typeof noticeElements>;

  constructor(
    readonly host: LitElement,
    /** Whether money is awaited, and this device may tell of it. */
    readonly mayNotify: () => boolean,
    /** Whether a notice was begun and never submitted. */
    readonly isUnsent: () => boolean,
  ) {
    host.addController(this);
    this.#form = new StoreController(host, () => (this.#isOpen && mayNotify() ? noticeElements : undefined));
  }

  hostUpdated(): void {
    if (this.#shouldFocusForm && this.#form.store?.value) {
      this.#shouldFocusForm = false;
      this.host.renderRoot.querySelector<HTMLElement>('vezne-payment-notice')?.focus();
    }
    if (this.#isWaitLong || !this.mayNotify()) return;
    this.#timer ??= setTimeout(() => {
      this.#isWaitLong = true;
      this.host.requestUpdate();
    }, LONG_WAIT_MS);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** The question, beside what is said of the payment. */
  renderQuestion(t: PaymentMessages): TemplateResult | typeof nothing {
    const isUnsent = this.isUnsent();
    if (!(this.#isWaitLong || isUnsent) || !this.mayNotify()) return nothing;
    return html`${isUnsent ? html`<p>${t.noticeUnsent}</p>` : nothing} ${this.#form.store?.value ? nothing : button(isUnsent ? t.noticeFinish : t.codeForgotten, () => this.#open(), 'link')}`;
  }

  /** The form, as wide as there is room: below both. */
  renderForm({lang, offer, session, api}: NoticeFormOptions): TemplateResult | typeof nothing {
    if (!this.#form.store?.value) return nothing;
    return html`<vezne-payment-notice lang=${lang} exportparts="title,field,problem,button" .offer=${offer} .session=${session} .api=${api}></vezne-payment-notice>`;
  }

  #open(): void {
    this.#isOpen = this.#shouldFocusForm = true;
    this.host.requestUpdate();
  }
}
