import {html, nothing, type TemplateResult} from 'lit';
import type {Subscription} from '../../../worker/contract/browser/subscription-answers.ts';
import {lazyElements} from '../../core/define.ts';
import {isEscape} from '../../core/escape.ts';
import {formatMsisdn} from '../../core/format.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton, button} from '../../core/templates.ts';
import {VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {subscriptionRowMessages} from '../../locales/subscription-rows.ts';
import {subscriptionMessages, type SubscriptionMessages} from '../../locales/subscription.ts';
import {busyStyles} from '../busy.styles.ts';
import {formatDay} from '../next-charge.ts';
import {formatPrice} from '../price.ts';
import {SubscriptionClient} from '../subscription-client.ts';
import {troubleNotice} from '../trouble.ts';
import {refusalTitle, ViewController} from '../view-controller.ts';
import {managedView, type ManagedView, type ShownView} from './managed-facts.ts';
import {ManagedSubscription} from './managed-subscription.ts';
import {styles} from './vezne-subscription.styles.ts';

const managedCards = lazyElements(() => import('./managed-cards.ts'));

const isAsking = (view: ManagedView | undefined) => view?.is === 'shown' && /asked|answered/.test(view.question);

/**
 * Shows a subscription to its subscriber, who can cancel it after a confirmation. `session` is a `management` session
 * created by the merchant's server.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-subscription
 * @event {CancelEvent} vezne-cancel - The subscription was cancelled.
 * @event {ProblemEvent} vezne-error - A request failed.
 * @slot title - What the subscription is for. Replaces the title.
 * @slot cancelled - Shown with a cancelled subscription, for example a link to subscribe again.
 * @csspart base - The whole element.
 * @csspart title - The title.
 * @csspart state - The state of the subscription.
 * @csspart row - Each row of details.
 * @csspart status - The card of a cancelled subscription.
 * @csspart problem - The message shown after a failure.
 * @csspart button - Each button.
 */
export class VezneSubscription extends VezneElement<SubscriptionMessages> {
  static readonly tag = 'vezne-subscription';
  static override styles = [VezneElement.styles, busyStyles, styles];

  protected override readonly messages = subscriptionMessages;

  #current: ManagedSubscription | undefined;
  #currentKey = '';
  readonly #managed = new ViewController({
    host: this,
    cards: managedCards,
    find: () => this.#findSubscription(),
    viewOf: ({facts}) => managedView(facts, Date.now()),
    onView: (view: ManagedView, before) => this.#onView(view, before),
  });

  constructor() {
    super();
    void new StoreController(this, () => this.#managed.current.shown);
    this.#managed.file(managedCards);
  }

  protected override renderContent(t: SubscriptionMessages): TemplateResult {
    const {view, current} = this.#managed;
    this.reportProblem(current.facts.problem);
    switch (view.is) {
      case 'cancelled':
        return this.#managed.render(t.cancelledTitle, ({cancelledCard}) =>
          cancelledCard(t.cancelledTitle, view.cancelled, view.shown, this.#managed),
        );
      case 'refused':
        this.reportProblem(view.problem);
        return this.#managed.render(
          refusalTitle(view.problem, this.locale),
          (cards) => cards.refusalCard(view, {view: this.#managed}, t.assurance),
          true,
        );
      case 'loading':
      case 'unreadable':
        return html`${this.renderQuery(current.shown, () => html``)}
        ${this.#managed.askSellerAbout(view.problem)}`;
      case 'shown':
        return this.#renderSubscription(view, t);
    }
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(4);
  }

  #renderSubscription(view: ShownView, t: SubscriptionMessages): TemplateResult {
    const {shown, problem, question} = view;
    const {state, msisdn, price, period, trial_days, subscribed_at, renews_at} = shown.subscription;
    const names = subscriptionRowMessages[this.locale];
    const day = (at: string | null) => at && formatDay(at, this.locale);
    const {badge, advice} = t.states[state === 'cancelled' ? 'unknown' : state] ?? t.states.unknown;
    const cost = price && formatPrice({price, period, trial_days}, this.locale);
    const rows = [
      [names.price, cost],
      [names.number, msisdn && formatMsisdn(msisdn)],
      [state === 'rejected' ? names.requested : names.started, day(subscribed_at)],
      [names.nextCharge, view.isDue && day(renews_at)],
    ] as const;
    const {id} = shown.subscription;
    const contacts = view.asksSeller ? this.#managed.askSeller(shown.seller, id, state === 'suspend') : nothing;
    const isAskedFirst = !problem && state !== 'unknown';
    return html`<div class="head">
        <h2 part="title"><slot name="title">${t.title}</slot></h2>
        ${badge && !view.isUnclear ? html`<p class="state ${state}" part="state">${badge}</p>` : nothing}
      </div>
      ${advice ? html`<p class="muted">${advice}</p>` : nothing}
      <dl>
        ${rows.map(([name, value]) =>
          value
            ? html`<div class="row" part="row"><dt>${name}</dt><dd translate=${value === cost ? nothing : 'no'}>${value}</dd></div>`
            : nothing,
        )}
      </dl>
      ${troubleNotice(problem, this.locale)} ${isAskedFirst ? contacts : nothing} ${this.#renderQuestion(question, t)}
      ${isAskedFirst ? nothing : contacts}`;
  }

  #renderQuestion(question: ShownView['question'], t: SubscriptionMessages): TemplateResult | typeof nothing {
    const {current} = this.#managed;
    const isBusy = question === 'answered';
    switch (question) {
      case 'impossible':
        return nothing;
      case 'possible':
        return html`<button id="cancel" type="button" class="button soft" part="button" @click=${() => current.send({is: 'asked'})}>${t.cancel}</button>`;
      case 'asked':
      case 'answered':
        return html`<div class="card question" role="group" aria-labelledby="question" @keydown=${(event: KeyboardEvent) => isBusy || (isEscape(event) && current.send({is: 'kept'}))}>
      <h3 id="question" tabindex="-1" data-autofocus>${t.cancelQuestion}</h3>
      <p class="muted">${t.cancelText}</p>
      <button
        type="button"
        class="button danger"
        part="button"
        aria-busy=${isBusy || nothing}
        aria-disabled=${isBusy || nothing}
        @click=${() => void current.cancel()}
      >
        ${isBusy ? t.cancelling : t.cancelYes}
      </button>
      ${isBusy ? nothing : button(t.cancelNo, () => current.send({is: 'kept'}))}
    </div>`;
    }
  }

  /** The subscription of the current session. If the session has changed, this is a different subscription. */
  #findSubscription(): ManagedSubscription {
    const key = `${this.address} ${this.session}`;
    if (!this.#current || key !== this.#currentKey)
      this.#current = new ManagedSubscription(new SubscriptionClient(this.address), this.session);
    this.#currentKey = key;
    return this.#current;
  }

  #onView(view: ManagedView, before: ManagedView | undefined): void {
    if (view.is === 'cancelled' && view.isNews && before?.is !== 'cancelled') {
      // Otherwise the page on which the shopper subscribed would still say that the subscription has started.
      this.#managed.cards?.forgetStart(this.address, view.shown.subscription?.msisdn);
      this.#managed.focus();
      this.dispatchEvent(new CancelEvent(view.cancelled));
    } else if (isAsking(view) !== isAsking(before)) {
      this.#managed.focus(isAsking(view) ? undefined : '#cancel');
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-subscription': VezneSubscription;
  }
}

/** The subscription was cancelled. */
export class CancelEvent extends VezneEvent {
  constructor(readonly subscription: Subscription) {
    super('vezne-cancel');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-cancel': CancelEvent;
  }
}
