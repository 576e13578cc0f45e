import {css, html, nothing, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {toProblem, type Problem} from '../../core/problem.ts';
import {returnUrl, takeReturnOutcome} from '../../core/return-url.ts';
import {ignoreErrors} from '../../core/storage.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton, problemNotice} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {payButtonMessages, type PayButtonMessages} from '../../locales/pay-button.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {HostedClient, RedirectEvent} from './hosted-pages.ts';

const styles = css`
  /* The part follows the scheme this element was given, not the device's. */
  vezne-payment-status {
    color-scheme: inherit;
  }
  ::part(base) {
    padding: 0;
  }
  .base {
    display: grid;
    gap: 0.75em;
    padding: 0;
    background: none;
  }
  .skeleton {
    block-size: 3.25em;
  }
`;

const paymentElements = lazyElements(() => import('../../bundles/payment.ts'));

const humanCheckBundle = lazyElements(() => import('../../bundles/human-check.ts'));

/**
 * Sends the shopper to one of the platform's pages, and takes them in when they come back: `via="bank-page"` to the page
 * with the order code and the banks, `via="payment-page"` to the common payment page. Whoever was there sees how the
 * payment stands, as the Worker tells it; what the address says on return is believed by nobody.
 *
 * Takes the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-pay-button
 * @event {RedirectEvent} vezne-redirect - The shopper is about to be sent away; a page that prevents it opens the address itself.
 * @event {PaymentEvent} vezne-payment - How the payment stands, once somebody came back.
 * @event {ProblemEvent} vezne-error - There is no page to go to.
 * @slot - What the button says.
 * @slot human-check - Where the human check appears when one is asked for; the element fills it.
 * @slot paid - What follows a payment that arrived.
 * @csspart base - Everything.
 * @csspart button - The button, and ways on.
 * @csspart status - How the payment stands.
 * @csspart problem - What is said when there is no page to go to.
 */
export class VeznePayButton extends VezneElement<PayButtonMessages> {
  static readonly tag = 'vezne-pay-button';
  static override properties = {via: {}};
  static override styles = [VezneElement.styles, styles];

  /** Which page: `bank-page`, or `payment-page`. */
  via = 'bank-page';

  protected override readonly messages = payButtonMessages;

  protected override readonly purchase = new PurchaseController(this);
  readonly #paymentBundle = new StoreController(this, () => (this.#returnOutcome ? paymentElements : undefined));
  readonly #payment = new StoreController(this, () => {
    const {current} = this.purchase;
    return this.#paymentBundle.store?.value?.paymentStoreOf(current) ?? current.payment;
  });
  readonly #session = new StoreController(
    this,
    () => (this.#returnOutcome ? this.purchase.current.session : undefined),
    () => this.#onSession(),
  );
  /** How the shopper came back from the platform's page, `away` where nobody says; nothing before they went there. */
  #returnOutcome: string | null | undefined;
  #hasSession = false;
  /** Whether another payment was begun since the shopper was away. */
  #isRenewed = false;
  #isRedirecting = false;
  #problem: Problem | undefined;
  readonly #humanCheck = new StoreController(this, () =>
    this.#problem?.code.startsWith('human_check_') ? humanCheckBundle : undefined,
  );

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('pageshow', this.#onShow);
    addEventListener('vezne-payment', this.#onPayment);
    this.#returnOutcome = takeReturnOutcome(this.via);
    if (this.#returnOutcome) this.#saveReturnOutcome(this.#returnOutcome);
    else this.#restoreReturnOutcome();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('pageshow', this.#onShow);
    removeEventListener('vezne-payment', this.#onPayment);
  }

  protected override updated(): void {
    this.reportProblem(this.#problem);
    super.updated();
  }

  protected override renderContent(t: PayButtonMessages): TemplateResult {
    const state = this.#payment.store?.value?.state;
    const isOpen = state === undefined || state === 'waiting' || state === 'partial';
    return html`${
      this.#returnOutcome
        ? this.renderQuery(
            this.#paymentBundle.store,
            () => this.#renderStatus(),
            () => skeleton(1),
          )
        : nothing
    }
      ${this.#problem ? problemNotice(this.#problem, this.locale, {startOver: this.purchase.startOver}) : nothing}
      ${
        this.#humanCheck.store
          ? this.renderQuery(
              this.#humanCheck.store,
              ({humanCheck}) =>
                humanCheck({purchase: this.purchase.current, problem: this.#problem, retry: this.#onHumanCheckPassed}),
              () => html``,
            )
          : nothing
      }
      ${isOpen ? this.#renderButton(t) : nothing}`;
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(1);
  }

  #renderButton(t: PayButtonMessages): TemplateResult {
    const label = this.#returnOutcome ? t.again : this.via === 'payment-page' ? t.paymentPage : t.bankPage;
    return html`<button
      type="button"
      class=${this.#returnOutcome ? 'button soft' : 'button'}
      part="button"
      ?disabled=${this.#isRedirecting}
      @click=${() => void this.#redirect()}
    >
      ${this.#isRedirecting ? t.leaving : this.#returnOutcome ? label : html`<slot>${label}</slot>`}
    </button>`;
  }

  #renderStatus(): TemplateResult {
    return html`<vezne-payment-status
      lang=${this.locale}
      via=${this.via}
      exportparts="status,transaction,problem,button"
      .offer=${this.offer}
      .session=${this.session}
      .api=${this.address}
      ><slot name="paid" slot="paid"></slot
    ></vezne-payment-status>`;
  }

  /** @param human token of the human check, where one was asked for. */
  async #redirect(human = ''): Promise<void> {
    this.#isRedirecting = true;
    this.#problem = undefined;
    this.requestUpdate();
    try {
      const url = await this.#requestUrl(human, new AbortController().signal);
      this.#returnOutcome &&= 'away';
      this.#saveReturnOutcome('away');
      if (this.dispatchEvent(new RedirectEvent(url))) return location.assign(url);
    } catch (thrown) {
      this.#problem = toProblem(thrown);
    }
    this.#isRedirecting = false;
    this.requestUpdate();
  }

  #requestUrl(human: string, signal: AbortSignal): Promise<string> {
    const humanField = human && {human};
    const client = new HostedClient(this.address);
    return this.purchase.current.withToken(signal, (token) =>
      this.via === 'payment-page'
        ? client.openPaymentPage(
            token,
            // A page that sent them back unpaid is of no use to them any more.
            {
              success_url: this.#returnUrl('success'),
              failure_url: this.#returnUrl('failure'),
              anew: this.#returnOutcome === 'failure' || undefined,
              ...humanField,
            },
            signal,
          )
        : client.openBankPage(
            token,
            {redirect_url: this.#returnUrl('done'), back_url: this.#returnUrl('back'), ...humanField},
            signal,
          ),
    );
  }

  #returnUrl(how: string): string {
    return returnUrl(this.via, how);
  }

  /** Kept in the tab: who reloads is not led to a page again that came to nothing. */
  #saveReturnOutcome(how: string): void {
    ignoreErrors(() => (sessionStorage[this.#storageKey] = how));
  }

  #restoreReturnOutcome(): void {
    ignoreErrors(() => (this.#returnOutcome = sessionStorage[this.#storageKey] ?? this.#returnOutcome));
  }

  /** Under which name the tab keeps that the shopper was sent away, and how they came back. */
  get #storageKey(): string {
    return `vezne ${this.via} ${this.address} ${this.session?.slice(-12) || this.offer}`;
  }

  #onSession(): void {
    const isThere = this.#session.store?.value !== undefined;
    this.#isRenewed ||= this.#hasSession && !isThere;
    this.#hasSession = isThere;
  }

  /** An element of the page has learnt how the purchase stands: what is paid is not offered again, and what is begun anew is. */
  readonly #onPayment = (): void => {
    if (this.#isRenewed) {
      ignoreErrors(() => sessionStorage.removeItem(this.#storageKey));
      this.#isRenewed = false;
      this.#returnOutcome = null;
    }
    this.requestUpdate();
  };

  /** A page the browser brings back as it was would still say that it is leaving; how it went, another page of the tab may know. */
  readonly #onShow = ({persisted}: PageTransitionEvent): void => {
    if (!persisted) return;
    this.#isRedirecting = false;
    this.#returnOutcome ??= 'away';
    this.#restoreReturnOutcome();
    this.requestUpdate();
  };

  readonly #onHumanCheckPassed = (human: string) => {
    void this.#redirect(human);
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-pay-button': VeznePayButton;
  }
}
