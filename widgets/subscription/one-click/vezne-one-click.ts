import {html, nothing, type TemplateResult} from 'lit';
import type {ShownNumber, SubscriptionTerms} from '../../../worker/contract/browser/subscription-answers.ts';
import {lazyElements} from '../../core/define.ts';
import {formatMsisdn} from '../../core/format.ts';
import {toProblem, type ProblemCode} from '../../core/problem.ts';
import {Query} from '../../core/query.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton, button, problemNotice} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {oneClickMessages, type OneClickMessages} from '../../locales/one-click.ts';
import {pinEntryMessages} from '../../locales/pin-entry.ts';
import {pinSubscribeMessages} from '../../locales/pin-subscribe.ts';
import {Countdown, formatDuration} from '../countdown.ts';
import {doneCard, doneCardStyles} from '../done-card.ts';
import {findEnrollment, type Enrollment, SubscribeEvent} from '../enrollment.ts';
import {offerTerms} from '../offer-terms.ts';
import {styles as frame} from '../pin-subscribe/vezne-pin-subscribe.styles.ts';
import {SubscriptionController, trackingProperties} from '../subscription-controller.ts';
import {ReadingTime} from './reading-time.ts';
import {styles} from './vezne-one-click.styles.ts';

const pinElements = lazyElements(() => import('../../bundles/pin-subscribe.ts'));

/** For how long price and terms, each of them, must have been in sight before anything can be pressed. */
const READING_MS = 2_000;

/** Where the number is not known, it is typed. */
const UNKNOWN_NUMBER: ReadonlySet<ProblemCode> = new Set<ProblemCode>([
  'number_token_invalid',
  'one_click_off',
  'operator_invalid',
  'number_invalid',
]);

/**
 * Subscribes the number that the mobile network recognised, with one press: masked number, price and terms in sight, then
 * a real click. Where the number is not recognised, or one-click is off, it is `vezne-pin-subscribe` instead.
 *
 * Takes the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-one-click
 * @event {SubscribeEvent} vezne-subscribe - The subscription began.
 * @event {PinSentEvent} vezne-pin-sent - A PIN is on its way, where the number was typed.
 * @event {ProblemEvent} vezne-error - Something could not be done.
 * @slot title - What is subscribed to, in words of the page's own.
 * @slot done - What follows: a way to what was subscribed to.
 * @slot human-check - Where the human check appears when one is asked for.
 * @csspart base - Everything.
 * @csspart offer - Title, price and terms.
 * @csspart title - What is subscribed to.
 * @csspart price - What it costs, and how often.
 * @csspart terms - What is agreed to.
 * @csspart number - The masked number and its operator.
 * @csspart status - The card at the end.
 * @csspart problem - What is said when something could not be done.
 * @csspart button - Each button.
 */
export class VezneOneClick extends VezneElement<OneClickMessages> {
  static readonly tag = 'vezne-one-click';
  static override properties = {
    ...trackingProperties,
    numberToken: {attribute: 'number-token'},
    numberTokenParameter: {attribute: 'number-token-parameter'},
  };
  static override styles = [VezneElement.styles, frame, doneCardStyles, styles];

  protected override readonly messages = oneClickMessages;

  trackingParameter = '';

  /** The network's token for the visitor's number; by default what the page's address says. */
  numberToken = '';

  /** Name of the part of the page's address that carries the token. */
  numberTokenParameter = 'number_token';

  readonly #subscription = new SubscriptionController(this);
  readonly #enrollment = new StoreController(
    this,
    () => findEnrollment(this.address, this.#subscription.source),
    (current) => this.#onChange(current),
  );
  readonly #number = new Query((signal) => this.#readNumber(signal));
  readonly #numberController = new StoreController(this, () => (this.#isTyped ? undefined : this.#number));
  readonly #pinBundle = new StoreController(this, () => (this.#isTyped ? pinElements : undefined));
  /** Whether the number is typed. */
  #isTyped = false;
  readonly #reading = new ReadingTime(this, () => this.renderRoot.querySelector('.offer'), READING_MS);
  #wasDone = false;
  /** Pressed here: the end is read from its title on. */
  #isConfirmed = false;

