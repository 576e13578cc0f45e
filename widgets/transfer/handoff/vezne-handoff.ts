import {generate} from 'lean-qr/nano';
import {html, nothing, type TemplateResult, svg, type SVGTemplateResult} from 'lit';
import {Resource} from '../../core/query.ts';
import {Watching} from '../../core/store.ts';
import {bones, button} from '../../core/templates.ts';
import {handoffMessages} from '../../locales/handoff.ts';
import {byHand, byHandStyles, selectByHand, copy} from '../payment/clipboard.ts';
import {PayingElement} from '../payment/payment-element.ts';
import type {HandoffLink} from '../purchase/handoff-link.ts';
import {HandoffClient} from './handoff-client.ts';
import {styles} from './vezne-handoff.styles.ts';

/** A code is good for ten minutes; on no clock of the device's, and with a minute to spare. */
const RENEW_MS = 540_000;

/**
 * Opens the same order on a phone: a QR code of this page with a hand-off, and the same as a link. A part of
 * `vezne-payment-code`, which fetches it when it is wanted. The code is renewed before it ends, and whenever the
 * sheet is opened; once it was used, the sheet says so.
 *
 * @tag vezne-handoff
 * @event {ProblemEvent} vezne-error - There is no hand-off.
 * @csspart qr - The picture.
 * @csspart button - Each way on.
 * @csspart problem - What is said when there is no hand-off.
 */
export class VezneHandoff extends PayingElement {
  static readonly tag = 'vezne-handoff';
  static override styles = [PayingElement.styles, byHandStyles, styles];

  readonly #address = new Resource((signal) => this.#make(signal));
  readonly #watching = new Watching(
    this,
    () => this.#address,
    (address) => this.#onAddress(address),
  );
  readonly #paying = new Watching(this, () => this.payment);
  /** When another device had the order last, before this code was shown; `undefined` until that is known. */
  #openedBefore: string | null | undefined;
  #renewal: ReturnType<typeof setTimeout> | undefined;
  #shown: string | undefined;
  #made: string | undefined;
  /** On the clock that only runs forward. */
  #madeAt = 0;
  #copied: boolean | undefined;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#renewal);
    this.#shown = undefined;
  }

  protected override willUpdate(): void {
    const payment = this.#paying.target?.value;
    // A Worker of yesterday does not say.
    if (payment && this.#openedBefore === undefined) this.#openedBefore = payment.handed_over_at ?? null;
    if (this.#isOpened) clearTimeout(this.#renewal);
  }

  protected override renderIn(): TemplateResult {
    if (this.#isOpened) return this.#renderOpened();
    return this.renderAnswer(this.#watching.target, (address) => this.#renderCode(address));
  }

  protected override renderSkeleton(): TemplateResult {
    return bones(1);
  }

  #renderCode(address: string): TemplateResult {
    const say = handoffMessages[this.locale];
    return html`${qrPicture(address, say.picture)}
      <p class="muted">${say.advice}</p>
      <p class="address" translate="no">${address}</p>
      <div class="ways">
        ${button(say.copyLink, () => void this.#onCopy(address), 'link')} ${button(say.again, () => this.#onAgain(), 'link')}
      </div>
      ${this.#copied === false ? byHand(address, say.copyByHand) : nothing}
      <span class="unseen" role="status">${this.#copied ? say.copied : ''}</span>`;
  }

  get #isOpened(): boolean {
    const openedAt = this.#paying.target?.value?.handed_over_at;
    return !!openedAt && this.#openedBefore !== undefined && openedAt !== this.#openedBefore;
  }

  #renderOpened(): TemplateResult {
    const say = handoffMessages[this.locale];
    return html`<div class="opened" role="status">
        <h3 tabindex="-1" data-begin>${say.opened}</h3>
        <p class="muted">${say.openedText}</p>
      </div>
      ${button(say.again, () => this.#onAgain(), 'link')}`;
  }

  #onAgain(): void {
    this.#openedBefore = this.#paying.target?.value?.handed_over_at ?? null;
    this.#address.reload();
  }

  /** An address that opens this page with the same order on another device, once. */
  async #make(signal: AbortSignal): Promise<string> {
    const {purchase} = this;
    const {
      purchase: {offer},
      choice: {bank},
    } = purchase;
    const {code} = await purchase.authorized(signal, (token) => new HandoffClient(this.address).create(token, signal));
    return handoffAddress({vezne: code, ...(offer && {offer}), ...(bank && {bank})});
  }

  #onAddress(address: Resource<string> | undefined): void {
    if (address?.value === this.#shown) return;
    this.#shown = address?.value;
    this.#copied = undefined;
    clearTimeout(this.#renewal);
    if (!this.#shown) return;
    // Of a sheet that was away for a while, moved or not, what is left.
    const now = performance.now();
    if (this.#shown !== this.#made) this.#madeAt = now;
    this.#made = this.#shown;
    // What was here is of no use by then, so it is not kept while the next is on its way.
    this.#renewal = setTimeout(() => this.#address.reload(), Math.max(0, this.#madeAt + RENEW_MS - now));
  }

  async #onCopy(address: string): Promise<void> {
    this.#copied = await copy(address);
    this.requestUpdate();
    await this.updateComplete;
    selectByHand(this.renderRoot);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-handoff': VezneHandoff;
  }
}

/** The light border without which cameras do not find a code, in modules. */
const QUIET = 4;

/** A text as a QR code: dark on light whatever is around it, drawn as one path. */
export function qrPicture(text: string, label: string): SVGTemplateResult {
  const code = generate(text);
  const size = code.size + 2 * QUIET;
  let path = '';
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (code.get(x, y)) path += `M${x + QUIET} ${y + QUIET}h1v1h-1z`;
    }
  }
  return svg`<svg class="qr" part="qr" role="img" aria-label=${label} viewBox="0 0 ${size} ${size}">
    <path class="quiet" d="M0 0h${size}v${size}H0z" />
    <path d=${path} />
  </svg>`;
}

/** Address that opens this page with the same order elsewhere. Whatever the page has in its own fragment stays. */
export function handoffAddress(link: HandoffLink): string {
  const fields = new URLSearchParams({...link});
  return location.href + (location.hash ? '&' : location.href.endsWith('#') ? '' : '#') + fields;
}
