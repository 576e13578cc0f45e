import {html, nothing, type TemplateResult} from 'lit';
import type {Subscription} from '../../../worker/contract/browser/subscription-answers.ts';
import type {SubscriptionState} from '../../../worker/contract/fields.ts';
import {formatTime} from '../../core/format-time.ts';
import {formatMsisdn, formatAmount} from '../../core/format.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton, button, problemNotice} from '../../core/templates.ts';
import {VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {subscriptionMessages, type SubscriptionMessages} from '../../locales/subscription.ts';
import {ManagedSubscription} from './managed-subscription.ts';
import {styles} from './vezne-subscription.styles.ts';

/** What is over cannot be cancelled; of what is not known only the platform can tell. */
const ENDED: ReadonlySet<SubscriptionState> = new Set<SubscriptionState>(['cancelled', 'rejected']);

/**
 * Shows one subscription to its subscriber and cancels it after a question. `session` is a `management` session of the
 * merchant's server.
 *
 * Takes the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-subscription
 * @event {CancelEvent} vezne-cancel - The subscription is cancelled.
 * @event {ProblemEvent} vezne-error - Something could not be done.
 * @slot title - What it is, in words of the page's own.
 * @slot cancelled - What follows when it is cancelled.
 * @csspart base - Everything.
 * @csspart title - What it is.
 * @csspart state - How it stands.
 * @csspart row - Each row of it.
 * @csspart status - The card when it is cancelled.
 * @csspart problem - What is said when something could not be done.
 * @csspart button - Each button.
 */
export class VezneSubscription extends VezneElement<SubscriptionMessages> {
  static readonly tag = 'vezne-subscription';
  static override styles = [VezneElement.styles, styles];

  protected override readonly messages = subscriptionMessages;

  #source: ManagedSubscription | undefined;
  #sourceKey = '';
  readonly #managed = new StoreController(
    this,
    () => this.#findSubscription(),
    (managed) => this.#onChange(managed),
  );
  readonly #subscription = new StoreController(this, () => this.#findSubscription().subscription);
  #isConfirming = false;
  #announced: Subscription | undefined;
  /** What begins now gets the focus. */
  #shouldFocus = false;

  protected override updated(): void {
    this.reportProblem(this.#managed.store?.problem);
    super.updated();
    const begin = this.#shouldFocus && this.renderRoot.querySelector<HTMLElement>('[data-autofocus]');
    if (!begin) return;
    begin.focus();
    this.#shouldFocus = false;
  }

  protected override renderContent(t: SubscriptionMessages): TemplateResult {
    const cancelled = this.#managed.store?.cancelled;
    if (cancelled) return this.#renderCancelled(t);
    return this.renderQuery(this.#subscription.store, (subscription) => this.#renderSubscription(subscription, t));
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(4);
  }

  #renderSubscription(subscription: Subscription, t: SubscriptionMessages): TemplateResult {
    const {state, msisdn, price, period, subscribed_at, renews_at, cancelled_at} = subscription;
    const {isBusy = false, problem} = this.#managed.store ?? {};
    const every = t.every[period ?? ''] ?? period;
    const cost = price && formatAmount(price, this.locale) + (every ? `, ${every}` : '');
    return html`<h2 part="title"><slot name="title">${t.title}</slot></h2>
      <p class="state ${state}" part="state">${t.states[state] ?? t.states.unknown}</p>
      <dl>
        ${this.#renderRow(t.number, msisdn && formatMsisdn(msisdn))} ${this.#renderRow(t.price, cost)}
        ${this.#renderRow(t.since, this.#time(subscribed_at))} ${ENDED.has(state) ? nothing : this.#renderRow(t.renews, this.#time(renews_at))}
        ${this.#renderRow(t.cancelledAt, this.#time(cancelled_at))}
      </dl>
      ${problem ? problemNotice(problem, this.locale) : nothing}
      ${ENDED.has(state) ? nothing : this.#isConfirming ? this.#renderQuestion(isBusy, t) : button(t.cancel, () => this.#setConfirming(true))}`;
  }

  #renderRow(name: string, value: string | null): TemplateResult | typeof nothing {
    return value ? html`<div class="row" part="row"><dt>${name}</dt><dd>${value}</dd></div>` : nothing;
  }

  #renderQuestion(isBusy: boolean, t: SubscriptionMessages): TemplateResult {
    return html`<div class="card question" role="group" aria-labelledby="question">
      <h3 id="question" tabindex="-1" data-autofocus>${t.cancelQuestion}</h3>
      <p class="muted">${t.cancelText}</p>
      <button type="button" class="button danger" part="button" ?disabled=${isBusy} @click=${() => void this.#managed.store?.cancel()}>
        ${isBusy ? t.cancelling : t.cancelYes}
      </button>
      ${button(t.cancelNo, () => this.#setConfirming(false))}
    </div>`;
  }

  #renderCancelled(t: SubscriptionMessages): TemplateResult {
    return html`<div class="card" part="status" role="status">
      <h3 tabindex="-1" data-autofocus>${t.cancelledTitle}</h3>
      <p class="muted">${t.cancelledText}</p>
      <slot name="cancelled"></slot>
    </div>`;
  }

  #time(at: string | null): string | null {
    return at && formatTime(at, this.locale);
  }

  #setConfirming(isConfirming: boolean): void {
    this.#isConfirming = isConfirming;
    this.#shouldFocus = isConfirming;
    this.requestUpdate();
  }

  /** The subscription of this session; another session is another subscription. */
  #findSubscription(): ManagedSubscription {
    const key = `${this.address} ${this.session}`;
    if (!this.#source || key !== this.#sourceKey) this.#source = new ManagedSubscription(this.address, this.session);
    this.#sourceKey = key;
    return this.#source;
  }

  #onChange(managed: ManagedSubscription | undefined): void {
    const cancelled = managed?.cancelled;
    if (managed?.problem) this.#isConfirming = false;
    if (!cancelled || cancelled === this.#announced) return;
    this.#announced = cancelled;
    this.#shouldFocus = true;
    this.dispatchEvent(new CancelEvent(cancelled));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-subscription': VezneSubscription;
  }
}

/** The subscription is cancelled. */
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