  constructor() {
    super();
    this.addController(new Countdown(this, () => (this.#enrollment.store?.confirmInMs ?? 0) > 0));
  }

  protected override updated(): void {
    this.reportProblem(this.#enrollment.store?.problem);
    super.updated();
    const begin = this.#isConfirmed && this.renderRoot.querySelector<HTMLElement>('[data-autofocus]');
    if (!begin) return;
    begin.focus();
    this.#isConfirmed = false;
  }

  protected override renderContent(t: OneClickMessages): TemplateResult {
    if (this.#enrollment.store?.step === 'done' && !this.#isTyped)
      return doneCard(pinEntryMessages[this.locale], this.#subscription.terms.value, this.locale);
    if (this.#isTyped)
      return this.renderQuery(
        this.#pinBundle.store,
        () => this.#renderPin(),
        () => skeleton(5),
      );
    return this.renderQuery(this.#subscription.terms, (terms) =>
      this.renderQuery(this.#numberController.store, (number) =>
        number ? this.#renderConfirm(terms, number, t) : this.#switchToTyping(),
      ),
    );
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(5);
  }

  #renderConfirm(terms: SubscriptionTerms, {msisdn, operator}: ShownNumber, t: OneClickMessages): TemplateResult {
    const {isBusy = false, confirmInMs = 0, problem} = this.#enrollment.store ?? {};
    const name = terms.operators.find(({id}) => id === operator)?.name;
    return html`${offerTerms(terms, this.locale)}
      <p class="number" part="number"><span class="muted">${t.yourNumber}</span><b>${formatMsisdn(msisdn)}</b>${name ? html`<span class="muted">${name}</span>` : nothing}</p>
      ${problem ? problemNotice(problem, this.locale) : nothing}
      ${this.#reading.isComplete ? nothing : html`<p class="muted">${t.readFirst}</p>`}
      ${confirmInMs > 0 ? html`<p class="muted">${pinSubscribeMessages[this.locale].wait(formatDuration(confirmInMs, this.locale))}</p>` : nothing}
      <button
        id="confirm"
        type="button"
        class="button"
        part="button"
        data-vezne-track="confirm_clicked"
        ?disabled=${isBusy || !this.#reading.isComplete || confirmInMs > 0}
        @click=${this.#onConfirm}
      >
        ${t.confirm}
      </button>
      ${button(t.otherNumber, () => this.#switchToTyping(), 'link')}`;
  }

  #renderPin(): TemplateResult {
    return html`<vezne-pin-subscribe
      lang=${this.locale}
      exportparts="offer,title,price,terms,operator,field,status,problem,button"
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
      .trackingParameter=${this.trackingParameter}
      ><slot name="title" slot="title">${this.#subscription.terms.value?.title[this.locale]}</slot><slot name="human-check" slot="human-check"></slot><slot name="done" slot="done"></slot
    ></vezne-pin-subscribe>`;
  }

  /** From now on the number is typed. */
  #switchToTyping(): TemplateResult {
    queueMicrotask(() => {
      this.#isTyped = true;
      this.requestUpdate();
    });
    return skeleton(5);
  }

  /** The number the token stands for; null where there is none to be had, and it is typed. */
  async #readNumber(signal: AbortSignal): Promise<ShownNumber | null> {
    const {one_click} = await this.#subscription.terms.wait(signal);
    if (!one_click || !this.#token) return null;
    try {
      return await findEnrollment(this.address, this.#subscription.source).readNumber(this.#token, signal);
    } catch (thrown) {
      if (!signal.aborted && UNKNOWN_NUMBER.has(toProblem(thrown).code)) return null;
      throw thrown;
    }
  }

  get #token(): string {
    return this.numberToken || (new URL(location.href).searchParams.get(this.numberTokenParameter) ?? '');
  }

  /** Only a person's own click subscribes: not a script's, and not before there was time to read. */
  readonly #onConfirm = ({isTrusted}: MouseEvent): void => {
    if (!isTrusted || !this.#reading.isComplete) return;
    this.#isConfirmed = true;
    void this.#enrollment.store?.subscribeWithToken(this.#token, this.#subscription.trackingId);
  };

  #onChange(current: Enrollment | undefined): void {
    const {step, problem} = current ?? {};
    if (problem && UNKNOWN_NUMBER.has(problem.code)) this.#switchToTyping();
    if (step === 'done' && !this.#wasDone && !this.#isTyped)
      this.dispatchEvent(new SubscribeEvent(this.#subscription.trackingId));
    this.#wasDone = step === 'done';
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-one-click': VezneOneClick;
  }
}
