import {html, nothing, type TemplateResult} from 'lit';
import {onIdle} from '../../core/async.ts';
import {lazyElements} from '../../core/define.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import {formStyles} from '../../core/styles/form.styles.ts';
import {skeleton} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {pinSubscribeMessages, type PinSubscribeMessages} from '../../locales/pin-subscribe.ts';
import {busyStyles} from '../busy.styles.ts';
import {Countdown} from '../countdown.ts';
import type {Enrollment} from '../enrollment.ts';
import {problemOutsideFields, fieldMessage} from '../field-messages.ts';
import {offerTerms, SubscriptionController, trackingProperties} from '../offer.ts';
import {PinSentEvent} from '../pin-sent-event.ts';
import {type Enrollee, readLastOperator, readSavedStep, saveLastOperator} from '../saved-pin.ts';
import type {ShownTerms} from '../script-terms.ts';
import {HumanCheckController} from './human-check-controller.ts';
import {messagesOf, numberForm, parseNumberForm, type FieldErrors} from './number-form.ts';
import {styles} from './vezne-pin-subscribe.styles.ts';

/** CSS parts of `vezne-pin-entry` that a page can style through this element. */
const PARTS = 'field,status,row,problem,button';

const pinEntryElements = lazyElements(() => import('../../bundles/pin-entry.ts'));

/**
 * Subscribes a mobile number: the shopper enters the number and the mobile operator, and then the PIN from the SMS. The
 * price and the terms are above all buttons, and the consent box is never checked in advance. If a phone discards the
 * page while the shopper reads the SMS, the reloaded page continues with the PIN. If the page is reloaded after the
 * subscription has started, it shows that the subscription has started.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-pin-subscribe
 * @attr {string} tracking-parameter - The parameter of the page's address with the campaign's click id.
 * @event {PinSentEvent} vezne-pin-sent - The platform was asked to send a PIN.
 * @event {SubscribeEvent} vezne-subscribe - The subscription has started.
 * @event {ProblemEvent} vezne-error - A request failed.
 * @slot title - Replaces the title of the offer.
 * @slot done - Shown after the subscription has started, for example a link to the content.
 * @slot manage - Shown to subscribers, for example a link to a page with `vezne-subscription`.
 * @slot human-check - The element shows the human check here when the Worker requires it. Pages leave it empty.
 * @csspart base - The whole element.
 * @csspart offer - Title, price and terms.
 * @csspart title - The title of the offer.
 * @csspart price - The price and its period.
 * @csspart terms - The terms that the shopper accepts.
 * @csspart operator - Each operator.
 * @csspart field - The fields for number and PIN.
 * @csspart status - The card shown after the subscription has started, or if the number cannot be subscribed.
 * @csspart row - Each row of details on that card.
 * @csspart problem - The message shown after a failure.
 * @csspart button - Each button.
 */
export class VeznePinSubscribe extends VezneElement<PinSubscribeMessages> {
  static readonly tag = 'vezne-pin-subscribe';
  static override properties = trackingProperties;
  static override styles = [VezneElement.styles, formStyles, busyStyles, styles];

  protected override readonly messages = pinSubscribeMessages;

  declare trackingParameter: string;

