import {html, nothing, type TemplateResult} from 'lit';
import type {PinSent} from '../../../worker/contract/browser/subscription-answers.ts';
import {compactText} from '../../../worker/contract/readers/characters.ts';
import {fieldError} from '../../core/field-error.ts';
import {formatMsisdn} from '../../core/format.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import {formStyles} from '../../core/styles/form.styles.ts';
import {skeleton} from '../../core/templates.ts';
import {withUntranslated} from '../../core/untranslated.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {enrollmentMessages} from '../../locales/enrollment.ts';
import {pinEntryMessages, type PinEntryMessages} from '../../locales/pin-entry.ts';
import {pinSubscribeMessages} from '../../locales/pin-subscribe.ts';
import {busyStyles} from '../busy.styles.ts';
import {Countdown} from '../countdown.ts';
import {formatDuration, formatInWords} from '../duration.ts';
import {EndController, refusalTitle} from '../end-controller.ts';
import {findEnrollment, type Enrollment, type EnrollmentStep} from '../enrollment.ts';
import {problemOutsideFields, fieldMessage} from '../field-messages.ts';
import {SubscriptionController, trackingProperties} from '../offer.ts';
import {endsPin} from '../pin-refusals.ts';
import {SubscribeEvent} from '../subscribe-event.ts';
import {subscribeLabel} from '../subscribe-label.ts';
import {styles} from './vezne-pin-entry.styles.ts';

/** The position of hours and minutes in a time that the Worker sends, in Turkish time: 2026-11-21T15:42:00+03:00. */
const HOURS_AND_MINUTES = [11, 16] as const;

/** The page shows how many attempts are left only if at most this many are left. More would look like a threat. */
const FEW_ATTEMPTS = 3;

const LAST_MINUTE_MS = 60_000;

/** Which times of a PIN have passed. */
interface Passed {
  readonly sent: Enrollment['sent'];
  readonly isLastMinute: boolean;
  readonly isExpired: boolean;
  readonly canResend: boolean;
}

/**
 * Chooses what a screen reader reads out: that the last minute of the PIN begins, that the PIN has expired, or that the
 * shopper can request another PIN. A screen reader does not read the countdowns.
 */
class PinTimes {
  #passed: Passed | undefined;
  #announced = '';

