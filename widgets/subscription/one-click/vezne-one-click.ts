import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import type {ShownNumber, SubscriptionTerms} from '../../../worker/contract/browser/subscription-answers.ts';
import {formatMsisdn} from '../../core/format.ts';
import {toProblem} from '../../core/problem.ts';
import {Query} from '../../core/query.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton} from '../../core/templates.ts';
import {withUntranslated} from '../../core/untranslated.ts';
import {flag, VezneElement} from '../../core/vezne-element.ts';
import {enrollmentMessages} from '../../locales/enrollment.ts';
import {oneClickMessages, type OneClickMessages} from '../../locales/one-click.ts';
import {busyStyles} from '../busy.styles.ts';
import {Countdown} from '../countdown.ts';
import {formatInWords} from '../duration.ts';
import {EndController, refusalTitle} from '../end-controller.ts';
import {findEnrollment, type Enrollment, type EnrollmentStep} from '../enrollment.ts';
import {problemOutsideFields} from '../field-messages.ts';
import {offerTerms, SubscriptionController, trackingProperties} from '../offer.ts';
import {styles as frame} from '../pin-subscribe/vezne-pin-subscribe.styles.ts';
import {SubscribeEvent} from '../subscribe-event.ts';
import {subscribeLabel} from '../subscribe-label.ts';
import {ReadingTime} from './reading-time.ts';
import {styles} from './vezne-one-click.styles.ts';

/** How long each paragraph of the price and the terms must be in view before the shopper can confirm. */
const READING_MS = 2_000;

/** The properties on which the recognized number depends. */
const SOURCES = ['numberToken', 'numberTokenParameter', 'framed', 'offer', 'session', 'api'];

/** Refusals after which the shopper types the number instead. */
const NUMBER_REFUSALS = /one_click_off|(number|operator|token)_invalid/;

/**
 * Subscribes the number that the mobile network has recognized. The element shows the masked number, the price and the
 * terms; then the shopper confirms with one click. Clicks by scripts are ignored. If the network has not recognized the
 * number, one-click is off, or the page is in a frame, the element shows `vezne-pin-subscribe` instead, which must be
 * defined too.
 *
 * In a frame, another page could lay its own button over this element. The attribute `framed` allows one-click in a
 * frame. Set it only if `frame-ancestors` in this page's Content-Security-Policy names the pages that may frame it.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-one-click
 * @attr {string} tracking-parameter - The parameter of the page's address with the campaign's click id.
 * @event {SubscribeEvent} vezne-subscribe - The subscription has started.
 * @event {PinSentEvent} vezne-pin-sent - The shopper typed a number, and the platform was asked to send a PIN.
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
 * @csspart number - The masked number and its operator.
 * @csspart status - The card shown after the subscription has started, or if the number cannot be subscribed.
 * @csspart row - Each row of details on that card.
 * @csspart problem - The message shown after a failure.
 * @csspart button - Each button.
 */
export class VezneOneClick extends VezneElement<OneClickMessages> {
  static readonly tag = 'vezne-one-click';
  static override properties = {
    ...trackingProperties,
    // It stands for a person's number, so it is not added to the page's markup.
    numberToken: {attribute: 'number-token', reflect: false},
    numberTokenParameter: {attribute: 'number-token-parameter', initial: 'number_token'},
    framed: flag,
  };
  static override styles = [VezneElement.styles, frame, busyStyles, styles];

  protected override readonly messages = oneClickMessages;

  declare trackingParameter: string;

  /** The mobile network's token for the shopper's number. By default, it is taken from the page's URL. */
  declare numberToken: string;

  /** The name of the URL query parameter that contains the token. */
  declare numberTokenParameter: string;

  /** Whether one-click is allowed in a frame too. */
  declare framed: boolean;

  readonly #subscription = new SubscriptionController(this);
  readonly #enrollment = new StoreController(
    this,
    () => findEnrollment(this.address, this.#subscription.source),
    (current) => this.#onChange(current),
  );
  readonly #number = new Query((signal) => this.#readNumber(signal));
  readonly #numberController = new StoreController(this, () => (this.#isTyped ? undefined : this.#number));
  /** The token whose number the element shows and subscribes. */
  #token = '';
  /** The token in the page's URL. A page may remove it from there. */
  #urlToken = '';
  /** Whether the shopper types the number. If so, the element shows `vezne-pin-subscribe`. */
  #isTyped = false;
  /** Whether the shopper has chosen to type another number. If so, a link leads back to the recognized number. */
  #isByChoice = false;
  readonly #reading = new ReadingTime(this, () => this.find('.offer') ?? null, READING_MS);
  readonly #end = new EndController(this);
  #step: EnrollmentStep | undefined;
  /** Whether the shopper has clicked. The funnel counts only the first click. */
  #isTried = false;
  /** Whether the shopper has confirmed in this element. If so, the title of the result gets the focus. */
  #isConfirmed = false;

