import {html, nothing, type TemplateResult} from 'lit';
import type {HandoffPreview, RedeemedSession} from '../../../worker/contract/browser/answers.ts';
import {formatAmount} from '../../core/format.ts';
import {Problem, toProblem} from '../../core/problem.ts';
import {Query} from '../../core/query.ts';
import {randomId} from '../../core/random-id.ts';
import {StoreController} from '../../core/store.ts';
import {css} from '../../core/styles/css.ts';
import {skeleton, button} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {incomingMessages, unopenedMessages, type IncomingMessages} from '../../locales/incoming.ts';
import type {HandoffLink} from '../purchase/handoff-link.ts';
import {isSession} from '../purchase/order-client.ts';
import {findPurchase, type Purchase} from '../purchase/purchase.ts';
import {HandoffClient} from './handoff-client.ts';
import {nextOfLink} from './link-events.ts';

const styles = css`
  /* The element uses the color scheme of the element around it, not the device's. */
  :host {
    color-scheme: inherit;
  }
  .question {
    display: grid;
    gap: calc(0.75em * var(--_density));
    padding: calc(1.25em * var(--_density)) 1.25em;
  }
  .problem {
    margin: 1em;
  }
  .skeleton {
    block-size: 2.75em;
  }
  .what {
    display: flex;
    flex-wrap: wrap;
    justify-content: space-between;
    gap: 0.25em 1em;
    padding: 0.875em 1em;
    border: 1px solid var(--_line);
    border-radius: calc(var(--_radius) - 4px);
    font-variant-numeric: tabular-nums;
  }
  .question h3,
  .what b {
    font-size: 1.25em;
  }
  .what small {
    display: block;
    color: var(--_muted);
    font-size: 0.875em;
  }
`;

/**
 * Asks whether to open the order of a hand-off link, because an attacker may send such a link to let somebody else pay.
 * All elements for a bank transfer load this element if the shopper opened the page with a hand-off link.
 *
 * @tag vezne-incoming
 * @event {ProblemEvent} vezne-error - The link's order could not be read.
 * @csspart button - Each button.
 * @csspart problem - The notice of a problem.
 */
export class VezneIncoming extends VezneElement<IncomingMessages> {
  static readonly tag = 'vezne-incoming';
  static override styles = [VezneElement.styles, styles];

  protected override readonly messages = incomingMessages;

  readonly #preview = new Query((signal) => this.#loadPreview(signal));
  readonly #session = new Query((signal) => this.#redeemOnce(signal));
  readonly #previewController = new StoreController(this, () => this.#preview);
  readonly #sessionController = new StoreController(this, () => (this.#isAccepted ? this.#session : undefined));
  #isAccepted = false;
  /** Identifies this page's attempt to redeem the link, so that a retry after a lost answer gets the same session. */
  readonly #attemptId = randomId();

  /** Whether the page has scrolled to the question, as a browser scrolls to the place that a link's fragment names. */
  #isShown = false;

  override focus(options?: FocusOptions): void {
    this.find('h3')?.focus(options);
  }

  protected override updated(): void {
    super.updated();
    const title = this.find('h3');
    if (this.#isShown || !title) return;
    this.#isShown = true;
    title.focus({preventScroll: true});
    this.scrollIntoView({block: 'center'});
  }

  protected override renderContent(t: IncomingMessages): TemplateResult {
    return this.renderQuery(this.#previewController.store, (preview) =>
      this.#isAccepted
        ? this.renderQuery(this.#sessionController.store, () => this.renderSkeleton())
        : this.#renderQuestion(preview, t),
    );
  }

  override renderSkeleton(): TemplateResult {
    return html`<div class="question">${skeleton(4)}</div>`;
  }

  #renderQuestion({title, amount, seller}: HandoffPreview, t: IncomingMessages): TemplateResult {
    return html`<div class="question">
      <h3 tabindex="-1" data-autofocus>${t.title}</h3>
      <p class="what"><span>${title?.[this.locale] ?? t.untitled}${seller ? html`<small>${t.seller(seller.name)}</small>` : nothing}</span><b>${formatAmount(amount, this.locale)}</b></p>
      <p class="muted">${t.advice} ${this.#hasOwnOrder ? t.ownStays : nothing}</p>
      ${button(t.open, () => this.#onOpen(), 'button')} ${button(t.leave, () => this.#purchase.send({is: 'link-closed'}, nextOfLink))}
    </div>`;
  }

  get #purchase(): Purchase {
    return findPurchase(this.address, {offer: this.offer, session: this.session});
  }

  /** Whether this device already has another order, which the link does not replace. */
  get #hasOwnOrder(): boolean {
    const {key, own} = this.#purchase.facts;
    return key.session !== '' || own.step === 'pay';
  }

  get #link(): HandoffLink {
    return this.#purchase.facts.link ?? {vezne: ''};
  }

  #onOpen(): void {
    this.#isAccepted = true;
    this.requestUpdate();
  }

  async #loadPreview(signal: AbortSignal): Promise<HandoffPreview> {
    // If a session is saved, the shopper has already accepted the link in another tab.
    const saved = this.#savedSession;
    if (saved) {
      this.#showOrder(saved);
      return saved;
    }
    return this.#askWorker(signal, (client, body) => client.preview(body, signal));
  }

  /**
   * If the shopper opened the link in several tabs, only one of them redeems it. The other tabs read the session from
   * the storage.
   */
  #redeemOnce(signal: AbortSignal): Promise<RedeemedSession> {
    return withTabLock(this.#link.vezne, signal, () =>
      this.#askWorker(signal, async (client, body) => {
        const session = this.#savedSession ?? (await client.redeem({...body, attempt: this.#attemptId}, signal));
        this.#showOrder(session);
        return session;
      }),
    );
  }

  /** Shows the link's order. The shopper's own order stays saved. */
  #showOrder(session: RedeemedSession): void {
    this.#purchase.send({is: 'link-opened', session, isAccepted: this.#isAccepted}, nextOfLink);
  }

  get #savedSession(): RedeemedSession | undefined {
    const {handoff, session} = this.#purchase.facts.brought;
    return handoff === this.#link.vezne && isSession(session) ? session : undefined;
  }

  /** Sends a request about the link. If the Worker rejects the link, shows the problem and starts a normal purchase. */
  async #askWorker<T>(
    signal: AbortSignal,
    ask: (client: HandoffClient, body: {code: string; offer?: string}) => Promise<T>,
  ): Promise<T> {
    const {offer} = this.#purchase.facts.key;
    try {
      return await ask(new HandoffClient(this.address), {code: this.#link.vezne, ...(offer && {offer})});
    } catch (thrown) {
      const problem = toProblem(thrown);
      if (!signal.aborted && !problem.retryable) this.#purchase.send({is: 'link-closed', problem}, nextOfLink);
      const {code, retryable, retryAfterMs, refusal} = problem;
      // For a failure of the connection, the shopper reads the usual texts.
      if (refusal || !/unavailable|internal|unreadable/.test(code)) throw thrown;
      throw new Problem(code, retryable, retryAfterMs, {nextStep: 'retry', messages: unopenedMessages});
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-incoming': VezneIncoming;
  }
}

/**
 * Runs a task in one tab at a time. The task runs without a lock if the browser has no locks (on a page without https)
 * or refuses them (when storage is blocked).
 */
export async function withTabLock<T>(name: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  try {
    return await navigator.locks.request(`vezne ${name}`, {signal}, task);
  } catch (thrown) {
    if (thrown instanceof TypeError || (thrown instanceof DOMException && thrown.name === 'SecurityError'))
      return task();
    throw thrown;
  }
}
