import {html, nothing, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../../worker/contract/browser/subscription-answers.ts';
import {lazyElements} from '../../core/define.ts';
import {VezneEvent} from '../../core/events.ts';
import {readMsisdn} from '../../core/format.ts';
import type {Problem} from '../../core/problem.ts';
import {attempt} from '../../core/storage.ts';
import {Watching} from '../../core/store.ts';
import {formStyles} from '../../core/styles/form.styles.ts';
import {bones} from '../../core/templates.ts';
import {subscribeWords, type SubscribeWords} from '../../locales/pin-subscribe.ts';
import {troubleWords} from '../../locales/trouble.ts';
import {Countdown, duration} from '../countdown.ts';
import type {Enrollment} from '../enrollment.ts';
import {renderProblem, wordsFor} from '../field-messages.ts';
import {offerTerms} from '../offer-terms.ts';
import {type Enrollee, readKeptPin} from '../saved-pin.ts';
import {SubscriptionElement} from '../subscription-element.ts';
import type {HumanCheck} from './human-check.ts';
import {numberForm, type Faults} from './number-form.ts';
import {styles} from './vezne-pin-subscribe.styles.ts';

/** What of its part a page can style through this one. */
const PARTS = 'field,status,problem,button';

/** Name of the button that leads to a PIN which was asked for elsewhere. */
const OLDER = 'older';

const enteringPin = lazyElements(() => import('../../bundles/pin-entry.ts'));

/**
 * Subscribes a mobile number: number and operator, then the PIN that came by SMS. Price and terms stand above everything
 * that can be pressed, and consent is never ticked beforehand. A page that is thrown away while its owner reads the SMS
 * comes back to the PIN.
 *
 * Takes the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-pin-subscribe
 * @event {PinSentEvent} vezne-pin-sent - A PIN is on its way.
 * @event {SubscribeEvent} vezne-subscribe - The subscription began.
 * @event {ProblemEvent} vezne-error - Something could not be done.
 * @slot title - What is subscribed to, in words of the page's own.
 * @slot done - What follows: a way to what was subscribed to.
 * @slot human-check - Where the human check appears when one is asked for; the element fills it.
 * @csspart base - Everything.
 * @csspart offer - Title, price and terms.
 * @csspart title - What is subscribed to.
 * @csspart price - What it costs, and how often.
 * @csspart terms - What is agreed to.
 * @csspart operator - Each operator.
 * @csspart field - The fields for number and PIN.
 * @csspart status - The card at the end.
 * @csspart problem - What is said when something could not be done.
 * @csspart button - Each button.
 */
export class VeznePinSubscribe extends SubscriptionElement<SubscribeWords> {
  static readonly tag = 'vezne-pin-subscribe';
  static override styles = [SubscriptionElement.styles, formStyles, styles];

  protected override readonly words = subscribeWords;

  readonly #terms = new Watching(this, () => this.terms);
  /** Comes while the terms are read and the number is typed. */
  readonly #entering = new Watching(this, () => (this.#terms.target?.value ? enteringPin : undefined));
  readonly #enrollment = new Watching(
    this,
    () => this.#entering.target?.value?.enrollment(this.address, this.source),
    (enrollment) => this.#onChange(enrollment),
  );
  #faults: Faults = {};
  #human: HumanCheck | undefined;
  #isSending = false;

  constructor() {
    super();
    this.addController(new Countdown(this, () => (this.#enrollment.target?.waitInMs ?? 0) > 0));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#human?.remove();
  }

  protected override updated(): void {
    this.tell(this.#problem);
    super.updated();
  }

  protected override renderIn(say: SubscribeWords): TemplateResult {
    return this.renderAnswer(
      this.#terms.target,
      (terms) => html`${this.#enrollment.target?.step === 'done' ? nothing : offerTerms(terms, this.locale)}
        ${
          this.#isEntering
            ? this.renderAnswer(
                this.#entering.target,
                () => this.#renderEntry(),
                () => bones(2),
              )
            : this.#renderNumber(terms, say)
        }`,
    );
  }

  protected override renderSkeleton(): TemplateResult {
    return bones(5);
  }

  /** Whether a PIN is on its way, or was taken; also on a page that was thrown away and came back. */
  get #isEntering(): boolean {
    const enrollment = this.#enrollment.target;
    return enrollment ? enrollment.step !== 'number' : readKeptPin(this.address, this.source) !== undefined;
  }

  #renderEntry(): TemplateResult {
    return html`<vezne-pin-entry
      lang=${this.locale}
      exportparts=${PARTS}
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
      .trackingParameter=${this.trackingParameter}
      .resend=${() => this.#sendPin(this.#enrollment.target?.enrollee)}
      ><slot name="human-check" slot="human-check"></slot><slot name="done" slot="done"></slot
    ></vezne-pin-entry>`;
  }

  #renderNumber({operators}: SubscriptionTerms, say: SubscribeWords): TemplateResult {
    const {enrollee, waitInMs = 0, isBusy = this.#isSending} = this.#enrollment.target ?? {};
    const problem = this.#problem;
    return numberForm({
      operators,
      operator: enrollee?.operator ?? this.#lastOperator,
      msisdn: enrollee?.msisdn,
      faults: {
        number: wordsFor('number', problem, this.locale),
        operator: wordsFor('operator', problem, this.locale),
        ...this.#faults,
      },
      say,
      onSubmit: (event) => this.#onSubmit(event, operators),
      onInput: (form) => this.#onInput(form, operators),
      end: html`${renderProblem(problem, this.locale, ['number', 'operator'])}
        <slot name="human-check"></slot>
        ${waitInMs > 0 ? html`<p class="muted">${say.wait(duration(waitInMs, this.locale))}</p>` : nothing}
        <button type="submit" class="button" part="button" data-vezne-track="subscribe_clicked" ?disabled=${isBusy || waitInMs > 0}>
          ${say.sendPin}
        </button>
        ${
          this.#enrollment.target?.problem?.retryable
            ? html`<p class="muted">${say.olderPin}</p>
              <button type="submit" name=${OLDER} class="button soft" part="button" ?disabled=${isBusy}>${say.enterPin}</button>`
            : nothing
        }`,
    });
  }

  #onSubmit(event: SubmitEvent, operators: SubscriptionTerms['operators']): void {
    event.preventDefault();
    const {name} = (event.submitter ?? {}) as {name?: string};
    const {msisdn, operator, faults} = this.#read(event.target as HTMLFormElement, operators);
    this.#faults = faults;
    this.requestUpdate();
    const [missing] = Object.keys(this.#faults);
    if (missing) this.renderRoot.querySelector<HTMLElement>(`[name=${missing}]`)?.focus();
    else if (msisdn && name === OLDER) this.#enrollment.target?.enterPin({msisdn, operator});
    else if (msisdn) void this.#sendPin({msisdn, operator});
  }

  /** What is put right is not called wrong any more; nothing is called wrong while it is typed. */
  #onInput(form: HTMLFormElement, operators: SubscriptionTerms['operators']): void {
    const {faults} = this.#read(form, operators);
    this.#faults = Object.fromEntries(Object.entries(this.#faults).filter(([field]) => field in faults));
    this.requestUpdate();
  }

  #read(form: HTMLFormElement, operators: SubscriptionTerms['operators']) {
    const {say} = this;
    const fields = new FormData(form);
    const msisdn = readMsisdn(String(fields.get('number')));
    const operator = Number(operators.length === 1 ? operators[0]?.id : fields.get('operator'));
    const faults: Faults = {
      ...(!operator && {operator: say.operatorMissing}),
      ...(!msisdn && {number: say.numberWrong}),
      ...(!fields.has('consent') && {consent: say.consentMissing}),
    };
    return {msisdn, operator, faults};
  }

  /** Why the last attempt did not succeed, or what it takes is not here. */
  get #problem(): Problem | undefined {
    const entering = this.#entering.target?.state;
    return this.#enrollment.target?.problem ?? (entering?.status === 'failed' ? entering.problem : undefined);
  }

  /** The operator chosen the last time at this Worker. */
  get #lastOperator(): number {
    let operator = 0;
    attempt(() => (operator = Number(localStorage[this.#habit])));
    return operator;
  }

  get #habit(): string {
    return `vezne operator ${this.address}`;
  }

  async #sendPin(enrollee: Enrollee | undefined): Promise<void> {
    if (!enrollee) return;
    if (!this.awaitsConsent) attempt(() => (localStorage[this.#habit] = String(enrollee.operator)));
    this.#isSending = true;
    this.requestUpdate();
    try {
      const {enrollment: find} = await enteringPin.wait(new AbortController().signal);
      const enrollment = find(this.address, this.source);
      await enrollment.requestPin(enrollee, this.trackingId, this.#human?.take());
      if (!enrollment.problem) this.dispatchEvent(new PinSentEvent());
    } catch {
      // The file that asks did not come: what is shown says so, and it is fetched again.
    }
    this.#isSending = false;
    this.requestUpdate();
  }

  #onChange(enrollment: Enrollment | undefined): void {
    if (enrollment?.problem) this.#faults = {};
    if (enrollment?.problem?.code === 'human_check_required') void this.#showHumanCheck();
    if (enrollment?.step === 'done') this.#human?.remove();
  }

  async #showHumanCheck(): Promise<void> {
    const check = this.#terms.target?.value?.human_check;
    if (!check) return;
    try {
      const {HumanCheck} = await import('./human-check.ts');
      this.#human ??= new HumanCheck(this);
      const failed = await this.#human.show(check, this.locale);
      this.#faults = failed ? {consent: failed} : {};
    } catch {
      // Without the network not even the words came.
      this.#faults = {consent: troubleWords[this.locale].unreachableText};
    }
    this.requestUpdate();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-pin-subscribe': VeznePinSubscribe;
  }
}

/** A PIN was asked for: if the number can get one, it is on its way. */
export class PinSentEvent extends VezneEvent {
  static readonly type = 'vezne-pin-sent';
  constructor() {
    super(PinSentEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-pin-sent': PinSentEvent;
  }
}
