import {html, nothing, type TemplateResult} from 'lit';
import type * as bundle from '../../bundles/pin-entry.ts';
import {onIdle} from '../../core/async.ts';
import {lazyElements} from '../../core/define.ts';
import {fieldError} from '../../core/field-error.ts';
import {formatMsisdn} from '../../core/format.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import {formStyles} from '../../core/styles/form.styles.ts';
import {skeleton} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {pinSubscribeMessages, type PinSubscribeMessages} from '../../locales/pin-subscribe.ts';
import {busyStyles} from '../busy.styles.ts';
import type {EnrollmentView, NumberView} from '../enrollment-view.ts';
import {offerTerms, SubscriptionController, trackingProperties, type ShownTerms} from '../offer.ts';
import {PinSentEvent} from '../pin-sent-event.ts';
import {type Enrollee, readLastOperator, readSavedStep, saveLastOperator} from '../saved-pin.ts';
import {fieldText, troubleNotice} from '../trouble.ts';
import {nextForm, type FormEvent, type FormFacts, type NumberField} from './form-facts.ts';
import {onNumberChange, operatorChoice, parseNumberForm, type NumberInput} from './number-form.ts';
import {styles} from './vezne-pin-subscribe.styles.ts';

type PinEntry = typeof bundle;

/** CSS parts of `vezne-pin-entry` that a page can style through this element. */
const PARTS = 'field,status,row,problem,button';

const pinEntryElements = lazyElements(() => import('../../bundles/pin-entry.ts'));

type FormView = Pick<NumberView, 'is' | 'canSend'> & Partial<NumberView>;

