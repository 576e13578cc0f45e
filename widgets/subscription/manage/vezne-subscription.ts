import {html, nothing, type TemplateResult} from 'lit';
import type {ShownSubscription, Subscription} from '../../../worker/contract/browser/subscription-answers.ts';
import {isEscape} from '../../core/escape.ts';
import {formatMsisdn} from '../../core/format.ts';
import type {Problem} from '../../core/problem.ts';
import {Query} from '../../core/query.ts';
import {Store, StoreController} from '../../core/store.ts';
import {skeleton, button} from '../../core/templates.ts';
import {VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {shape, isText, WorkerClient} from '../../core/worker-client.ts';
import {subscriptionRowMessages} from '../../locales/subscription-rows.ts';
import {subscriptionMessages, type SubscriptionMessages} from '../../locales/subscription.ts';
import {busyStyles} from '../busy.styles.ts';
import {EndController, refusalTitle} from '../end-controller.ts';
import {problemOutsideFields} from '../field-messages.ts';
import {formatDay, isFuture} from '../next-charge.ts';
import {formatPrice} from '../price.ts';
import {actionProblem, subscriptionRefusals} from '../refusals.ts';
import {forgetStart} from './forget-start.ts';
import {styles} from './vezne-subscription.styles.ts';

const isShown = shape<ShownSubscription>({subscription: shape({id: isText, state: isText})});

class ManagementClient extends WorkerClient {
  protected override readonly refusals = subscriptionRefusals;

  read(token: string, signal: AbortSignal): Promise<ShownSubscription> {
    return this.ask('/v1/subscription', {validate: isShown, signal, token});
  }

  async cancel(token: string, signal: AbortSignal): Promise<Subscription> {
    return (await this.ask('/v1/subscription/cancel', {validate: isShown, signal, token, body: {}})).subscription;
  }
}

/** The subscription of a `management` session, which the page can read and cancel. */
class ManagedSubscription extends Store {
  readonly #client: ManagementClient;
  readonly #token: string;
  #cancelled: Subscription | undefined;
  /** Whether the subscriber has tried to cancel on this page. */
  #isTried = false;
  #isBusy = false;
  #problem: Problem | undefined;

  /** The subscription and its seller. */
  readonly shown: Query<ShownSubscription>;

  constructor(api: string, token: string) {
    super();
    this.#client = new ManagementClient(api);
    this.#token = token;
    this.shown = new Query((signal) => this.#client.read(token, signal));
  }

  /**
   * The cancelled subscription, if the subscriber has cancelled it on this page. After an unclear answer, the
   * subscription that was read again says whether it is cancelled.
   */
  get cancelled(): Subscription | undefined {
    const subscription = this.#isTried ? this.shown.value?.subscription : undefined;
    return this.#cancelled ?? (subscription?.state === 'cancelled' ? subscription : undefined);
  }

  get isBusy(): boolean {
    return this.#isBusy;
  }

  /** Why the cancellation failed. */
  get problem(): Problem | undefined {
    return this.#problem;
  }

  /** Cancels the subscription. If the request fails, the outcome may be unknown, so the subscription is read again. */
  async cancel(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = this.#isTried = true;
    this.#problem = undefined;
    this.notify();
    try {
      this.#cancelled = await this.#client.cancel(this.#token, new AbortController().signal);
    } catch (thrown) {
      this.#problem = await actionProblem('cancel', thrown);
      this.shown.reload();
    }
    this.#isBusy = false;
    this.notify();
  }
}

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
  readonly #managed = new StoreController(
    this,
    () => this.#findSubscription(),
    (managed) => this.#onChange(managed),
  );
  readonly #shown = new StoreController(
    this,
    () => this.#findSubscription().shown,
    () => this.#reportCancelled(),
  );
  readonly #end = new EndController(this);
  /** The subscription for which the element asks whether to cancel it. */
  #asked: ManagedSubscription | undefined;
  /** The cancelled subscription for which `vezne-cancel` was dispatched. */
  #reported: Subscription | undefined;
  /** What the next update must focus. */
  #focusTarget: '[data-autofocus]' | '#cancel' | undefined;

  protected override updated(): void {
    super.updated();
    const target = this.#focusTarget && this.find(this.#focusTarget);
    if (!target) return;
    target.focus();
    this.#focusTarget = undefined;
  }

  protected override renderContent(t: SubscriptionMessages): TemplateResult {
    this.reportProblem(this.#managed.store?.problem);
    const {store} = this.#shown;
    const shown: Partial<ShownSubscription> = store?.value ?? {};
    const before = shown.subscription;
    const cancelled = this.#managed.store?.cancelled ?? (before?.state === 'cancelled' ? before : undefined);
    if (cancelled)
      return this.#end.render(t.cancelledTitle, ({cancelledCard}) =>
        cancelledCard(t.cancelledTitle, cancelled, shown, this),
      );
    const problem = store?.result.status === 'failed' ? store.result.problem : undefined;
    if (problem && !problem.retryable && /reload|none/.test(String(problem.refusal?.nextStep))) {
      this.reportProblem(problem);
      return this.#end.render(
        refusalTitle(problem, this.locale),
        (cards) => cards.refusalCard(problem, {host: this}, t.assurance),
        true,
      );
    }
    return html`${this.renderQuery(store, (answer) => this.#renderSubscription(answer, t))}
      ${this.#end.cards?.askSellerAbout(this, problem)}`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(4);
  }

  #renderSubscription(shown: ShownSubscription, t: SubscriptionMessages): TemplateResult {
    const {state, msisdn, price, period, trial_days, subscribed_at, renews_at} = shown.subscription;
    const {isBusy = false, problem} = this.#managed.store ?? {};
    const names = subscriptionRowMessages[this.locale];
    const day = (at: string | null) => at && formatDay(at, this.locale);
    // After a failed payment, the platform's date may have passed.
    // While the outcome of a cancellation is unknown, the subscription may be active or cancelled.
    const isUnclear = problem?.refusal?.tone === 'warn';
    const isRenewed = !isUnclear && (state === 'active' || state === 'retry') && isFuture(renews_at);
    // In the state `unknown`, cancelling may still be possible.
    const isEnded = state === 'rejected';
    const {badge, advice} = t.states[state === 'cancelled' ? 'unknown' : state] ?? t.states.unknown;
    const cost = price && formatPrice({price, period, trial_days}, this.locale);
    const isAskedFirst = !problem && state !== 'unknown';
    const contacts = this.#end.cards?.askSellerOf(this, shown, problem);
    return html`<div class="head">
        <h2 part="title"><slot name="title">${t.title}</slot></h2>
        ${badge && !isUnclear ? html`<p class="state ${state}" part="state">${badge}</p>` : nothing}
      </div>
      ${advice ? html`<p class="muted">${advice}</p>` : nothing}
      <dl>
        ${this.#renderRow(names.price, cost)} ${this.#renderRow(names.number, msisdn && formatMsisdn(msisdn))}
        ${this.#renderRow(isEnded ? names.requested : names.started, day(subscribed_at))}
        ${isRenewed ? this.#renderRow(names.nextCharge, day(renews_at)) : nothing}
      </dl>
      ${problemOutsideFields(problem, this.locale)} ${isAskedFirst ? contacts : nothing}
      ${
        isEnded
          ? nothing
          : this.#isConfirming
            ? this.#renderQuestion(isBusy, t)
            : html`<button id="cancel" type="button" class="button soft" part="button" @click=${() => this.#setConfirming(true)}>${t.cancel}</button>`
      }
      ${isAskedFirst ? nothing : contacts}`;
  }

  #renderRow(name: string, value: string | null): TemplateResult | typeof nothing {
    const translate = name === subscriptionRowMessages[this.locale].price ? nothing : 'no';
    return value
      ? html`<div class="row" part="row"><dt>${name}</dt><dd translate=${translate}>${value}</dd></div>`
      : nothing;
  }

  #renderQuestion(isBusy: boolean, t: SubscriptionMessages): TemplateResult {
    return html`<div class="card question" role="group" aria-labelledby="question" @keydown=${this.#onKeyDown}>
      <h3 id="question" tabindex="-1" data-autofocus>${t.cancelQuestion}</h3>
      <p class="muted">${t.cancelText}</p>
      <button
        type="button"
        class="button danger"
        part="button"
        aria-busy=${isBusy || nothing}
        aria-disabled=${isBusy || nothing}
        @click=${() => void this.#managed.store?.cancel()}
      >
        ${isBusy ? t.cancelling : t.cancelYes}
      </button>
      ${isBusy ? nothing : button(t.cancelNo, () => this.#setConfirming(false))}
    </div>`;
  }

  /** Whether the question is shown. A page that sets another session shows another subscription. */
  get #isConfirming(): boolean {
    return !!this.#asked && this.#asked === this.#managed.store;
  }

  #setConfirming(isConfirming: boolean): void {
    this.#asked = isConfirming ? this.#managed.store : undefined;
    this.#focusTarget = isConfirming ? '[data-autofocus]' : '#cancel';
    this.requestUpdate();
  }

  /** The Escape key answers the question with no. */
  readonly #onKeyDown = (event: KeyboardEvent): void => {
    if (!this.#managed.store?.isBusy && isEscape(event)) this.#setConfirming(false);
  };

  /** The subscription of the current session. If the session has changed, this is a different subscription. */
  #findSubscription(): ManagedSubscription {
    const key = `${this.address} ${this.session}`;
    if (!this.#current || key !== this.#currentKey) this.#current = new ManagedSubscription(this.address, this.session);
    this.#currentKey = key;
    return this.#current;
  }

  #onChange(managed: ManagedSubscription | undefined): void {
    if (managed?.problem && this.#isConfirming) this.#setConfirming(false);
    this.#reportCancelled();
  }

  #reportCancelled(): void {
    const cancelled = this.#managed.store?.cancelled;
    if (!cancelled || cancelled === this.#reported) return;
    this.#reported = cancelled;
    // Otherwise the page on which the shopper subscribed would still say that the subscription has started.
    forgetStart(this.address, this.#shown.store?.value?.subscription.msisdn);
    this.#focusTarget = '[data-autofocus]';
    this.dispatchEvent(new CancelEvent(cancelled));
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
