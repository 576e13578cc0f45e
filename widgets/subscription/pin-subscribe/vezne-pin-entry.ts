import {css, html, nothing, type TemplateResult} from 'lit';
import type {PinSent} from '../../../worker/contract/browser/subscription-answers.ts';
import {fieldError} from '../../core/field-error.ts';
import {formatMsisdn, normalizeDigits} from '../../core/format.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import {formStyles} from '../../core/styles/form.styles.ts';
import {skeleton, button} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {pinEntryMessages, type PinEntryMessages} from '../../locales/pin-entry.ts';
import {pinSubscribeMessages} from '../../locales/pin-subscribe.ts';
import {Countdown, formatDuration} from '../countdown.ts';
import {doneCard, doneCardStyles} from '../done-card.ts';
import {endsPin, findEnrollment, type Enrollment, type EnrollmentStep, SubscribeEvent} from '../enrollment.ts';
import {problemOutsideFields, fieldMessage} from '../field-messages.ts';
import {SubscriptionController, trackingProperties} from '../offer.ts';

const styles = css`
  .base {
    padding: 0;
  }
  #pin {
    font-size: 1.5em;
    font-weight: 650;
    letter-spacing: 0.25em;
  }
  .resend {
    text-align: center;
  }
`;

/** The position of hours and minutes in a time that the Worker sends, in Turkish time: 2026-11-21T15:42:00+03:00. */
const HOURS_AND_MINUTES = [11, 16] as const;

/**
 * Asks for the PIN from the SMS and shows when the subscription has started. `vezne-pin-subscribe` loads this element
 * and shows it after a PIN was requested.
 *
 * @tag vezne-pin-entry
 * @event {SubscribeEvent} vezne-subscribe - The subscription has started.
 * @slot human-check - The human check, when the Worker requires it.
 * @slot done - Shown after the subscription has started.
 * @csspart field - The PIN field.
 * @csspart status - The card shown after the subscription has started.
 * @csspart problem - The message shown after a failure.
 * @csspart button - Each button.
 */
export class VeznePinEntry extends VezneElement<PinEntryMessages> {
  static readonly tag = 'vezne-pin-entry';
  static override properties = trackingProperties;
  static override styles = [VezneElement.styles, formStyles, doneCardStyles, styles];

  protected override readonly messages = pinEntryMessages;

  trackingParameter = '';

  /** Requests another PIN. */
  resend: () => void = () => {};

  readonly #subscription = new SubscriptionController(this);
  readonly #enrollment = new StoreController(
    this,
    () => findEnrollment(this.address, this.#subscription.source),
    (current) => this.#onChange(current),
  );
  #step: EnrollmentStep | undefined;
  /** Whether the next update must focus the new content. */
  #shouldFocus = true;
  #isMissing = false;
  #handledProblem: Problem | undefined;
  #smsRequest: AbortController | undefined;
  /** The Worker's answer to the latest PIN request. */
  #sent: PinSent | undefined;
  /** Whether the shopper requested another PIN on this page. */
  #isResent = false;