  readonly #subscription = new SubscriptionController(this, true);
  /**
   * The bundle with the PIN entry. It loads while the shopper reads the terms and types the number, or when the element
   * has to show the last card.
   */
  readonly #pinEntry = new StoreController(this, () =>
    this.#subscription.terms.value || this.#problem?.retryable === false || (this.#isIdle && this.#shownTerms)
      ? pinEntryElements
      : undefined,
  );
  readonly #enrollment = new StoreController(
    this,
    () => this.#pinEntry.store?.value?.findEnrollment(this.address, this.#subscription.source),
    (enrollment) => this.#onChange(enrollment),
  );
  #fieldErrors: FieldErrors = {};
  /** What a screen reader reads out about the field errors after the shopper has submitted the form. */
  #summary = '';
  /** Whether all fields are filled in correctly. Only then does a click on the button count for the funnel. */
  #isComplete = false;
  readonly #humanCheck = new HumanCheckController(this);
  #isSending = false;
  /** Whether the page has become idle. */
  #isIdle = false;

  constructor() {
    super();
    this.addController(new Countdown(this, () => (this.#enrollment.store?.pinRequestInMs ?? 0) > 0));
    onIdle(() => this.#onIdle());
  }

  protected override renderContent(t: PinSubscribeMessages): TemplateResult {
    this.reportProblem(this.#humanCheck.failure);
    this.reportProblem(this.#problem);
    const terms = this.#shownTerms;
    if (terms) return this.#renderTerms(terms, t);
    // If there is no such offer, the bundle with the PIN entry shows the card that says so.
    return this.renderQuery<unknown>(this.#pinEntry.store ?? this.#subscription.terms, () =>
      this.#isEnded ? this.#renderPinEntry() : this.renderQuery(this.#subscription.terms, () => html``),
    );
  }

  #renderTerms(terms: ShownTerms, t: PinSubscribeMessages): TemplateResult {
    return html`${this.#isEnded ? nothing : this.#isPinEntryShown ? (this.#pinEntry.store?.value?.foldedTerms(terms, this.locale) ?? skeleton(1)) : offerTerms(terms, this.locale)}
        ${
          this.#isPinEntryShown
            ? this.renderQuery(
                this.#pinEntry.store,
                () => this.#renderPinEntry(),
                () => skeleton(5),
              )
            : this.#renderNumberForm(terms, t)
        }`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(8);
  }

  /** Whether the shopper sees the result instead of the offer. */
  get #isEnded(): boolean {
    return /done|refused/.test(this.#enrollment.store?.step ?? '');
  }

  /** Whether a PIN was requested or accepted, on this page or before it was reloaded. */
  get #isPinEntryShown(): boolean {
    const enrollment = this.#enrollment.store;
    return enrollment
      ? enrollment.step !== 'number'
      : readSavedStep(this.address, this.#subscription.source) !== undefined;
  }

  #renderPinEntry(): TemplateResult {
    return html`<vezne-pin-entry
      lang=${this.locale}
      exportparts=${PARTS}
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
      .trackingParameter=${this.trackingParameter}
      .humanCheckFailure=${this.#humanCheck.failure}
      .resend=${() => this.#sendPin(this.#enrollment.store?.enrollee)}
      ><slot name="human-check" slot="human-check"></slot><slot name="done" slot="done"></slot
      ><slot name="manage" slot="manage"></slot
    ></vezne-pin-entry>`;
  }

  #renderNumberForm({operators}: ShownTerms, t: PinSubscribeMessages): TemplateResult {
    const {enrollee, pinRequestInMs = 0, isBusy = this.#isSending, problem: refusal} = this.#enrollment.store ?? {};
    const problem = this.#problem;
    const {locale} = this;
    const late = this.#pinEntry.store?.value;
    // `wait` is undefined if a limit refuses the session, because there is no countdown for that.
    const wait = pinRequestInMs > 0 ? late?.mayRequestPin(pinRequestInMs, locale) : refusal && null;
    const isLimited = wait && problem?.code === 'rate_limited';
    const shown = this.#humanCheck.failure ?? (isLimited ? undefined : problem);
    const notice = problemOutsideFields(shown, locale, ['number', 'operator'], wait, t.assurance);
    // After one click, the notice says why the shopper must fill in the form.
    const isAbove = /token|click/.test(problem?.code ?? '');
    return numberForm({
      operators,
      operator: enrollee?.operator ?? readLastOperator(this.address),
      msisdn: enrollee?.msisdn,
      errors: {
        number: fieldMessage('number', problem, locale),
        operator: fieldMessage('operator', problem, locale),
        ...messagesOf(this.#fieldErrors, t),
      },
      summary: this.#summary,
      t,
      onSubmit: (event) => this.#onSubmit(event, operators),
      onInput: (form) => this.#onInput(form, operators),
      header: isAbove ? notice : nothing,
      footer: html`${isAbove ? nothing : notice}
        <slot name="human-check"></slot>
        <button
          type="submit"
          class="button"
          part="button"
          data-vezne-track=${this.#isComplete ? 'subscribe_clicked' : nothing}
          aria-busy=${isBusy || nothing}
          aria-disabled=${isBusy || pinRequestInMs > 0 || nothing}
        >
          ${isBusy ? t.sending : t.sendPin}
        </button>
        ${refusal?.retryable ? late?.existingPin(isBusy, locale) : nothing}
        ${late?.askSellerAbout(this, problem, this.#subscription.terms.value)}`,
    });
  }

  #onSubmit(event: SubmitEvent, operators: ShownTerms['operators']): void {
    event.preventDefault();
    const {name} = (event.submitter ?? {}) as {name?: string};
    const {pinRequestInMs = 0, isBusy = this.#isSending} = this.#enrollment.store ?? {};
    if (isBusy || (pinRequestInMs > 0 && !name)) return;
    const {msisdn, operator, errors} = parseNumberForm(event.target as HTMLFormElement, operators);
    this.#fieldErrors = errors;
    this.#summary = Object.values(messagesOf(errors, this.t)).join(' ');
    this.requestUpdate();
    const [firstInvalid] = Object.keys(errors);
    if (firstInvalid) this.find(`[name=${firstInvalid}]`)?.focus();
    else if (msisdn && name) this.#enrollment.store?.enterPin({msisdn, operator});
    else if (msisdn) void this.#sendPin({msisdn, operator});
  }

  /** Removes the errors of the fields that the shopper has corrected. Typing never adds an error. */
  #onInput(form: HTMLFormElement, operators: ShownTerms['operators']): void {
    this.#subscription.scriptTerms?.begin();
    const {errors} = parseNumberForm(form, operators);
    this.#fieldErrors = Object.fromEntries(Object.entries(this.#fieldErrors).filter(([field]) => field in errors));
    this.#isComplete = Object.keys(errors).length === 0;
    this.#summary = '';
    this.requestUpdate();
  }

  /** The terms of the session. Until the session is open, the terms of the page's script. */
  get #shownTerms(): ShownTerms | undefined {
    return this.#subscription.terms.value ?? this.#subscription.scriptTerms?.shown;
  }

  /** Why the last request failed, or why the PIN entry or the session could not load. */
  get #problem(): Problem | undefined {
    const results = [this.#pinEntry.store?.result, this.#subscription.terms.result];
    const failed = results.find((result) => result?.status === 'failed');
    return this.#enrollment.store?.problem ?? failed?.problem;
  }

  async #sendPin(enrollee: Enrollee | undefined): Promise<void> {
    if (!enrollee) return;
    if (!this.#subscription.awaitsConsent) saveLastOperator(this.address, enrollee.operator);
    this.#isSending = true;
    this.requestUpdate();
    try {
      const {signal} = new AbortController();
      const [outdated, {findEnrollment, termsChanged}] = await Promise.all([
        this.#subscription.scriptTerms?.findOutdated(this.#subscription.terms, signal),
        pinEntryElements.wait(signal),
      ]);
      if (outdated) return this.#onTermsChanged((current) => termsChanged(outdated, current, this.locale));
      const enrollment = findEnrollment(this.address, this.#subscription.source);
      await enrollment.requestPin(enrollee, this.#subscription.trackingId, this.#humanCheck.takeToken());
      if (!enrollment.problem) this.dispatchEvent(new PinSentEvent());
      this.#isComplete &&= enrollment.problem !== undefined;
    } catch {
      // The session or the bundle with the PIN entry did not load. The element shows this problem. The next submit
      // loads the missing part again.
    } finally {
      this.#isSending = false;
      this.requestUpdate();
    }
    await this.updateComplete;
    // If the Worker refused a field, focus this field, so that the shopper can correct it.
    this.find('[data-autofocus]:is([aria-invalid],[type=radio])')?.focus();
  }

  #onIdle(): void {
    this.#isIdle = true;
    this.requestUpdate();
  }

  /** Shows the new terms, which the shopper must agree to again. */
  #onTermsChanged(describe: (current: ShownTerms) => string): void {
    const consent = this.find<HTMLInputElement>('[name=consent]');
    if (consent) consent.checked = false;
    const terms = this.#shownTerms;
    this.#fieldErrors = {consent: () => (terms ? describe(terms) : '')};
    consent?.focus();
  }

  #onChange(enrollment: Enrollment | undefined): void {
    if (enrollment?.problem) this.#fieldErrors = {};
    if (enrollment?.problem?.code.startsWith('human_check_'))
      void this.#humanCheck.show(this.#subscription.terms.value?.human_check);
    else this.#humanCheck.failure = undefined;
    if (enrollment?.step === 'done') this.#humanCheck.remove();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-pin-subscribe': VeznePinSubscribe;
  }
}