  /**
   * Call this method in every update.
   * @param hasFocus - Whether the element has the focus, which an expired PIN moves to the title that says so.
   * @returns The latest announcement.
   */
  announce(enrollment: Enrollment, hasFocus: boolean, t: PinEntryMessages): string {
    const {sent, expiresInMs, resendInMs, problem, isPinFromElsewhere, isPinOver} = enrollment;
    const before = this.#passed;
    const now: Passed = {
      sent,
      isLastMinute: expiresInMs <= LAST_MINUTE_MS,
      isExpired: isPinOver,
      canResend: resendInMs <= 0,
    };
    this.#passed = now;
    if (!before || before.sent !== sent || !sent) {
      this.#announced = '';
      return '';
    }
    const isNew = (time: 'isLastMinute' | 'isExpired' | 'canResend') => now[time] && !before[time];
    const news = [
      // If the Worker has refused the PIN, the screen reader has already read out the refusal.
      isNew('isExpired') && !problem && !hasFocus && `${t.pinExpired}. ${t.requestPin}`,
      isNew('isLastMinute') && expiresInMs > 0 && !isPinFromElsewhere && t.lastMinute,
      isNew('canResend') && t.canResend,
    ].filter((text) => typeof text === 'string');
    if (news.length > 0) this.#announced = news.join(' ');
    return this.#announced;
  }
}

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
  static override properties = {...trackingProperties, humanCheckFailure: {attribute: false}};
  static override styles = [VezneElement.styles, formStyles, busyStyles, styles];

  protected override readonly messages = pinEntryMessages;

  declare trackingParameter: string;

  /** Why the human check could not be shown. */
  humanCheckFailure: Problem | undefined;

  /** Requests another PIN. */
  resend: () => void = () => {};

  readonly #subscription = new SubscriptionController(this);
  readonly #enrollment = new StoreController(
    this,
    () => findEnrollment(this.address, this.#subscription.source),
    (current) => this.#onChange(current),
  );
  readonly #end = new EndController(this);
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
  /** What a screen reader reads out when a time of the PIN has passed. */
  readonly #times = new PinTimes();

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
    const target = this.#shouldFocus && this.find('[data-autofocus]');
    if (!target) return;
    target.focus();
    this.#shouldFocus = false;
  }

  protected override renderContent(t: PinEntryMessages): TemplateResult {
    const {store} = this.#enrollment;
    if (!store) return skeleton(2);
    // This region exists before its text, because screen readers may ignore a region that appears with its text.
    return html`<p class="visually-hidden" role="status">${this.#times.announce(store, Boolean(this.shadowRoot?.activeElement), t)}</p>
      ${this.#renderStep(store, t)}`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(2);
  }

  #renderStep(current: Enrollment, t: PinEntryMessages): TemplateResult {
    const {step, started, problem} = current;
    const card = {terms: this.#subscription.terms.value, host: this};
    const {doneTitle} = enrollmentMessages[this.locale];
    if (started) return this.#end.render(doneTitle, ({doneCard}) => doneCard(doneTitle, started, card));
    if (step === 'refused' && problem) {
      const useOtherNumber = () => current.changeNumber();
      const title = refusalTitle(problem, this.locale);
      const {assurance} = pinSubscribeMessages[this.locale];
      return this.#end.render(
        title,
        (cards) => cards.refusalCard(problem, {...card, useOtherNumber}, assurance),
        !card.terms,
      );
    }
    return this.#renderPin(current, t);
  }

  #renderPin(current: Enrollment, t: PinEntryMessages): TemplateResult {
    const {enrollee, sent, isPinFromElsewhere, isPinOver, expiresInMs, confirmInMs, pinRequestInMs, problem, busyWith} =
      current;
    const number = formatMsisdn(enrollee?.msisdn ?? '').replaceAll(' ', '\u00a0');
    const changeNumber = html`<button
      type="button"
      class="link"
      part="button"
      aria-disabled=${busyWith === 'attempt' || nothing}
      @click=${() => current.changeNumber()}
    >
      ${t.changeNumber}
    </button>`;
    const {locale, humanCheckFailure} = this;
    const assurance = this.#end.cards?.attemptAssurance(problem, locale);
    const resend = this.#renderResend(current, t);
    const contacts = this.#end.cards?.askSellerAbout(this, problem, this.#subscription.terms.value);
    if (isPinOver) return this.#renderPinOver(problem, {number, changeNumber, resend, contacts}, t);
    const message = this.#isMissing ? t.pinMissing : this.#refusal(problem, t);
    // `wait` is undefined while the notice says that no new PIN was sent, because the countdown is below the button.
    const wait =
      confirmInMs > 0
        ? enrollmentMessages[this.locale].mayRetry(formatInWords(confirmInMs, this.locale))
        : pinRequestInMs > 0
          ? undefined
          : null;
    const validFor =
      isPinFromElsewhere || expiresInMs <= 0 ? nothing : t.pinLeft(formatDuration(expiresInMs, this.locale));
    return html`<form novalidate @submit=${this.#onSubmit} @input=${() => this.requestUpdate()}>
      <div>
        <h3>${t.pinTitle}</h3>
        <p class="muted" role="status" data-private>${withUntranslated(this.#isResent ? t.pinSentAgain(number, sent?.as_of.slice(...HOURS_AND_MINUTES) ?? '') : isPinFromElsewhere ? number : t.pinSent(number), number)}</p>
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
        <p id="pin-left" class="muted">${validFor}</p>
      </div>
      ${problemOutsideFields(humanCheckFailure ?? problem, locale, ['pin'], wait, assurance)}
      <slot name="human-check"></slot>
      ${this.#renderConfirm(current, t)} ${resend} ${changeNumber}
      ${problem && pinRequestInMs <= 0 ? nothing : html`<p class="muted">${t.noSms}</p>`}
      ${contacts}
    </form>`;
  }

  /** Says that the PIN has expired or is blocked. The shopper can only request another PIN. */
  #renderPinOver(
    problem: Problem | undefined,
    {
      number,
      changeNumber,
      resend,
      contacts,
    }: Readonly<Record<'number' | 'changeNumber' | 'resend' | 'contacts', unknown>>,
    t: PinEntryMessages,
  ): TemplateResult {
    const {locale, humanCheckFailure} = this;
    const assurance = this.#end.cards?.attemptAssurance(problem, locale);
    const refusal = problem && endsPin(problem) ? problem.refusal?.messages[locale] : undefined;
    return html`<form>
      <div>
        <h3 tabindex="-1" data-autofocus>${refusal?.title ?? t.pinExpired}</h3>
        <p class="muted">${refusal?.text ?? t.requestPin}</p>
        ${refusal ? html`<p class="muted">${assurance}</p>` : nothing}
      </div>
      ${problemOutsideFields(humanCheckFailure ?? problem, locale, ['pin'], null, assurance)}
      <slot name="human-check"></slot>
      ${resend}
      <p class="number"><span translate="no">${number}</span> ${changeNumber}</p>
      ${problem ? nothing : html`<p class="muted">${t.noSms}</p>`} ${contacts}
    </form>`;
  }

  /** The button that requests another PIN, or the time until another PIN can be requested. */
  #renderResend({isPinOver, resendInMs, busyWith}: Enrollment, t: PinEntryMessages): TemplateResult {
    const wait = resendInMs > 0 && t.resendIn(formatDuration(resendInMs, this.locale));
    if (wait && !isPinOver) return html`<p class="muted resend">${wait}</p>`;
    if (wait)
      return html`<button type="button" class="button" part="button" aria-disabled="true">${t.resend}</button>
        <p class="resend muted">${wait}</p>`;
    return html`<button
      id="resend"
      type="button"
      class=${isPinOver ? 'button' : 'button soft'}
      part="button"
      aria-busy=${busyWith === 'pin' || nothing}
      aria-disabled=${busyWith ? 'true' : nothing}
      @click=${this.#onResend}
    >
      ${busyWith === 'pin' ? pinSubscribeMessages[this.locale].sending : t.resend}
    </button>`;
  }

  /** Why the PIN was refused. Says how many attempts are left when they are few. */
  #refusal(problem: Problem | undefined, t: PinEntryMessages): string | undefined {
    const {attempts_left = Infinity} = problem?.details ?? {};
    return problem?.code === 'pin_wrong' && attempts_left <= FEW_ATTEMPTS
      ? t.pinWrong(attempts_left)
      : fieldMessage('pin', problem, this.locale);
  }

  #renderConfirm({busyWith, confirmInMs, isPinTried}: Enrollment, t: PinEntryMessages): TemplateResult {
    const terms = this.#subscription.terms.value;
    const label = terms ? subscribeLabel(terms, this.locale) : t.confirm;
    return html`<button
      id="confirm"
      type="submit"
      class="button"
      part="button"
      data-vezne-track=${!isPinTried && this.#pin ? 'confirm_clicked' : nothing}
      aria-busy=${busyWith === 'attempt' || nothing}
      aria-disabled=${busyWith !== undefined || confirmInMs > 0 || nothing}
    >
      ${busyWith === 'attempt' ? enrollmentMessages[this.locale].confirming : label}
    </button>`;
  }

  /** The digits that the shopper has typed; undefined if the field is empty or contains anything else. */
  get #pin(): string | undefined {
    const pin = compactText(this.#field?.value ?? '');
    return /^\d+$/.test(pin) ? pin : undefined;
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const {store} = this.#enrollment;
    if (!store || store.isBusy || store.confirmInMs > 0 || store.expiresInMs <= 0) return;
    const pin = this.#pin;
    this.#isMissing = pin === undefined;
    this.requestUpdate();
    if (pin === undefined) this.#field?.focus();
    else void store.confirm(pin, this.#subscription.trackingId, this.locale);
  };

  readonly #onResend = (): void => {
    if (this.#enrollment.store?.isBusy) return;
    this.#field?.focus();
    this.resend();
  };

  /**
   * Moves the focus after a refusal. If the PIN was wrong, the field gets the focus. If the PIN can no longer be used,
   * the title gets it.
   */
  #onProblem(problem: Problem | undefined): void {
    if (problem === this.#handledProblem) return;
    this.#handledProblem = problem;
    if (problem?.code === 'pin_wrong') {
      this.#field?.focus();
      this.#field?.select();
    } else if (problem && endsPin(problem)) {
      this.find('h3')?.focus();
    }
  }

  get #field(): HTMLInputElement | null {
    return this.find<HTMLInputElement>('#pin') ?? null;
  }

  #onChange(current: Enrollment | undefined): void {
    const {step, sent} = current ?? {};
    if (sent && sent !== this.#sent) this.#onSent(sent);
    if (step === this.#step) return;
    if (step === 'done' || step === 'refused') {
      // Directly after a reload, nothing is new, so the focus stays where it is.
      this.#shouldFocus = this.#step !== undefined;
      this.#smsRequest?.abort();
    }
    if (current && step === 'done' && this.#step)
      this.dispatchEvent(new SubscribeEvent(this.#subscription.trackingId, current.isNews()));
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
