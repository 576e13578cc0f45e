import {html, nothing, type TemplateResult} from 'lit';
import type {ShownRefund} from '../../worker/contract/browser/answers.ts';
import {bankNumber, type IbanError, parseTurkishIban} from '../../worker/contract/readers/iban.ts';
import {fieldError} from '../core/field-error.ts';
import {finalRefusal} from '../core/final-refusal.ts';
import {formatMoney} from '../core/format-money.ts';
import {formatTime} from '../core/format-time.ts';
import {type Problem, toProblem} from '../core/problem.ts';
import {Query} from '../core/query.ts';
import {resultCard, resultRows, resultStyles} from '../core/result.ts';
import {sellerContacts, sellerContactStyles} from '../core/seller-contacts.ts';
import {StoreController} from '../core/store.ts';
import {formStyles} from '../core/styles/form.styles.ts';
import {spinner} from '../core/styles/spinner.styles.ts';
import {button, skeleton} from '../core/templates.ts';
import {VezneElement, VezneEvent} from '../core/vezne-element.ts';
import {type EndState, refundMessages, type RefundMessages} from '../locales/refund.ts';
import {sellerContactMessages} from '../locales/seller-contacts.ts';
import {troubleMessages} from '../locales/trouble.ts';
import {groupedIban, maskedIban} from './iban-format.ts';
import {type Account, RefundClient} from './refund-client.ts';
import {styles} from './vezne-refund-contact.styles.ts';

/** How often the outcome of sent details is asked for. */
const CHECK_MS = 10_000;

/** The sign of a refund whose outcome is not known yet. */
const CLOCK = 'M12 5v7.5l4.5 2.5';

interface Errors {
  readonly name?: true;
  readonly iban?: IbanError;
}

/**
 * Asks a shopper for the account to which the money of a refund link goes, shows a summary, and sends it once. Order
 * and amount are those of the link. Whatever is sent again is answered with the first outcome.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-refund-contact
 * @attr {string} link - The address of the refund link, or what follows `/r/` in it.
 * @event {RefundEvent} vezne-refund - The platform accepted the refund.
 * @event {ProblemEvent} vezne-error - The link could not be read, or the details could not be sent.
 * @csspart base - The whole element.
 * @csspart title - The heading.
 * @csspart field - Each field.
 * @csspart row - Each row of the summary and of the last card.
 * @csspart status - The card that shows how the link ended.
 * @csspart problem - The message shown when a request failed.
 * @csspart button - Each button.
 */
export class VezneRefundContact extends VezneElement<RefundMessages> {
  static readonly tag = 'vezne-refund-contact';
  // Whoever has the link can open the refund.
  static override properties = {link: {reflect: false}};
  static override styles = [VezneElement.styles, formStyles, resultStyles, sellerContactStyles, spinner, styles];

  /** The address of the refund link, or what follows `/r/` in it. */
  declare link: string;

  protected override readonly messages = refundMessages;