/** What is shown until the bundle with the PIN entry has loaded. `saved`: a step that was reached before a reload. */
type FirstView = FormView | {readonly is: 'saved'};

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

  #form: FormFacts = {errors: {}};
  /** The page needs no session while the shopper reads the terms of its script. */
  readonly #subscription = new SubscriptionController(
    this,
    () => !!this.#form.hasBegun || !this.#subscription.scriptTerms,
  );
  /**
   * The bundle with the PIN entry. It loads while the shopper reads the terms and types the number, or when the element
   * has to show the last card.
   */
  readonly #pinEntry = new StoreController(
    this,
    () => {
      const {value, problem} = this.#subscription.terms;
      const isNeeded =
        this.#enrollment || value || problem?.retryable === false || (this.#form.isPageIdle && this.#shownTerms);
      return isNeeded ? pinEntryElements : undefined;
    },
    (file) => (this.#enrollment ??= file?.value?.enrollmentOf(this)),
  );
  /** Missing until the bundle with the PIN entry has loaded. */
  #enrollment: ReturnType<PinEntry['enrollmentOf']> | undefined;

  constructor() {
    super();
    onIdle(() => this.#send({is: 'page-idle'}));
  }

  protected override renderContent(t: PinSubscribeMessages): TemplateResult {
    const view = this.#view;
    const failure = 'problem' in view ? view.problem : undefined;
    // Or the PIN entry or the session could not load.
    const problem = failure ?? this.#pinEntry.store?.problem ?? this.#subscription.terms.problem;
    if ('notice' in view) this.reportProblem(view.notice);
    this.reportProblem(problem);
    const terms = this.#shownTerms;
    const late = this.#pinEntry.store?.value;
    switch (view.is) {
      case 'number':
        if (terms) return html`${offerTerms(terms, this.locale)} ${this.#renderNumberForm(view, problem, terms, t)}`;
        // If there is no such offer, the bundle with the PIN entry shows the card that says so.
        return this.renderQuery<unknown>(this.#pinEntry.store ?? this.#subscription.terms, () =>
          this.renderQuery(this.#subscription.terms, () => html``),
        );
      case 'saved':
      case 'pin':
      case 'pin-over':
        if (!terms) return this.renderQuery(this.#subscription.terms, () => html``);
        return this.#renderPinEntry(late?.foldedTerms(terms, this.locale) ?? skeleton(1));
      case 'refused':
      case 'started':
        return this.#renderPinEntry(nothing);
    }
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(8);
  }

  get #view(): EnrollmentView | FirstView {
    if (this.#enrollment) return this.#enrollment.view;
    return readSavedStep(this.address, this.#subscription.source) ? {is: 'saved'} : {is: 'number', canSend: true};
  }

  /** Renders the element that stays from the PIN to the end. */
  #renderPinEntry(above: TemplateResult | typeof nothing): TemplateResult {
    return html`${above} ${this.renderQuery(
      this.#pinEntry.store,
      () => html`<vezne-pin-entry
      lang=${this.locale}
      exportparts=${PARTS}
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
      .trackingParameter=${this.trackingParameter}
      .resend=${(enrollee: Enrollee) => this.#sendPin(enrollee)}
      ><slot name="human-check" slot="human-check"></slot><slot name="done" slot="done"></slot
      ><slot name="manage" slot="manage"></slot
    ></vezne-pin-entry>`,
      () => skeleton(5),
    )}`;
  }

  /** Renders the form for operator, number and consent. Rendering it again keeps what the shopper has typed. */
  #renderNumberForm(
    view: FormView,
    problem: Problem | undefined,
    terms: ShownTerms,
    t: PinSubscribeMessages,
  ): TemplateResult {
    const {enrollee, field, waitMs = 0} = view;
    const {errors, outdated, isSubmitted, isComplete, isSending} = this.#form;
    const {locale} = this;
    const rare = view.problem || waitMs || outdated ? this.#enrollment?.rare : undefined;
    const isBusy = isSending || !!view.busyWith;
    const textOf = (name: NumberField) => {
      const error = errors[name];
      if (error === 'consentOutdated') return outdated && rare?.termsChanged(outdated, terms, locale);
      return error ? t[error] : field === name ? fieldText(view.problem, locale) : undefined;
    };
    const inWords = this.#pinEntry.store?.value?.formatInWords(waitMs, locale) ?? '';
    const wait = waitMs > 0 && rare?.mayRequestPin(waitMs, inWords, locale);
    const notice = troubleNotice(view.problem ? view.notice : (view.notice ?? problem), locale, t.assurance, wait);
    // After one click, the notice says why the shopper must fill in the form.
    const isAbove = /token|click/.test(problem?.code ?? '');
    const {operators} = terms;
    const [only, other] = operators;
    const onlyOne = only && !other ? t.onlyOperator(only.name) : undefined;
    const operatorError = textOf('operator');
    const numberError = textOf('number') ?? (operatorError && onlyOne);
    const consentError = textOf('consent');
    const summary = isSubmitted ? Object.keys(errors).map((name) => textOf(name as NumberField)) : [];
    return html`<form novalidate @submit=${this.#onSubmit} @input=${this.#onInput}>
      <p class="visually-hidden" role="alert">${summary.join(' ')}</p>
      ${isAbove ? notice : nothing}
      ${other ? operatorChoice(operators, enrollee?.operator ?? readLastOperator(this.address), operatorError, t) : nothing}
      <div class="field">
        <label for="number">${t.number}</label>
        <input
          id="number"
          name="number"
          type="tel"
          inputmode="tel"
          autocomplete="tel"
          required
          part="field"
          data-autofocus
          .value=${enrollee ? formatMsisdn(enrollee.msisdn) : ''}
          aria-invalid=${numberError ? 'true' : nothing}
          aria-describedby="number-error number-hint"
          @change=${onNumberChange}
        />
        ${fieldError('number', numberError, false)}
        <p id="number-hint" class="muted">${numberError === onlyOne ? nothing : onlyOne} ${t.numberHint}</p>
      </div>
      <div class="field">
        <label class="consent"
          ><input type="checkbox" name="consent" required aria-invalid=${consentError ? 'true' : nothing} aria-describedby="consent-error" /><span>${t.consent}</span></label
        >
        ${fieldError('consent', consentError, false)}
      </div>
      ${isAbove ? nothing : notice}
      <slot name="human-check"></slot>
      <button
        type="submit"
        class="button"
        part="button"
        data-vezne-track=${isComplete ? 'subscribe_clicked' : nothing}
        aria-busy=${isBusy || nothing}
        aria-disabled=${isBusy || !view.canSend || nothing}
      >
        ${isBusy ? t.sending : t.sendPin}
      </button>
      ${view.mayHavePin ? rare?.existingPin(isBusy, locale) : nothing}
      ${this.#enrollment?.askSellerAbout(problem, this.#subscription.terms.value)}
    </form>`;
  }

  readonly #onInput = (event: Event): void => {
    const {errors} = this.#read(event);
    this.#send({is: 'edited', errors, shown: this.#subscription.scriptTerms});
  };

  #read({currentTarget}: Event): NumberInput {
    return parseNumberForm(currentTarget as HTMLFormElement, this.#shownTerms?.operators ?? []);
  }

  readonly #onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const view = this.#view;
    const {name: hasPin} = (event.submitter ?? {}) as {name?: string};
    if (view.is !== 'number' || view.busyWith || this.#form.isSending || !(view.canSend || hasPin)) return;
    const {enrollee, errors} = this.#read(event);
    this.#send({is: 'submitted', errors});
    if (!enrollee) this.find(`[name=${Object.keys(errors)[0]}]`)?.focus();
    else if (hasPin) this.#enrollment?.knowPin(enrollee);
    else void this.#sendPin(enrollee, this.#subscription.scriptTerms);
  };

  /** The terms of the session. Until the session is open, the terms of the page's script. */
  get #shownTerms(): ShownTerms | undefined {
    const {terms, scriptTerms} = this.#subscription;
    return terms.value ?? (this.#form.hasBegun ? this.#form.read : scriptTerms);
  }

  /** @param shown - The terms of the page's script, if the shopper agrees to them now. */
  async #sendPin(enrollee: Enrollee, shown?: ShownTerms): Promise<void> {
    const {awaitsConsent, trackingId, terms} = this.#subscription;
    if (!awaitsConsent) saveLastOperator(this.address, enrollee.operator);
    this.#send({is: 'sending', shown});
    let isSent = false;
    try {
      const {signal} = new AbortController();
      const [current, {enrollmentOf}] = await Promise.all([terms.wait(signal), pinEntryElements.wait(signal)]);
      this.#send({is: 'terms-read', terms: current});
      if (this.#form.errors.consent === 'consentOutdated') {
        const consent = this.find<HTMLInputElement>('[name=consent]');
        if (consent) consent.checked = false;
        consent?.focus();
        return;
      }
      this.#enrollment ??= enrollmentOf(this);
      isSent = await this.#enrollment.current.requestPin(enrollee, trackingId, this);
      if (isSent) this.dispatchEvent(new PinSentEvent());
    } catch {
      // The session or the bundle with the PIN entry did not load. The element shows this problem. The next submit
      // loads the missing part again.
    } finally {
      this.#send({is: 'answered', isSent});
    }
    await this.updateComplete;
    // If the Worker refused a field, focus this field, so that the shopper can correct it.
    this.find('[data-autofocus]:is([aria-invalid],[type=radio])')?.focus();
  }

  #send(event: FormEvent): void {
    this.#form = nextForm(this.#form, event);
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-pin-subscribe': VeznePinSubscribe;
  }
}
