import {html, nothing, type TemplateResult} from 'lit';
import type {Bank, NoticePrefill} from '../../../worker/contract/browser/answers.ts';
import type {PaymentNoticeRequest} from '../../../worker/contract/browser/requests.ts';
import {fieldError} from '../../core/field-error.ts';
import {toProblem} from '../../core/problem.ts';
import {Query, valueOf} from '../../core/query.ts';
import {StoreController} from '../../core/store.ts';
import {formStyles} from '../../core/styles/form.styles.ts';
import {spinner} from '../../core/styles/spinner.styles.ts';
import {skeleton} from '../../core/templates.ts';
import {VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {paymentNoticeMessages, type PaymentNoticeMessages} from '../../locales/payment-notice.ts';
import {FailedRequest} from '../pay-button/failed-request.ts';
import {NoticeClient, RedirectEvent} from '../pay-button/hosted-pages.ts';
import {whenRestored} from '../pay-button/restored-page.ts';
import {formatPlainAmount} from '../payment/plain-amount.ts';
import {bankDirectory} from '../purchase/bank-directory.ts';
import {isBrought} from '../purchase/facts.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import type {Purchase} from '../purchase/purchase.ts';
import {returnUrl} from '../return-url.ts';
import {looksLikeIdentityNumber, parseNotice, type NoticeErrors} from './notice-fields.ts';
import {styles} from './vezne-payment-notice.styles.ts';

/** The properties that can be different for each input field. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: string;
  readonly autocomplete?: string;
  readonly inputmode?: 'decimal' | 'numeric';
  readonly value?: string | null | undefined;
  readonly hint?: string | undefined;
  readonly isRequired?: boolean;
}

/**
 * The form for a transfer that was sent without its code. It asks to which bank the money was sent, how much and when.
 * It asks for more only if the shopper wants to add more. The shopper completes the notice on the platform's page,
 * which then sends the shopper back. `vezne-checkout` offers the form while it waits; a page can also use it alone.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-payment-notice
 * @event {NoticeEvent} vezne-notice - The platform has created the notice.
 * @event {RedirectEvent} vezne-redirect - The shopper is leaving. The page can prevent this and open the URL itself.
 * @event {ProblemEvent} vezne-error - The notice could not be sent.
 * @slot human-check - The element shows the human check here when the Worker requires it. Pages leave it empty.
 * @csspart base - The card around everything.
 * @csspart title - The heading.
 * @csspart field - Each field.
 * @csspart problem - The notice of a problem.
 * @csspart button - The submit button.
 */
export class VeznePaymentNotice extends VezneElement<PaymentNoticeMessages> {
  static readonly tag = 'vezne-payment-notice';
  static override styles = [VezneElement.styles, formStyles, spinner, styles];

  protected override readonly messages = paymentNoticeMessages;

  get assurance(): string {
    return this.t.notAgain;
  }

  protected override readonly purchase = new PurchaseController(this);
  readonly #banks = new StoreController(this, () => bankDirectory(this.address));
  /** The values for the fields of this purchase. */
  #prefill: {readonly purchase: Purchase; readonly query: Query<Partial<NoticePrefill>>} | undefined;
  readonly #prefillController = new StoreController(this, () => this.#findPrefill());
  #errors: NoticeErrors = {};
  /** When the shopper says to have sent the money: `now`, `today` or `yesterday`. */
  #day = 'now';
  /** When the shopper said so on this page, or when the form was opened; in Turkish time. */
  #sentAt = '';
  #isIdentitySuspicious = false;
  #isSending = false;
  #shouldFocus = false;
  readonly #failed = new FailedRequest(this);
  #lastRequest: PaymentNoticeRequest | undefined;

  constructor() {
    super();
    // The button of a page from the back-forward cache still says that the notice is being sent.
    whenRestored(this, () => (this.#isSending = false));
  }

  /** Focuses the heading. If the heading is not rendered yet, it gets the focus as soon as it is rendered. */
  override focus(): void {
    this.#shouldFocus = true;
    this.requestUpdate();
  }

  protected override updated(): void {
    this.reportProblem(this.#failed.problem);
    super.updated();
    // The values of the order may fill in a field after the shopper has submitted the form.
    this.#removeCorrectedErrors();
    const title = this.#shouldFocus && this.find('h3[tabindex]');
    if (!title) return;
    this.#shouldFocus = false;
    title.focus();
  }

  protected override renderContent(t: PaymentNoticeMessages): TemplateResult {
    return this.renderQuery(this.#banks.store, ({banks}) => this.#renderForm(banks, t));
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(5);
  }

  #renderForm(banks: readonly Bank[], t: PaymentNoticeMessages): TemplateResult {
    if (this.#failed.isFinal)
      return html`${this.#failed.render(this.purchase.current, this.#onHumanCheckPassed, this)}`;
    const {sentAt} = this.purchase.facts.order;
    this.#sentAt ||= turkishTime(sentAt ?? Date.now());
    const prefill = this.#prefillController.store?.value ?? {};
    const chosen = this.purchase.facts.bank;
    const bankError = this.#errorOf('bank', t);
    const amount = prefill.amount && formatPlainAmount(prefill.amount, this.locale);
    // An import of the function that formats mobile numbers would enlarge the first file of every checkout.
    const phone = prefill.phone?.replace(/^(5..)(...)(..)/, '0$1 $2 $3 ');
    const field = (options: Field) => this.#renderField(options, t);
    return html`<h3 part="title" tabindex="-1">${t.title}</h3>
      <p class="muted">${t.text}</p>
      <form novalidate @submit=${this.#onSubmit} @input=${this.#removeCorrectedErrors}>
        <div class="field">
          <label for="bank">${t.bank}</label>
          <select id="bank" name="bank" part="field" aria-required="true" aria-invalid=${!!bankError || nothing} aria-describedby="bank-error">
            <option value="">${t.bankChoose}</option>
            ${banks.map(({id, name}) => html`<option value=${id} translate="no" ?selected=${id === chosen}>${name}</option>`)}
          </select>
          ${fieldError('bank', bankError, false)}
        </div>
        ${field({name: 'amount', label: t.amount, inputmode: 'decimal', value: amount, isRequired: true})}
        ${this.#renderWhen(t)}
        <details>
          <summary class="link">${t.more}</summary>
          <div class="more">
            ${field({name: 'name', label: t.name, autocomplete: 'name', value: prefill.name})}
            ${field({name: 'phone', label: t.phone, type: 'tel', autocomplete: 'tel', value: phone})}
            ${field({name: 'email', label: t.email, type: 'email', autocomplete: 'email', value: prefill.email})}
            ${field({name: 'identity', label: t.identity, inputmode: 'numeric', hint: this.#isIdentitySuspicious ? t.identityWarning : t.identityHint})}
            ${field({name: 'note', label: t.note, value: prefill.description, hint: t.noteHint})}
          </div>
        </details>
        ${this.#failed.render(this.purchase.current, this.#onHumanCheckPassed, this)}
        <button type="submit" class="button" part="button" aria-disabled=${this.#isSending || this.#failed.mustWait || nothing} aria-busy=${this.#isSending || nothing}>
          ${this.#isSending ? t.sending : t.send}
        </button>
      </form>`;
  }

  /** When the money was sent. Behind the three answers is the field for the exact time. */
  #renderWhen(t: PaymentNoticeMessages): TemplateResult {
    const answers = {now: t.justNow, today: t.today, yesterday: t.yesterday};
    const isHidden = this.#day === 'now' && !this.#errors['when'];
    return html`<div class="field" role="group" aria-labelledby="when-label">
      <b id="when-label">${t.when}</b>
      <div class="chips">
        ${Object.entries(answers).map(
          ([day, label]) =>
            html`<button type="button" class="chip" part="button" aria-pressed=${day === this.#day} @click=${() => this.#onDay(day)}>
              ${label}
            </button>`,
        )}
      </div>
      <div ?hidden=${isHidden}>
        ${this.#renderField({name: 'when', label: t.whenExactly, type: 'datetime-local', value: this.#sentAt, isRequired: true}, t)}
      </div>
    </div>`;
  }

  /** Fills in the field. The shopper then corrects the time. */
  #onDay(day: string): void {
    this.#day = day;
    const field = this.find<HTMLInputElement>('#when');
    if (field) field.value = day === 'now' ? this.#sentAt : turkishTime(Date.now() - (day === 'today' ? 0 : DAY_MS));
    this.#removeCorrectedErrors();
    this.requestUpdate();
    if (day !== 'now') void this.updateComplete.then(() => field?.focus());
  }

  #renderField(
    {name, label, type = 'text', autocomplete = 'off', inputmode, value, hint, isRequired}: Field,
    t: PaymentNoticeMessages,
  ): TemplateResult {
    const message = this.#errorOf(name, t);
    return html`<div class="field">
      <label for=${name}>${label}</label>
      <input
        id=${name}
        name=${name}
        type=${type}
        part="field"
        autocomplete=${autocomplete as AutoFill}
        inputmode=${inputmode ?? nothing}
        value=${value ?? nothing}
        aria-required=${isRequired || nothing}
        aria-invalid=${!!message || nothing}
        aria-describedby="${name}-error ${name}-hint"
        @change=${name === 'identity' ? this.#onIdentity : nothing}
      />
      ${fieldError(name, message, false)} ${hint ? html`<p id="${name}-hint" class="muted">${hint}</p>` : nothing}
    </div>`;
  }

  /** The error message of a field, if the field is invalid. */
  #errorOf(name: string, t: PaymentNoticeMessages): string | undefined {
    const error = this.#errors[name];
    return error && t.fieldErrors[error];
  }

  readonly #onIdentity = ({target}: Event): void => {
    const {value} = target as HTMLInputElement;
    this.#isIdentitySuspicious = value.trim() !== '' && !looksLikeIdentityNumber(value);
    this.requestUpdate();
  };

  /** Removes the errors of the fields that are correct now. Never adds the error of another field. */
  readonly #removeCorrectedErrors = (): void => {
    const form = this.find<HTMLFormElement>('form');
    const shown = Object.keys(this.#errors);
    if (!form || shown.length === 0) return;
    const {errors} = parseNotice(new FormData(form), Date.now());
    const remaining = shown.filter((field) => field in errors);
    if (remaining.length === shown.length && remaining.every((field) => errors[field] === this.#errors[field])) return;
    this.#errors = Object.fromEntries(Object.entries(errors).filter(([field]) => remaining.includes(field)));
    this.requestUpdate();
  };

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const {request, errors} = parseNotice(new FormData(event.target as HTMLFormElement), Date.now());
    this.#errors = errors;
    this.requestUpdate();
    if (request)
      void this.#send({
        ...request,
        redirect_url: returnUrl('notice', 'done'),
        back_url: returnUrl('notice', 'back'),
      });
    else this.#focusField(Object.keys(errors)[0]);
  };

  #focusField(name: string | undefined): void {
    const field = this.find(`[name=${name}]`);
    field?.closest('details')?.toggleAttribute('open', true);
    field?.closest('[hidden]')?.toggleAttribute('hidden', false);
    field?.focus();
  }

  async #send(request: PaymentNoticeRequest): Promise<void> {
    if (this.#isSending || this.#failed.mustWait) return;
    this.#isSending = true;
    this.#lastRequest = request;
    this.#failed.problem = undefined;
    this.requestUpdate();
    const {signal} = new AbortController();
    const client = new NoticeClient(this.address);
    const {current} = this.purchase;
    // The page may set another order in the meantime.
    const isSame = () => current === this.purchase.current;
    try {
      const {notice_code, url} = await current.withToken(signal, (token) => client.create(token, request, signal));
      if (isSame()) {
        this.dispatchEvent(new NoticeEvent(notice_code));
        if (this.dispatchEvent(new RedirectEvent(url))) return location.assign(url);
      }
    } catch (thrown) {
      if (isSame()) this.#failed.refuse(toProblem(thrown));
    }
    this.#isSending = false;
    this.requestUpdate();
  }

  #findPrefill(): Query<Partial<NoticePrefill>> {
    const purchase = this.purchase.current;
    if (this.#prefill?.purchase !== purchase)
      this.#prefill = {purchase, query: new Query((signal) => this.#readPrefill(purchase, signal))};
    return this.#prefill.query;
  }

  /** Reads the values that the Worker already knows. Until this succeeds, the fields stay empty. */
  async #readPrefill(purchase: Purchase, signal: AbortSignal): Promise<Partial<NoticePrefill>> {
    const {facts} = purchase;
    // What the merchant's server knows of the shopper is for the first device alone.
    if (isBrought(facts)) return {amount: valueOf(facts.order.payment)?.remaining ?? ''};
    const client = new NoticeClient(this.address);
    return purchase.withToken(signal, (token) => client.readPrefill(token, signal));
  }

  readonly #onHumanCheckPassed = (human: string) => {
    if (this.#lastRequest) void this.#send({...this.#lastRequest, human});
  };
}

const DAY_MS = 86_400_000;

/** `2026-11-21T15:42`, as a field for a time in Turkey needs it. */
function turkishTime(at: number): string {
  return new Date(at + 3 * 3_600_000).toISOString().slice(0, 16);
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-payment-notice': VeznePaymentNotice;
  }
}

/** The platform has created the notice. The shopper completes it on the platform's page. */
export class NoticeEvent extends VezneEvent {
  constructor(
    /** The platform's code of the notice. */
    readonly noticeCode: string,
  ) {
    super('vezne-notice');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-notice': NoticeEvent;
  }
}