  constructor() {
    super();
    this.addController(new Countdown(this, () => (this.#enrollment.store?.confirmInMs ?? 0) > 0));
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('numberTokenParameter')) this.#urlToken = '';
    if (!this.hasUpdated || SOURCES.some((name) => changed.has(name))) this.#takeToken();
  }

  protected override updated(): void {
    super.updated();
    const target = this.#isConfirmed && this.find('[data-autofocus]');
    if (!target) return;
    target.focus();
    this.#isConfirmed = false;
  }

  protected override renderContent(t: OneClickMessages): TemplateResult {
    const {step, started, problem} = this.#enrollment.store ?? {};
    this.reportProblem(problem);
    const {doneTitle} = enrollmentMessages[this.locale];
    const card = {terms: this.#subscription.terms.value, host: this};
    if (started && !this.#isTyped)
      return this.#end.render(doneTitle, (cards) => cards.doneCard(doneTitle, started, card));
    if (step === 'refused' && problem && !this.#isTyped)
      return this.#end.render(
        refusalTitle(problem, this.locale),
        (cards) => cards.refusalCard(problem, {...card, useOtherNumber: this.#useOtherNumber}, t.assurance),
        !card.terms,
      );
    if (this.#isTyped) return this.#renderPin(t);
    const {result} = this.#number;
    const numberProblem = 'problem' in result ? result.problem : undefined;
    return this.renderQuery(
      this.#subscription.terms,
      (terms) =>
        html`${this.renderQuery(this.#numberController.store, (number) =>
          number ? this.#renderConfirm(terms, number, t) : this.#switchToTyping(),
        )}
        ${this.#end.cards?.askSellerAbout(this, numberProblem, terms)}`,
    );
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(6);
  }

  #renderConfirm(terms: SubscriptionTerms, {msisdn, operator}: ShownNumber, t: OneClickMessages): TemplateResult {
    const {isBusy = false, confirmInMs = 0, problem, isOutcomeUnknown} = this.#enrollment.store ?? {};
    const name = terms.operators.find(({id}) => id === operator)?.name;
    const {confirming, mayRetry} = enrollmentMessages[this.locale];
    const wait = confirmInMs > 0 ? mayRetry(formatInWords(confirmInMs, this.locale)) : null;
    return html`${offerTerms(terms, this.locale)}
      <p class="number" part="number"><span class="muted">${t.yourNumber}</span><b translate="no">${formatMsisdn(msisdn)}</b><span class="muted" translate="no">${name}</span></p>
      ${problem ? nothing : html`<p class="muted">${isBusy ? t.waiting : this.#reading.isComplete ? t.mayConfirm : t.readFirst}</p>`}
      ${problemOutsideFields(problem, this.locale, [], wait, this.#end.cards?.attemptAssurance(problem, this.locale))}
      <button
        id="confirm"
        type="button"
        class="button"
        part="button"
        data-vezne-track=${this.#isTried || !this.#reading.isComplete ? nothing : 'confirm_clicked'}
        aria-busy=${isBusy || nothing}
        aria-disabled=${this.#mayConfirm ? nothing : 'true'}
        @click=${this.#onConfirm}
      >
        ${isBusy ? confirming : subscribeLabel(terms, this.locale)}
      </button>
      ${isOutcomeUnknown ? nothing : html`<p class="back"><button type="button" class="link" part="button" aria-disabled=${isBusy || nothing} @click=${() => isBusy || this.#switchToTyping(true)}>${t.otherNumber}</button></p>`}
      ${this.#end.cards?.askSellerAbout(this, problem, terms)}`;
  }

  #renderPin(t: OneClickMessages): TemplateResult {
    const {step, isBusy} = this.#enrollment.store ?? {};
    const number = this.#isByChoice && step === 'number' && this.#number.value;
    return html`<vezne-pin-subscribe
      lang=${this.locale}
      exportparts="offer,title,price,terms,operator,field,status,row,problem,button"
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
      .trackingParameter=${this.trackingParameter}
      ><slot name="title" slot="title">${this.#subscription.terms.value?.title[this.locale]}</slot><slot name="human-check" slot="human-check"></slot><slot name="done" slot="done"></slot><slot name="manage" slot="manage"></slot
    ></vezne-pin-subscribe>${number ? html`<p class="back"><button type="button" class="link" part="button" aria-disabled=${isBusy || nothing} @click=${this.#onBack}>${withUntranslated(t.recognizedNumber(formatMsisdn(number.msisdn)), formatMsisdn(number.msisdn))}</button></p>` : nothing}`;
  }

  /** Lets the shopper type the number. Until the next update, a skeleton is shown. */
  #switchToTyping(isByChoice = false): TemplateResult {
    queueMicrotask(() => {
      this.#isTyped = true;
      this.#isByChoice = isByChoice;
      this.requestUpdate();
    });
    return this.renderSkeleton();
  }

  /** Returns to the recognized number, except while a PIN is being requested: that would drop the Worker's answer. */
  readonly #onBack = (): void => {
    if (this.#enrollment.store?.isBusy) return;
    this.#isTyped = false;
    // Otherwise a problem with the typed number would still be shown.
    this.#enrollment.store?.changeNumber();
    if (this.#token !== this.#newestToken) this.#takeToken();
  };

  /** Whether the shopper has had time to read, and neither a request nor a waiting time is in progress. */
  get #mayConfirm(): boolean {
    const {isBusy, confirmInMs = 0} = this.#enrollment.store ?? {};
    return this.#reading.isComplete && !isBusy && confirmInMs <= 0;
  }

  /** Reads the number that the token stands for. Returns null if the shopper must type the number. */
  async #readNumber(signal: AbortSignal): Promise<ShownNumber | null> {
    const token = this.#token;
    const {one_click} = await this.#subscription.terms.wait(signal);
    if (!one_click || !token || (self !== top && !this.framed)) return null;
    try {
      return await findEnrollment(this.address, this.#subscription.source).readNumber(token, signal);
    } catch (thrown) {
      if (!signal.aborted && NUMBER_REFUSALS.test(toProblem(thrown).code)) return null;
      throw thrown;
    }
  }

  get #newestToken(): string {
    this.#urlToken = new URL(location.href).searchParams.get(this.numberTokenParameter) || this.#urlToken;
    return this.numberToken || this.#urlToken;
  }

  /**
   * Shows the number of the page's newest token, except while the shopper subscribes, has subscribed or may have
   * subscribed the number that is shown. If the shopper chose to type another number, the way back shows it.
   */
  #takeToken(): void {
    const current = findEnrollment(this.address, this.#subscription.source);
    const token = this.#newestToken;
    if (!this.hasUpdated) return void (this.#token = token);
    if (current.isBusy || current.isOutcomeUnknown || /pin|done/.test(current.step)) return;
    if (this.#isTyped && this.#isByChoice) return void (this.#token = '');
    this.#token = token;
    this.#isTyped = false;
    current.changeNumber();
    this.#number.reload();
  }

  readonly #useOtherNumber = (): void => {
    this.#enrollment.store?.changeNumber();
    this.#switchToTyping();
  };

  /** Subscribes when the shopper clicks. Ignores clicks by scripts, and clicks before there was time to read. */
  readonly #onConfirm = ({isTrusted}: MouseEvent): void => {
    if (!isTrusted || !this.#mayConfirm) return;
    this.#isConfirmed = true;
    this.#isTried = true;
    const request = {number_token: this.#token, tracking_id: this.#subscription.trackingId, language: this.locale};
    void this.#enrollment.store?.subscribeWithToken(request, this.#number.value?.msisdn);
  };

  #onChange(current: Enrollment | undefined): void {
    const {step, problem} = current ?? {};
    if (problem && !this.#isTyped && NUMBER_REFUSALS.test(problem.code)) this.#switchToTyping();
    // If the subscription started before the page was reloaded, the page already received this event.
    if (current && step === 'done' && this.#step && this.#step !== 'done' && !this.#isTyped)
      this.dispatchEvent(new SubscribeEvent(this.#subscription.trackingId, current.isNews()));
    this.#step = step;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-one-click': VezneOneClick;
  }
}