  #refund: Query<ShownRefund> | undefined;
  #banks: Query<ReadonlyMap<string, string>> | undefined;
  #key = '';
  readonly #refundController = new StoreController(this, () => this.#find());
  readonly #bankController = new StoreController(this, () => this.#banks);
  /** The answer to sent details, which is newer than that of the query. */
  #answer: ShownRefund | undefined;
  /** What the shopper typed, and what they send. */
  #draft: Account = {name: '', iban: ''};
  #account: Account | undefined;
  #isSummary = false;
  #isSending = false;
  /** Whether the Worker accepts no details yet, because it got too many requests. */
  #mustWait = false;
  #errors: Errors = {};
  /** Why the details were not sent. */
  #failure: 'refused' | 'notSent' | 'lost' | undefined;
  #problem: Problem | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the next update focuses the title or the first field: not every browser focuses a button that is clicked. */
  #shouldFocus = false;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  protected override updated(): void {
    this.reportProblem(this.#problem);
    super.updated();
    if (this.#shouldFocus) this.find('[data-autofocus]')?.focus();
    this.#shouldFocus = false;
    const isChecking = (this.#answer ?? this.#refund?.value)?.state === 'checking';
    if (isChecking && this.isConnected) this.#timer ??= setTimeout(() => void this.#check(), CHECK_MS);
  }

  protected override renderContent(t: RefundMessages): TemplateResult {
    const {store} = this.#refundController;
    return (
      finalRefusal(this, store) ?? this.renderQuery(store, (refund) => this.#renderRefund(this.#answer ?? refund, t))
    );
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(6);
  }

  #renderRefund(refund: ShownRefund, t: RefundMessages): TemplateResult {
    const {state} = refund;
    if (state !== 'open' && state !== 'refused') return this.#renderEnd(state, refund, t);
    // This region exists before its text, because screen readers may ignore a region that appears with its text.
    return html`<p class="visually-hidden" role="status">${this.#isSummary ? t.checkTitle : nothing}</p>
      ${this.#isSummary && this.#account ? this.#renderSummary(this.#account, refund, t) : this.#renderForm(refund, t)}`;
  }

  #renderSum({amount, currency, seller, title}: ShownRefund, t: RefundMessages): TemplateResult {
    const from = t.from(seller?.name ?? '', title?.[this.locale] ?? '');
    return html`<div class="sum">
      <h2 part="title">${t.title}</h2>
      <b translate="no">${formatMoney(amount, currency, this.locale)}</b>
      ${from ? html`<p class="muted">${from}</p>` : nothing}
    </div>`;
  }

  #renderForm(refund: ShownRefund, t: RefundMessages): TemplateResult {
    const {name: hasNameError, iban: ibanError} = this.#errors;
    const bank = this.#bankOf(this.#draft.iban);
    return html`${this.#renderSum(refund, t)}
      <p>${t.text}</p>
      ${this.#renderFailure(t)}
      <form novalidate @submit=${this.#onSubmit} @input=${this.#onInput}>
        <div class="field">
          <label for="name">${t.name}</label>
          <input
            id="name"
            name="name"
            part="field"
            autocomplete="name"
            maxlength="255"
            data-autofocus
            .value=${this.#draft.name}
            aria-required="true"
            aria-invalid=${hasNameError || nothing}
            aria-describedby="name-error"
          />
          ${fieldError('name', hasNameError && t.nameError, false)}
        </div>
        <div class="field">
          <div class="label"><label for="iban">${t.iban}</label><p id="iban-bank" role="status" translate="no">${bank ?? nothing}</p></div>
          <input
            id="iban"
            name="iban"
            part="field"
            autocomplete="off"
            autocapitalize="characters"
            spellcheck="false"
            maxlength="64"
            .value=${this.#draft.iban}
            aria-required="true"
            aria-invalid=${ibanError !== undefined || nothing}
            aria-describedby="iban-error iban-bank iban-hint"
            @change=${this.#onIbanChange}
          />
          ${fieldError('iban', ibanError && t.ibanErrors[ibanError], false)}
          <p id="iban-hint" class="muted note">${t.ibanHint}</p>
        </div>
        <button type="submit" class="button" part="button">${t.continue}</button>
      </form>
      <p class="muted note">${t.time}</p>
      <p class="muted note">${t.until(formatTime(refund.expires_at, this.locale).replaceAll(' ', '\u00a0'))}</p>`;
  }

