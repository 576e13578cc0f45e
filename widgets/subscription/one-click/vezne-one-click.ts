import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import type {SubscriptionTerms} from '../../../worker/contract/browser/subscription-answers.ts';
import {formatMsisdn} from '../../core/format.ts';
import type {Query} from '../../core/query.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton} from '../../core/templates.ts';
import {withUntranslated} from '../../core/untranslated.ts';
import {flag, VezneElement} from '../../core/vezne-element.ts';
import {enrollmentMessages} from '../../locales/enrollment.ts';
import {oneClickMessages, type OneClickMessages} from '../../locales/one-click.ts';
import {busyStyles} from '../busy.styles.ts';
import {formatInWords} from '../duration.ts';
import {EnrollmentController} from '../enrollment-controller.ts';
import {offerTerms, SubscriptionController, trackingProperties} from '../offer.ts';
import {styles as frame} from '../pin-subscribe/vezne-pin-subscribe.styles.ts';
import {subscribeLabel} from '../subscribe-label.ts';
import {troubleNotice} from '../trouble.ts';
import {nextOneClick, oneClickView, type ConfirmView, type OneClickEvent, type TypedView} from './one-click-facts.ts';
import {ReadingTime} from './reading-time.ts';
import {recognizedNumber} from './recognized-number.ts';
import {styles} from './vezne-one-click.styles.ts';

/** How long each paragraph of the price and the terms must be in view before the shopper can confirm. */
const READING_MS = 2_000;

/** The properties on which the recognized number depends. */
const SOURCES = ['numberToken', 'numberTokenParameter', 'framed', 'offer', 'session', 'api'];

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
  readonly #enrollment = new EnrollmentController(this, oneClickView, this.#subscription);
  readonly #reading = new ReadingTime(this, () => this.find('.offer') ?? null, READING_MS);
  /** The token in the page's URL. A page may remove it from there. */
  #urlToken = '';

  constructor() {
    super();
    void new StoreController(this, () => (this.#enrollment.view.is === 'typed' ? undefined : this.#recognized));
  }

  protected override willUpdate(changed: PropertyValues): void {
    super.willUpdate(changed);
    if (changed.has('numberTokenParameter')) this.#urlToken = '';
    if (!this.hasUpdated || SOURCES.some((name) => changed.has(name)))
      this.#send({is: 'token-found', token: this.#newestToken});
  }

  protected override renderContent(t: OneClickMessages): TemplateResult {
    const {view} = this.#enrollment;
    if ('problem' in view) this.reportProblem(view.problem);
    const {terms} = this.#subscription;
    switch (view.is) {
      case 'started':
      case 'refused':
        return this.#enrollment.renderEnd(view, this.#subscription, () => this.#send({is: 'typed', why: 'needed'}));
      case 'typed':
        return this.#renderTyped(view, t);
      case 'loading':
      case 'unreadable':
        return this.renderQuery(
          terms,
          (offer) => html`${this.renderQuery(this.#recognized, () => html``)}
            ${this.#enrollment.askSellerAbout(view.problem, offer)}`,
        );
      case 'confirm':
        return this.renderQuery(terms, (offer) => this.#renderConfirm(view, offer, t));
    }
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(6);
  }

  #renderConfirm(view: ConfirmView, terms: SubscriptionTerms, t: OneClickMessages): TemplateResult {
    const {number, problem, notice, waitMs, busyWith, isTried} = view;
    const {locale} = this;
    const {confirming, mayRetry} = enrollmentMessages[locale];
    const {isComplete} = this.#reading;
    const name = terms.operators.find(({id}) => id === number.operator)?.name;
    const wait = waitMs > 0 && mayRetry(formatInWords(waitMs, locale));
    // If an attempt may have charged the number, another number could be charged too.
    const mayType = !view.isUnclear;
    const assurance = this.#enrollment.cards?.assuranceText(view.isUnclear, locale);
    return html`${offerTerms(terms, locale)}
      <p class="number" part="number"><span class="muted">${t.yourNumber}</span><b translate="no">${formatMsisdn(number.msisdn)}</b><span class="muted" translate="no">${name}</span></p>
      ${problem ? nothing : html`<p class="muted">${busyWith ? t.waiting : isComplete ? t.mayConfirm : t.readFirst}</p>`}
      ${troubleNotice(notice, locale, assurance, wait)}
      <button
        id="confirm"
        type="button"
        class="button"
        part="button"
        data-vezne-track=${isTried || !isComplete ? nothing : 'confirm_clicked'}
        aria-busy=${busyWith ? 'true' : nothing}
        aria-disabled=${isComplete && view.canSend ? nothing : 'true'}
        @click=${this.#onConfirm}
      >
        ${busyWith ? confirming : subscribeLabel(terms, locale)}
      </button>
      ${mayType ? html`<p class="back"><button type="button" class="link" part="button" aria-disabled=${busyWith ? 'true' : nothing} @click=${() => this.#send({is: 'typed', why: 'chosen'})}>${t.otherNumber}</button></p>` : nothing}
      ${this.#enrollment.askSellerAbout(problem, terms)}`;
  }

  #renderTyped({number, isBusy}: TypedView, t: OneClickMessages): TemplateResult {
    const masked = number && formatMsisdn(number.msisdn);
    return html`<vezne-pin-subscribe
      lang=${this.locale}
      exportparts="offer,title,price,terms,operator,field,status,row,problem,button"
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
      .trackingParameter=${this.trackingParameter}
      ><slot name="title" slot="title">${this.#subscription.terms.value?.title[this.locale]}</slot><slot name="human-check" slot="human-check"></slot><slot name="done" slot="done"></slot><slot name="manage" slot="manage"></slot
    ></vezne-pin-subscribe>${masked ? html`<p class="back"><button type="button" class="link" part="button" aria-disabled=${isBusy || nothing} @click=${() => this.#send({is: 'returned', token: this.#newestToken})}>${withUntranslated(t.recognizedNumber(masked), masked)}</button></p>` : nothing}`;
  }

  get #recognized(): Query<unknown> {
    return recognizedNumber(this.#enrollment.current);
  }

  /** The token that stands for the number; empty if the page is in a frame in which one-click is not allowed. */
  get #newestToken(): string {
    this.#urlToken = new URL(location.href).searchParams.get(this.numberTokenParameter) || this.#urlToken;
    return self !== top && !this.framed ? '' : this.numberToken || this.#urlToken;
  }

  /** Subscribes when the shopper clicks. Ignores clicks by scripts, and clicks before there was time to read. */
  readonly #onConfirm = ({isTrusted}: MouseEvent): void => {
    if (!isTrusted || !this.#reading.isComplete) return;
    this.#enrollment.focus();
    const {current} = this.#enrollment;
    const {token} = current.facts;
    const body = {number_token: token, tracking_id: this.#subscription.trackingId, language: this.locale};
    void current.attempt({token, msisdn: current.recognized?.value?.msisdn}, body);
  };

  #send(event: OneClickEvent): void {
    this.#enrollment.current.send(event, nextOneClick);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-one-click': VezneOneClick;
  }
}
