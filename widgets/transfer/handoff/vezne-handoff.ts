import {generate} from 'lean-qr/nano';
import {html, nothing, type TemplateResult} from 'lit';
import {Query} from '../../core/query.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton, button} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {handoffMessages, type HandoffMessages} from '../../locales/handoff.ts';
import {troubleMessages} from '../../locales/trouble.ts';
import {CopyController} from '../payment/copy-controller.ts';
import {paymentStoreOf} from '../payment/payment-of-purchase.ts';
import type {HandoffLink} from '../purchase/handoff-link.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {HandoffClient} from './handoff-client.ts';
import {styles} from './vezne-handoff.styles.ts';

/**
 * A hand-off code is valid for ten minutes, and a timer renews it after nine. The Worker sends the expiry time, but the
 * element does not compare it with the device's clock, because that clock may be wrong.
 */
const RENEW_MS = 540_000;

/**
 * Lets the shopper open the same order on a phone, with a QR code or a link. Both contain a hand-off code. The element
 * is a part of `vezne-payment-code`, which loads it when the shopper opens it. The element renews the code before the
 * code expires, and each time the shopper opens the element. After the code has been used, the element says so.
 *
 * @tag vezne-handoff
 * @event {ProblemEvent} vezne-error - The hand-off could not be created.
 * @csspart qr - The QR code.
 * @csspart button - Each button.
 * @csspart problem - The notice of a problem.
 */
export class VezneHandoff extends VezneElement<HandoffMessages> {
  static readonly tag = 'vezne-handoff';
  static override styles = [VezneElement.styles, styles];

  protected override readonly messages = handoffMessages;

  protected override readonly purchase = new PurchaseController(this);
  readonly #link = new Query((signal) => this.#createLink(signal));
  readonly #linkController = new StoreController(
    this,
    () => this.#link,
    (link) => this.#onLinkChange(link),
  );
  readonly #payment = new StoreController(this, () => paymentStoreOf(this.purchase.current));
  /** When a hand-off was last used before this code was shown; null if never, undefined until the payment is known. */
  #openedBefore: string | null | undefined;
  #renewalTimer: ReturnType<typeof setTimeout> | undefined;
  #shownLink: string | undefined;
  /** The link whose creation time is `#createdAt`. */
  #datedLink: string | undefined;
  /** When the shown code was created (`performance.now()`). */
  #createdAt = 0;
  /** The QR code of `#drawnLink`. */
  #picture: HTMLCanvasElement | undefined;
  #drawnLink: string | undefined;
  readonly #copies = new CopyController(this);

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#renewalTimer);
    this.#shownLink = undefined;
  }

  protected override willUpdate(): void {
    const payment = this.#payment.store?.value;
    if (payment && this.#openedBefore === undefined) this.#openedBefore = payment.handed_over_at;
    if (this.#isOpened) clearTimeout(this.#renewalTimer);
  }

  protected override renderContent(t: HandoffMessages): TemplateResult {
    const content = this.#isOpened ? this.#renderOpened(t) : this.#renderLink(t);
    // A live region that arrives with its text is not read, so the region is always there.
    return html`${content}<span class="visually-hidden" role="status"
        >${this.#isOpened ? t.opened : this.#copies.isConfirming ? t.copied : ''}</span
      >`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(1);
  }

  /** Shows a failure or a limit as a quiet text, because the shopper can pay on this device. Other refusals have texts. */
  #renderLink(t: HandoffMessages): TemplateResult {
    const {result} = this.#link;
    const isLimited = result.status === 'failed' && result.problem.code === 'rate_limited';
    if (result.status !== 'failed' || (result.problem.refusal && !isLimited))
      return this.renderQuery(this.#linkController.store, (address) => this.#renderCode(address, t));
    this.reportProblem(result.problem);
    return html`<p class="muted" part="problem" role="alert">${isLimited ? t.limited : t.failed}</p>
      ${isLimited ? nothing : button(troubleMessages[this.locale].tryAgain, () => this.#link.reload(), 'link')}`;
  }

  #renderCode(address: string, t: HandoffMessages): TemplateResult {
    if (address !== this.#drawnLink) this.#picture = drawQrCode(address);
    this.#drawnLink = address;
    this.#picture?.setAttribute('aria-label', t.picture);
    return html`${this.#picture}
      <p class="muted">${t.advice}</p>
      <div class="ways">
        ${button(this.#copies.label(address, t.copyLink, t.copied), () => void this.#copies.copy(address), 'link')} ${button(t.again, () => this.#onRenew(), 'link')}
      </div>
      ${this.#copies.fallback(address)}`;
  }

  get #isOpened(): boolean {
    const openedAt = this.#payment.store?.value?.handed_over_at;
    return !!openedAt && this.#openedBefore !== undefined && openedAt !== this.#openedBefore;
  }

  #renderOpened(t: HandoffMessages): TemplateResult {
    return html`<div>
        <h3 tabindex="-1" data-autofocus>${t.opened}</h3>
        <p class="muted">${t.openedText}</p>
      </div>
      ${button(t.again, () => this.#onRenew(), 'link')}`;
  }

  #onRenew(): void {
    this.#openedBefore = this.#payment.store?.value?.handed_over_at ?? null;
    this.#link.reload();
  }

  /** Creates a link that opens this page with the same order on another device. The link works once. */
  async #createLink(signal: AbortSignal): Promise<string> {
    const {current} = this.purchase;
    const {
      key: {offer},
      bank,
    } = current.facts;
    const {code} = await current.withToken(signal, (token) => new HandoffClient(this.address).create(token, signal));
    return handoffUrl({vezne: code, ...(offer && {offer}), ...(bank && {bank})});
  }

  #onLinkChange(link: Query<string> | undefined): void {
    if (link?.value === this.#shownLink) return;
    this.#shownLink = link?.value;
    clearTimeout(this.#renewalTimer);
    if (!this.#shownLink) return;
    // If the element was removed from the page and added again, the timer of the same code continues.
    const now = performance.now();
    if (this.#shownLink !== this.#datedLink) this.#createdAt = now;
    this.#datedLink = this.#shownLink;
    // When the timer ends, the code is about to expire. `reload` shows a skeleton instead until the next code is here.
    // A hidden page renews the code when it is shown again.
    const renew = () => {
      if (document.hidden) document.addEventListener('visibilitychange', renew, {once: true});
      else if (this.isConnected) this.#link.reload();
    };
    this.#renewalTimer = setTimeout(renew, Math.max(0, this.#createdAt + RENEW_MS - now));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-handoff': VezneHandoff;
  }
}

/**
 * Draws a text as a QR code, one pixel for each module. It is no SVG, because extensions for dark pages, tools that take
 * pictures of a page, and a page's own rules for icons give shapes other colors, after which no camera reads the code.
 */
function drawQrCode(text: string): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = 'qr';
  canvas.setAttribute('part', 'qr');
  canvas.setAttribute('role', 'img');
  generate(text).toCanvas(canvas, {off: [255, 255, 255]});
  return canvas;
}

/**
 * The link that opens this page with the same order on another device. It keeps the fragment of the page's URL. If the
 * fragment is a route, the link is a query of this route, which routers ignore.
 */
export function handoffUrl(link: HandoffLink): string {
  const [page, fragment] = location.href.split(/#(.+)/);
  const separator = fragment ? (fragment.includes('?') ? '&' : '?') : '';
  return `${page?.replace('#', '')}#${fragment ?? ''}${separator}${new URLSearchParams({...link})}`;
}
