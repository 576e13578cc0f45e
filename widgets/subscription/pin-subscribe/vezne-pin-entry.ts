import {html, nothing, type TemplateResult} from 'lit';
import {compactText} from '../../../worker/contract/readers/characters.ts';
import {fieldError} from '../../core/field-error.ts';
import {formatMsisdn} from '../../core/format.ts';
import type {Problem} from '../../core/problem.ts';
import {formStyles} from '../../core/styles/form.styles.ts';
import {skeleton} from '../../core/templates.ts';
import {withUntranslated} from '../../core/untranslated.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {enrollmentMessages} from '../../locales/enrollment.ts';
import {pinEntryMessages, type PinEntryMessages} from '../../locales/pin-entry.ts';
import {pinSubscribeMessages} from '../../locales/pin-subscribe.ts';
import {busyStyles} from '../busy.styles.ts';
import {formatDuration, formatInWords} from '../duration.ts';
import {EnrollmentController} from '../enrollment-controller.ts';
import {endsPin} from '../enrollment-facts.ts';
import {enrollmentView, type EnrollmentView, type PinView} from '../enrollment-view.ts';
import {SubscriptionController, trackingProperties} from '../offer.ts';
import type {Enrollee} from '../saved-pin.ts';
import {subscribeLabel} from '../subscribe-label.ts';
import {fieldText, troubleNotice} from '../trouble.ts';
import {styles} from './vezne-pin-entry.styles.ts';

/** The position of hours and minutes in a time that the Worker sends, in Turkish time: 2026-11-21T15:42:00+03:00. */
const HOURS_AND_MINUTES = [11, 16] as const;

/** The page shows how many attempts are left only if at most this many are left. More would look like a threat. */
const FEW_ATTEMPTS = 3;

const LAST_MINUTE_MS = 60_000;

const isEnding = ({is, pin, expiresInMs}: PinView) =>
  is === 'pin-over' || (!pin.isOlder && expiresInMs > 0 && expiresInMs <= LAST_MINUTE_MS);

/**
 * What a screen reader reads out because time has passed: that the last minute of the PIN begins, that the PIN has
 * expired, or that the shopper can request another PIN. A screen reader does not read the countdowns.
 * @param hasFocus - Whether the element has the focus, which an expired PIN moves to the title that says so.
 */
function newsOf(now: PinView, before: PinView, hasFocus: boolean, t: PinEntryMessages): string {
  const news = [
    // If the Worker has refused the PIN, the screen reader has already read out the refusal.
    now.is !== before.is && !now.problem && !hasFocus && `${t.pinExpired}. ${t.requestPin}`,
    now.is === 'pin' && isEnding(now) && !isEnding(before) && t.lastMinute,
    now.resendInMs <= 0 && before.resendInMs > 0 && t.canResend,
  ];
  return news.filter(Boolean).join(' ');
}

const numberText = ({pin}: PinView) => formatMsisdn(pin.enrollee.msisdn).replaceAll(' ', '\u00a0');

/**
 * Asks for the PIN from the SMS and shows when the subscription has started. `vezne-pin-subscribe` loads this element
 * and shows it after a PIN was requested.
 *
 * @tag vezne-pin-entry
 * @event {SubscribeEvent} vezne-subscribe - The subscription has started.
 * @slot human-check - The human check, when the Worker requires it.
 * @slot done - Shown after the subscription has started.
 * @slot manage - Shown to subscribers.
 * @csspart field - The PIN field.
 * @csspart status - The card shown after the subscription has started, or if the number cannot be subscribed.
 * @csspart row - Each row of details on that card.
 * @csspart problem - The message shown after a failure.
 * @csspart button - Each button.
 */
export class VeznePinEntry extends VezneElement<PinEntryMessages> {
  static readonly tag = 'vezne-pin-entry';
  static override properties = trackingProperties;
  static override styles = [VezneElement.styles, formStyles, busyStyles, styles];

  protected override readonly messages = pinEntryMessages;

  declare trackingParameter: string;

  /** Requests another PIN. */
  resend: (enrollee: Enrollee) => void = () => {};

