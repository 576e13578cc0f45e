import {css, html, type TemplateResult} from 'lit';
import type {HandoffPreview, RedeemedSession} from '../../../worker/contract/browser/answers.ts';
import {formatAmount} from '../../core/format.ts';
import {randomId} from '../../core/ids.ts';
import {toProblem} from '../../core/problem.ts';
import {Resource} from '../../core/query.ts';
import {Watching} from '../../core/store.ts';
import {bones, button} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {incomingWords, type IncomingWords} from '../../locales/incoming.ts';
import type {HandoffLink} from '../purchase/handoff-link.ts';
import {paymentSession, type PaymentSession} from '../purchase/purchase.ts';
import {isSession} from '../purchase/validate-order.ts';
import {HandoffClient} from './handoff-client.ts';

export const styles = css`
  /* It follows the scheme of the element it stands in, not the device's. */
  :host {
    color-scheme: inherit;
  }
  .question {
    display: grid;
    gap: calc(0.75em * var(--_density));
    padding: calc(1.25em * var(--_density)) 1.25em;
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
`;

/**
 * Asks whether to open the order that a link brings: who sent it may want somebody else to pay. A part of every element of
 * a transfer, fetched where a page was opened by such a link.
 *
 * @tag vezne-incoming
 * @event {ProblemEvent} vezne-error - It cannot be had what the link brings.
 * @csspart button - Each answer.
 * @csspart problem - What is said when it cannot be had.
 */
export class VezneIncoming extends VezneElement<IncomingWords> {
  static readonly tag = 'vezne-incoming';
  static override styles = [VezneElement.styles, styles];

  protected override readonly words = incomingWords;

  readonly #preview = new Resource((signal) => this.#look(signal));
  readonly #session = new Resource((signal) => this.#open(signal));
  readonly #looking = new Watching(this, () => this.#preview);
  readonly #opening = new Watching(this, () => (this.#isWanted ? this.#session : undefined));
  #isWanted = false;
  /** Has an answer that got lost given to this page again. */
  readonly #attempt = randomId();

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector('h3')?.focus(options);
  }

  protected override renderIn(say: IncomingWords): TemplateResult {
    return this.renderAnswer(this.#looking.target, (preview) =>
      this.#isWanted
        ? this.renderAnswer(this.#opening.target, () => this.renderSkeleton())
        : this.#renderQuestion(preview, say),
    );
  }

  protected override renderSkeleton(): TemplateResult {
    return html`<div class="question">${bones(4)}</div>`;
  }

  #renderQuestion({title, amount}: HandoffPreview, say: IncomingWords): TemplateResult {
    return html`<div class="question">
      <h3 tabindex="-1" data-begin>${say.title}</h3>
      <p class="what"><span>${title?.[this.locale] ?? say.untitled}</span><b>${formatAmount(amount, this.locale)}</b></p>
      <p class="muted">${say.advice}</p>
      ${button(say.open, () => this.#onOpen(), 'button')} ${button(say.leave, () => this.#purchase.choice.closeLink())}
    </div>`;
  }

  get #purchase(): PaymentSession {
    return paymentSession(this.address, {offer: this.offer, session: this.session});
  }

  get #link(): HandoffLink {
    return this.#purchase.choice.link ?? {vezne: ''};
  }

  #onOpen(): void {
    this.#isWanted = true;
    this.requestUpdate();
  }

  async #look(signal: AbortSignal): Promise<HandoffPreview> {
    // Opened in another tab: whoever said yes there need not say it again.
    const known = this.#known;
    if (known) {
      this.#accept(known);
      return known;
    }
    return this.#asked(signal, (client, body) => client.preview(body, signal));
  }

  /** Once for all tabs that were opened with the link; all but the first have it from the browser's memory. */
  #open(signal: AbortSignal): Promise<RedeemedSession> {
    return inTurn(this.#link.vezne, signal, () =>
      this.#asked(signal, async (client, body) => {
        const session = this.#known ?? (await client.redeem({...body, attempt: this.#attempt}, signal));
        this.#accept(session);
        return session;
      }),
    );
  }

  /** Shows the order; the shopper's own stays where it is. */
  #accept(session: RedeemedSession): void {
    const {brought, choice} = this.#purchase;
    const {vezne: handoff, bank = choice.bank} = this.#link;
    brought.write({session, handoff, bank, stage: 'pay', slip: undefined});
    this.#purchase.turnTo(brought);
    choice.closeLink();
  }

  get #known(): RedeemedSession | undefined {
    const {handoff, session} = this.#purchase.brought.read();
    return handoff === this.#link.vezne && isSession(session) ? session : undefined;
  }

  /** A link that brings nothing is told of, and the page begins as any other. */
  async #asked<T>(
    signal: AbortSignal,
    ask: (client: HandoffClient, body: {code: string; offer?: string}) => Promise<T>,
  ): Promise<T> {
    const {
      choice,
      purchase: {offer},
    } = this.#purchase;
    try {
      return await ask(new HandoffClient(this.address), {code: this.#link.vezne, ...(offer && {offer})});
    } catch (thrown) {
      const problem = toProblem(thrown);
      if (!signal.aborted && !problem.retryable) choice.closeLink(problem);
      throw thrown;
    }
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-incoming': VezneIncoming;
  }
}

/**
 * Does something in one tab at a time. Where the browser has no locks (a page without TLS) or refuses them (one without
 * storage), every tab does it by itself.
 */
export async function inTurn<T>(what: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> {
  try {
    return await navigator.locks.request(`vezne ${what}`, {signal}, task);
  } catch (thrown) {
    if (thrown instanceof TypeError || (thrown instanceof DOMException && thrown.name === 'SecurityError'))
      return task();
    throw thrown;
  }
}