  #renderSummary({name, iban}: Account, refund: ShownRefund, t: RefundMessages): TemplateResult {
    const amount = formatMoney(refund.amount, refund.currency, this.locale);
    const busy = this.#isSending || nothing;
    const disabled = this.#isSending || this.#mustWait || nothing;
    return html`<h2 part="title" tabindex="-1" data-autofocus>${t.checkTitle}</h2>
      <div>
        ${resultRows([
          [t.amount, amount],
          [t.name, name],
          [t.iban, groupedIban(iban)],
          [t.bank, this.#bankOf(iban)],
        ])}
      </div>
      <p class="muted">${t.checkText}</p>
      ${this.#renderFailure(t)}
      <div class="buttons">
        <button type="button" class="button" part="button" aria-disabled=${disabled} aria-busy=${busy} @click=${this.#onSend}>
          ${this.#isSending ? t.sending : this.#failure ? troubleMessages[this.locale].tryAgain : t.send(amount)}
        </button>
        ${this.#isSending ? nothing : button(t.edit, () => this.#edit())}
      </div>`;
  }

  #renderFailure(t: RefundMessages): TemplateResult | typeof nothing {
    const next = this.#mustWait ? t.mayResend(Math.ceil((this.#problem?.retryAfterMs ?? 0) / 1000)) : nothing;
    return this.#failure
      ? html`<p class="problem" part="problem" role="alert">${t[this.#failure]} ${next}</p>`
      : nothing;
  }

  #renderEnd(state: EndState, refund: ShownRefund, t: RefundMessages): TemplateResult {
    const {seller, amount, currency} = refund;
    const [title, text] = t.ends[state];
    const iban = this.#account?.iban;
    const isSent = state === 'sent';
    const isChecking = state === 'checking';
    const contacts = seller && !isChecking && !isSent;
    return html`<p class="visually-hidden" role="status">${title}</p>
      ${resultCard({
        tone: isSent ? 'good' : isChecking || state === 'used' ? 'over' : 'stopped',
        sign: isChecking ? CLOCK : undefined,
        title,
        text: isSent ? t.time : text(seller?.name ?? t.someone),
        rows: [
          [t.amount, formatMoney(amount, currency, this.locale)],
          ...(isSent && iban
            ? ([
                [t.iban, maskedIban(iban)],
                [t.bank, this.#bankOf(iban)],
              ] as const)
            : []),
        ],
        footer: contacts
          ? sellerContacts(seller, {subject: t.subject, isNextStep: true}, sellerContactMessages[this.locale])
          : nothing,
      })}`;
  }

  #bankOf(iban: string): string | undefined {
    return this.#bankController.store?.value?.get(bankNumber(iban) ?? '');
  }

  /** The link's token, also if the attribute has the whole address. */
  get #token(): string {
    return this.link
      .trim()
      .replace(/[?#].*$/, '')
      .replace(/^.*\//, '');
  }

  #find(): Query<ShownRefund> | undefined {
    const key = `${this.address} ${this.#token}`;
    if (key !== this.#key) {
      const [client, token] = [new RefundClient(this.address), this.#token];
      this.#refund = new Query((signal) => client.show(token, signal));
      this.#banks = new Query((signal) => client.bankNames(signal), {after: this.#refund});
      this.#answer = undefined;
      this.#account = undefined;
      this.#isSummary = this.#isSending = this.#mustWait = false;
      this.#failure = this.#problem = undefined;
      clearTimeout(this.#timer);
      this.#timer = undefined;
    }
    this.#key = key;
    return this.#refund;
  }

  readonly #onInput = ({target}: Event): void => {
    const {name, value} = target as HTMLInputElement;
    this.#draft = {...this.#draft, [name]: value};
    // An error goes as soon as it is corrected, and none is added while the shopper types.
    const {errors} = this.#parse();
    const {name: hasNameError, iban} = this.#errors;
    this.#errors = {...(hasNameError && errors.name && {name: true}), ...(iban && errors.iban && {iban: errors.iban})};
    this.requestUpdate();
  };

  readonly #onIbanChange = (): void => {
    const {iban} = parseTurkishIban(this.#draft.iban);
    if (iban) this.#draft = {...this.#draft, iban: groupedIban(iban)};
    this.requestUpdate();
  };

  #parse(): {readonly account?: Account; readonly errors: Errors} {
    const name = this.#draft.name.replace(/\s+/g, ' ').trim();
    const {iban, error} = parseTurkishIban(this.#draft.iban);
    const hasName = /\p{L}.*\p{L}/u.test(name);
    if (hasName && iban && !error) return {account: {name, iban}, errors: {}};
    return {errors: {...(!hasName && {name: true}), ...(error && {iban: error})}};
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const {account, errors} = this.#parse();
    this.#errors = errors;
    this.#account = account;
    this.#failure = undefined;
    this.#isSummary = this.#shouldFocus = account !== undefined;
    this.requestUpdate();
    const [first] = Object.keys(errors);
    if (first) this.find(`#${first}`)?.focus();
  };

  readonly #onSend = (): void => void this.#send();

  #edit(): void {
    this.#isSummary = false;
    this.#shouldFocus = true;
    this.#failure = undefined;
    this.requestUpdate();
  }

  async #send(): Promise<void> {
    if (this.#isSending || this.#mustWait || !this.#account) return;
    const key = this.#key;
    this.#isSending = true;
    this.#failure = undefined;
    this.#problem = undefined;
    this.requestUpdate();
    try {
      const {signal} = new AbortController();
      const answer = await new RefundClient(this.address).send(this.#token, this.#account, signal);
      // The page has set another link in the meantime.
      if (key !== this.#key) return;
      this.#take(answer);
      this.#shouldFocus = true;
    } catch (thrown) {
      if (key !== this.#key) return;
      this.#problem = toProblem(thrown);
      // After a refusal, nothing was sent. Without an answer, nobody knows.
      this.#failure = this.#problem.code in UNANSWERED ? 'lost' : 'notSent';
      this.#mustWait = this.#problem.retryAfterMs > 0;
      if (this.#mustWait) setTimeout(() => key === this.#key && this.#onWaited(), this.#problem.retryAfterMs);
    }
    this.#isSending = false;
    this.requestUpdate();
  }

  #onWaited(): void {
    this.#mustWait = false;
    this.requestUpdate();
  }

  /** Asks for the outcome. If the link was used, the same details are asked for theirs; they cannot be sent again. */
  async #check(): Promise<void> {
    const client = new RefundClient(this.address);
    const {signal} = new AbortController();
    const [key, token, account] = [this.#key, this.#token, this.#account];
    try {
      const shown = document.hidden ? undefined : await client.show(token, signal);
      const answer = shown?.state === 'used' && account ? await client.send(token, account, signal) : shown;
      if (key !== this.#key) return;
      if (answer) this.#take(answer);
      if (shown?.state === 'open') this.#failure = account && 'notSent';
    } catch {
      // The next check may succeed.
      if (key !== this.#key) return;
    }
    this.#timer = undefined;
    this.requestUpdate();
  }

  #take(answer: ShownRefund): void {
    const wasSent = this.#answer?.state === 'sent';
    this.#answer = answer;
    if (answer.state === 'refused') {
      this.#isSummary = false;
      this.#failure = 'refused';
    }
    if (answer.state === 'sent' && !wasSent) this.dispatchEvent(new RefundEvent());
  }
}

/** Local codes of a request that got no usable answer. */
const UNANSWERED: Partial<Record<Problem['code'], true>> = {
  offline: true,
  network: true,
  timeout: true,
  unreadable: true,
  internal: true,
};

declare global {
  interface HTMLElementTagNameMap {
    'vezne-refund-contact': VezneRefundContact;
  }
}

/** The platform accepted the refund. The event `refund.requested` tells the merchant's server. */
export class RefundEvent extends VezneEvent {
  constructor() {
    super('vezne-refund');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-refund': RefundEvent;
  }
}