  constructor() {
    super();
    this.addController(new Countdown(this, () => this.#enrollment.store?.hasRunningTimer ?? false));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#awaitSms();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#smsRequest?.abort();
  }

  protected override updated(): void {
    super.updated();
    this.#onProblem(this.#enrollment.store?.problem);
    const target = this.#shouldFocus && this.renderRoot.querySelector<HTMLElement>('[data-autofocus]');
    if (!target) return;
    target.focus();
    this.#shouldFocus = false;
  }

  protected override renderContent(t: PinEntryMessages): TemplateResult {
    const {store} = this.#enrollment;
    if (!store) return skeleton(2);
    return store.step === 'done' ? doneCard(t, this.#subscription.terms.value, this.locale) : this.#renderPin(store, t);
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(2);
  }

  #renderPin(current: Enrollment, t: PinEntryMessages): TemplateResult {
    const {enrollee, sent, isPinFromElsewhere, expiresInMs, confirmInMs, isBusy, problem} = current;
    const number = formatMsisdn(enrollee?.msisdn ?? '');
    const isExpired = expiresInMs <= 0;
    const message = this.#isMissing ? t.pinMissing : fieldMessage('pin', problem, this.locale);
    const mustWait = confirmInMs > 0;
    const validFor = isPinFromElsewhere ? nothing : t.pinLeft(formatDuration(expiresInMs, this.locale));
    return html`<form novalidate @submit=${this.#onSubmit}>
      <div>
        <h3 tabindex="-1">${t.pinTitle}</h3>
        <p class="muted" role="status">${this.#isResent ? t.pinSentAgain(number, sent?.as_of.slice(...HOURS_AND_MINUTES) ?? '') : isPinFromElsewhere ? number : t.pinSent(number)}</p>
        ${button(t.changeNumber, () => current.changeNumber(), 'link')}
      </div>
      <div class="field">
        <label for="pin">${t.pin}</label>
        <input
          id="pin"
          name="pin"
          inputmode="numeric"
          autocomplete="one-time-code"
          enterkeyhint="done"
          part="field"
          data-autofocus
          aria-invalid=${message ? 'true' : nothing}
          aria-describedby="pin-error pin-left"
        />
        ${fieldError('pin', message)}
        <p id="pin-left" class="muted">${isExpired ? (message ? nothing : t.pinExpired) : validFor}</p>
      </div>
      ${problemOutsideFields(problem, this.locale, ['pin'])}
      <slot name="human-check"></slot>
      ${mustWait ? html`<p class="muted">${pinSubscribeMessages[this.locale].wait(formatDuration(confirmInMs, this.locale))}</p>` : nothing}
      <button type="submit" class=${isExpired ? 'button soft' : 'button'} part="button" data-vezne-track="confirm_clicked" ?disabled=${isBusy || isExpired || mustWait}>${t.confirm}</button>
      ${this.#renderResend(current, t)}
      <p class="muted">${t.noSms}</p>
    </form>`;
  }

  #renderResend({expiresInMs, resendInMs, isBusy}: Enrollment, t: PinEntryMessages): TemplateResult {
    if (resendInMs > 0) return html`<p class="muted resend">${t.resendIn(formatDuration(resendInMs, this.locale))}</p>`;
    return html`<button id="resend" type="button" class=${expiresInMs > 0 ? 'button soft' : 'button'} part="button" ?disabled=${isBusy} @click=${this.#onResend}>${t.resend}</button>`;
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const pin = normalizeDigits(String(new FormData(event.target as HTMLFormElement).get('pin')));
    this.#isMissing = !/^\d+$/.test(pin);
    this.requestUpdate();
    if (this.#isMissing) this.#field?.focus();
    else void this.#enrollment.store?.confirm(pin, this.#subscription.trackingId, this.locale);
  };

  readonly #onResend = (): void => {
    this.#field?.focus();
    this.resend();
  };

  /**
   * Moves the focus after a refusal. If the PIN was wrong, the field gets the focus. If the PIN can no longer be used,
   * the button that requests another PIN gets the focus, or the title if the button is not shown yet.
   */
  #onProblem(problem: Problem | undefined): void {
    if (problem === this.#handledProblem) return;
    this.#handledProblem = problem;
    if (problem?.code === 'pin_wrong') {
      this.#field?.focus();
      this.#field?.select();
    } else if (problem && endsPin(problem)) {
      (this.renderRoot.querySelector<HTMLElement>('#resend') ?? this.renderRoot.querySelector('h3'))?.focus();
    }
  }

  get #field(): HTMLInputElement | null {
    return this.renderRoot.querySelector('#pin');
  }

  #onChange(current: Enrollment | undefined): void {
    const {step, sent} = current ?? {};
    if (sent && sent !== this.#sent) this.#onSent(sent);
    if (step === this.#step) return;
    if (step === 'done') {
      this.#shouldFocus = true;
      this.#smsRequest?.abort();
      if (this.#step === 'pin') this.dispatchEvent(new SubscribeEvent(this.#subscription.trackingId));
    }
    this.#step = step;
  }

  /** Empties the field and waits for the new SMS, after a new PIN has replaced the previous one. */
  #onSent(sent: PinSent): void {
    this.#isResent = this.#sent !== undefined;
    this.#sent = sent;
    if (!this.#isResent) return;
    this.#isMissing = false;
    if (this.#field) this.#field.value = '';
    void this.#awaitSms();
  }

  async #awaitSms(): Promise<void> {
    this.#smsRequest?.abort();
    this.#smsRequest = new AbortController();
    const pin = await readPinFromSms(this.#smsRequest.signal);
    if (pin && this.#field?.value === '') this.#field.value = pin;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-pin-entry': VeznePinEntry;
  }
}

/** The result of the WebOTP API, with which a browser reads a PIN from an SMS. TypeScript's DOM types lack it. */
interface OtpCredential {
  readonly code: string;
}

/** Waits for the PIN from an SMS, if the browser can read it and the shopper agrees. */
export async function readPinFromSms(signal: AbortSignal): Promise<string | undefined> {
  if (!('OTPCredential' in globalThis)) return undefined;
  try {
    const options = {otp: {transport: ['sms']}, signal} as CredentialRequestOptions;
    return ((await navigator.credentials.get(options)) as OtpCredential | null)?.code;
  } catch {
    // The shopper declined, or the request was aborted. The shopper has to type the PIN.
    return undefined;
  }
}