  readonly #subscription = new SubscriptionController(this);
  readonly #enrollment = new EnrollmentController(this, enrollmentView, this.#subscription, (view, before) =>
    this.#onView(view, before),
  );
  #smsRequest: AbortController | undefined;
  /** The view that the last update has shown, and what a screen reader has read out since the PIN was sent. */
  #shown: {readonly view: EnrollmentView; readonly news: string} | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#awaitSms();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#smsRequest?.abort();
  }

  protected override renderContent(t: PinEntryMessages): TemplateResult {
    const {view} = this.#enrollment;
    // This region exists before its text, because screen readers may ignore a region that appears with its text.
    return html`<p class="visually-hidden" role="status">${this.#announce(view, t)}</p>
      ${this.#renderView(view, t)}`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(2);
  }

  #announce(view: EnrollmentView, t: PinEntryMessages): string {
    const {view: before, news = ''} = this.#shown ?? {};
    const isSame = 'pin' in view && before && 'pin' in before && view.pin.sent === before.pin.sent;
    const read = isSame ? newsOf(view, before, !!this.shadowRoot?.activeElement, t) || news : '';
    this.#shown = {view, news: read};
    return read;
  }

  #renderView(view: EnrollmentView, t: PinEntryMessages): TemplateResult {
    switch (view.is) {
      case 'number':
        return this.renderSkeleton();
      case 'pin':
      case 'pin-over':
        return this.#renderForm(view, t);
      case 'refused':
      case 'started':
        return this.#enrollment.renderEnd(view, this.#subscription, () => this.#changeNumber());
    }
  }

  /** The form for the PIN. After the PIN, the shopper can only request another PIN. */
  #renderForm(view: PinView, t: PinEntryMessages): TemplateResult {
    const isOver = view.is === 'pin-over';
    const change = html`<button
      type="button"
      class="link"
      part="button"
      aria-disabled=${view.busyWith === 'attempt' || nothing}
      @click=${() => this.#changeNumber()}
    >
      ${t.changeNumber}
    </button>`;
    return html`<form novalidate @submit=${this.#onSubmit} @input=${() => this.requestUpdate()}>
      ${isOver ? this.#renderEndOfPin(view, t) : this.#renderField(view, t)} ${this.#renderTrouble(view)}
      <slot name="human-check"></slot>
      ${isOver ? nothing : this.#renderConfirm(view, t)} ${this.#renderResend(view, t)}
      ${isOver ? html`<p class="number"><span translate="no">${numberText(view)}</span> ${change}</p>` : change}
      ${view.hasHint ? html`<p class="muted">${t.noSms}</p>` : nothing}
      ${this.#enrollment.askSellerAbout(view.problem, this.#subscription.terms.value)}
    </form>`;
  }

  /** Says that the PIN has expired or is blocked. */
  #renderEndOfPin(view: PinView, t: PinEntryMessages): TemplateResult {
    const refusal = view.field && view.problem?.refusal?.messages[this.locale];
    return html`<div>
      <h3 tabindex="-1" data-autofocus>${refusal?.title ?? t.pinExpired}</h3>
      <p class="muted">${refusal?.text ?? t.requestPin}</p>
      ${refusal ? html`<p class="muted">${this.#assurance(view)}</p>` : nothing}
    </div>`;
  }

  #renderField(view: PinView, t: PinEntryMessages): TemplateResult {
    const {expiresInMs, isResent} = view;
    const {sent, isOlder} = view.pin;
    const number = numberText(view);
    const message = this.#pinMessage(view, t);
    const sentAt = sent.as_of.slice(...HOURS_AND_MINUTES);
    const where = isResent ? t.pinSentAgain(number, sentAt) : isOlder ? number : t.pinSent(number);
    const left = !isOlder && expiresInMs > 0 && t.pinLeft(formatDuration(expiresInMs, this.locale));
    return html`<div>
        <h3>${t.pinTitle}</h3>
        <p class="muted" role="status" data-private>${withUntranslated(where, number)}</p>
      </div>
      <div class="field">
        <label for="pin">${t.pin}</label>
        <input
          id="pin"
          name="pin"
          required
          inputmode="numeric"
          autocomplete="one-time-code"
          enterkeyhint="done"
          part="field"
          data-autofocus
          aria-invalid=${message ? 'true' : nothing}
          aria-describedby="pin-error pin-left"
        />
        ${fieldError('pin', message)}
        <p id="pin-left" class="muted">${left || nothing}</p>
      </div>`;
  }

  #renderConfirm({busyWith, canSend, pin}: PinView, t: PinEntryMessages): TemplateResult {
    const {locale} = this;
    const terms = this.#subscription.terms.value;
    const label = terms ? subscribeLabel(terms, locale) : t.confirm;
    return html`<button
      id="confirm"
      type="submit"
      class="button"
      part="button"
      data-vezne-track=${!pin.isTried && this.#pin ? 'confirm_clicked' : nothing}
      aria-busy=${busyWith === 'attempt' || nothing}
      aria-disabled=${!canSend || nothing}
    >
      ${busyWith === 'attempt' ? enrollmentMessages[locale].confirming : label}
    </button>`;
  }

  #renderTrouble(view: PinView): TemplateResult | typeof nothing {
    const {notice, waitMs} = view;
    const {locale} = this;
    const wait = waitMs > 0 && enrollmentMessages[locale].mayRetry(formatInWords(waitMs, locale));
    return troubleNotice(notice, locale, this.#assurance(view), wait);
  }

  #assurance({isUnclear}: PinView): string | undefined {
    return this.#enrollment.cards?.assuranceText(isUnclear, this.locale);
  }

  /** The button that requests another PIN, or the time until another PIN can be requested. */
  #renderResend({is, resendInMs, busyWith}: PinView, t: PinEntryMessages): TemplateResult {
    const isOver = is === 'pin-over';
    const wait = resendInMs > 0 && t.resendIn(formatDuration(resendInMs, this.locale));
    const resend = html`<button
      id=${wait ? nothing : 'resend'}
      type="button"
      class=${isOver ? 'button' : 'button soft'}
      part="button"
      aria-busy=${busyWith === 'pin' || nothing}
      aria-disabled=${wait || busyWith ? 'true' : nothing}
      @click=${this.#onResend}
    >
      ${busyWith === 'pin' ? pinSubscribeMessages[this.locale].sending : t.resend}
    </button>`;
    return html`${isOver || !wait ? resend : nothing} ${wait ? html`<p class="muted resend">${wait}</p>` : nothing}`;
  }

  /** What is wrong with the PIN. Says how many attempts are left when they are few. */
  #pinMessage({isMissing, field, problem}: PinView, t: PinEntryMessages): string | undefined {
    if (isMissing) return t.pinMissing;
    const {attempts_left = Infinity} = problem?.details ?? {};
    if (field && attempts_left <= FEW_ATTEMPTS) return t.pinWrong(attempts_left);
    return field && fieldText(problem, this.locale);
  }

  /** The digits that the shopper has typed; undefined if the field is empty or contains anything else. */
  get #pin(): string | undefined {
    const pin = compactText(this.#field?.value ?? '');
    return /^\d+$/.test(pin) ? pin : undefined;
  }

  get #field(): HTMLInputElement | null {
    return this.find<HTMLInputElement>('#pin') ?? null;
  }

  #changeNumber(): void {
    this.#enrollment.current.send({is: 'number-dropped'});
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const {view, current} = this.#enrollment;
    if (view.is !== 'pin' || !view.canSend) return;
    const pin = this.#pin;
    const {enrollee} = view.pin;
    const body = {...enrollee, tracking_id: this.#subscription.trackingId, language: this.locale};
    if (pin) return void current.attempt(enrollee, {...body, pin});
    current.send({is: 'pin-missing'});
    this.#field?.focus();
  };

  readonly #onResend = (): void => {
    const {view} = this.#enrollment;
    if (!('pin' in view) || view.busyWith || view.resendInMs > 0) return;
    this.#field?.focus();
    this.resend(view.pin.enrollee);
  };

  #onView(view: EnrollmentView, before: EnrollmentView | undefined): void {
    if ('pin' in view) {
      if (!before) this.#enrollment.focus();
      if (!before || !('pin' in before)) return;
      if (view.pin.sent !== before.pin.sent) this.#onResent();
      if (view.problem !== before.problem) this.#onRefusal(view.problem);
    } else if (before && view.is !== 'number' && view.is !== before.is) {
      // Directly after a reload, nothing is new, so the focus stays where it is.
      this.#smsRequest?.abort();
      this.#enrollment.focus();
    }
  }

  /** Lets the shopper type over a wrong PIN. If the PIN can no longer be used, the title that says so gets the focus. */
  #onRefusal(problem: Problem | undefined): void {
    if (problem?.code === 'pin_wrong') {
      this.#field?.select();
      this.#enrollment.focus('#pin');
    } else if (problem && endsPin(problem)) {
      this.#enrollment.focus('h3');
    }
  }

  /** Empties the field and waits for the new SMS, after a new PIN has replaced the previous one. */
  #onResent(): void {
    if (this.#field) this.#field.value = '';
    void this.#awaitSms();
  }

  async #awaitSms(): Promise<void> {
    this.#smsRequest?.abort();
    this.#smsRequest = new AbortController();
    const pin = await readPinFromSms(this.#smsRequest.signal);
    if (pin && this.#field?.value === '') this.#field.value = pin;
    this.requestUpdate();
  }
}

/** The result of the WebOTP API, with which a browser reads a PIN from an SMS. TypeScript's DOM types lack it. */
interface OtpCredential {
  /** The PIN. */
  readonly code: string;
}

/**
 * Waits for the PIN from an SMS with the WebOTP API, on phones that have it. The phone asks the shopper first. The last
 * line of the SMS must name the page's domain. Whether the SMS has such a line depends on the platform.
 * @param signal - Ends the wait, for example when another PIN was sent.
 */
async function readPinFromSms(signal: AbortSignal): Promise<string | undefined> {
  if (!('OTPCredential' in globalThis)) return undefined;
  try {
    const options = {otp: {transport: ['sms']}, signal} as CredentialRequestOptions;
    return ((await navigator.credentials.get(options)) as OtpCredential | null)?.code;
  } catch {
    // The shopper declined, or the request was aborted. The shopper has to type the PIN.
    return undefined;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-pin-entry': VeznePinEntry;
  }
}
