import {html, type TemplateResult} from 'lit';
import type {VendorForm, VendorReturn} from '../../worker/contract/browser/answers.ts';
import {finalRefusal} from '../core/final-refusal.ts';
import type {LoadRefusals} from '../core/problem.ts';
import {Query} from '../core/query.ts';
import {resultCard, resultStyles} from '../core/result.ts';
import {StoreController} from '../core/store.ts';
import {skeleton, button} from '../core/templates.ts';
import {VezneEvent, VezneElement} from '../core/vezne-element.ts';
import {shape, isText, WorkerClient} from '../core/worker-client.ts';
import {troubleMessages} from '../locales/trouble.ts';
import {vendorFormMessages, type VendorFormMessages} from '../locales/vendor-form.ts';
import {styles} from './vezne-vendor-form.styles.ts';

const isForm = shape<VendorForm>({url: isText, nonce: isText, sandbox: isText});
const isReturn = shape<VendorReturn>({
  type: (value) => value === 'vezne-vendor',
  outcome: (value) => value === 'success' || value === 'failure',
  nonce: isText,
});

class VendorClient extends WorkerClient {
  protected override readonly refusals: LoadRefusals = () => import('../locales/vendor-refusals.ts');

  createForm(token: string, signal: AbortSignal): Promise<VendorForm> {
    return this.ask('/v1/vendor-forms', {validate: isForm, signal, token, body: {}});
  }
}

/**
 * Shows the platform's registration form for marketplace vendors in a sandboxed frame. `session` is a `vendor` session
 * created by the merchant's server. At the end, the platform redirects the frame to the Worker's return page, which
 * sends the outcome to this element. The element ignores messages from all other pages in the frame.
 *
 * Supports the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-vendor-form
 * @event {VendorEvent} vezne-vendor - The form ended, with the outcome `success` or `failure`.
 * @event {ProblemEvent} vezne-error - The form could not be loaded.
 * @slot success - Shown after the form was sent.
 * @csspart base - The whole element.
 * @csspart frame - The frame with the form.
 * @csspart status - The card that shows the outcome.
 * @csspart problem - The message shown when the form cannot be loaded.
 * @csspart button - Each button.
 */
export class VezneVendorForm extends VezneElement<VendorFormMessages> {
  static readonly tag = 'vezne-vendor-form';
  static override styles = [VezneElement.styles, resultStyles, styles];

  protected override readonly messages = vendorFormMessages;

  #form: Query<VendorForm> | undefined;
  #formKey = '';
  readonly #formController = new StoreController(this, () => this.#findForm());
  #outcome: VendorReturn['outcome'] | undefined;
  #isLoaded = false;
  /** Whether the focus was last in the frame. If so, the title of the result gets the focus. */
  #wasInFrame = false;
  /** Whether the next update must focus the title of the result. */
  #shouldFocus = false;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('message', this.#onMessage);
    addEventListener('blur', this.#onWindowBlur);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('message', this.#onMessage);
    removeEventListener('blur', this.#onWindowBlur);
  }

  protected override updated(): void {
    super.updated();
    const title = this.#shouldFocus && this.find('[data-autofocus]');
    if (!title) return;
    title.focus();
    this.#shouldFocus = false;
  }

  protected override renderContent(t: VendorFormMessages): TemplateResult {
    const outcome = this.#outcome;
    const {store} = this.#formController;
    const title = outcome && (outcome === 'success' ? t.successTitle : t.failureTitle);
    // This region exists before its text, because screen readers may ignore a region that appears with its text.
    return html`<p class="visually-hidden" role="status">${title}</p>
      ${
        outcome
          ? this.#renderOutcome(outcome, t)
          : (finalRefusal(
              this,
              store,
              button(troubleMessages[this.locale].reload, () => location.reload(), 'button'),
            ) ?? this.renderQuery(store, (form) => this.#renderForm(form, t)))
      }`;
  }

  /** The head needs no answer, so that only the frame is replaced. */
  override renderSkeleton(): TemplateResult {
    return html`${this.#renderHead()}<div class="frame">${skeleton(5)}</div>`;
  }

  #renderHead(): TemplateResult {
    return html`<div class="head"><h3>${this.t.title}</h3><p class="muted">${this.t.scroll}</p></div>`;
  }

  /**
   * Renders the frame. The Worker decides what the form may do in the frame, but the form may never send the merchant's
   * page to a different URL.
   */
  #renderForm({url, sandbox}: VendorForm, t: VendorFormMessages): TemplateResult {
    return html`${this.#isLoaded ? this.#renderHead() : this.renderSkeleton()}
      <iframe
        part="frame"
        class=${this.#isLoaded ? '' : 'visually-hidden'}
        title=${t.frame}
        sandbox=${sandbox}
        referrerpolicy="no-referrer"
        src=${url}
        @load=${this.#onLoad}
      ></iframe>`;
  }

  #renderOutcome(outcome: VendorReturn['outcome'], t: VendorFormMessages): TemplateResult {
    const isSuccess = outcome === 'success';
    return resultCard({
      tone: isSuccess ? 'good' : 'stopped',
      title: isSuccess ? t.successTitle : t.failureTitle,
      text: isSuccess ? t.successText : t.failureText,
      footer: isSuccess ? html`<slot name="success"></slot>` : button(t.again, () => this.#restart(), 'button'),
    });
  }

  /** The form of the current session. If the session has changed, the form is for a different vendor. */
  #findForm(): Query<VendorForm> | undefined {
    const key = `${this.address} ${this.session}`;
    if (key !== this.#formKey) {
      const {address, session} = this;
      this.#form = new Query((signal) => new VendorClient(address).createForm(session, signal));
      this.#outcome = undefined;
    }
    this.#formKey = key;
    return this.#form;
  }

  #restart(): void {
    this.#outcome = undefined;
    this.#isLoaded = false;
    this.#formController.store?.reload();
    this.requestUpdate();
  }

  /**
   * The window loses the focus when the vendor enters the frame. When the frame navigates, the browser moves the focus
   * to the page's body without an event, so the element must remember where the focus was.
   */
  readonly #onWindowBlur = (): void => {
    this.#wasInFrame = this.find<HTMLIFrameElement>('iframe') === this.shadowRoot?.activeElement;
  };

  readonly #onLoad = (): void => {
    this.#isLoaded = true;
    this.requestUpdate();
  };

  /**
   * All pages in the frame have the same `source`. Two things identify the Worker's return page. One is the nonce,
   * which is part of the return URLs that the Worker sends to the platform. The other is the origin: the Worker's
   * origin, or `null` if the frame's `sandbox` attribute hides the origin.
   */
  readonly #onMessage = ({source, origin, data}: MessageEvent<unknown>): void => {
    if (
      source !== this.find<HTMLIFrameElement>('iframe')?.contentWindow ||
      !['null', new URL(this.address).origin].includes(origin) ||
      !isReturn(data) ||
      data.nonce !== this.#form?.value?.nonce
    )
      return;
    this.#outcome = data.outcome;
    // If the vendor has already moved the focus to something else on the page, the focus stays there.
    this.#shouldFocus = this.#wasInFrame && [document.body, this].includes(document.activeElement as HTMLElement);
    this.requestUpdate();
    this.dispatchEvent(new VendorEvent(data.outcome));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-vendor-form': VezneVendorForm;
  }
}

/** The form ended. The event `vendor.registered` tells the merchant's server that the vendor is registered. */
export class VendorEvent extends VezneEvent {
  constructor(readonly outcome: VendorReturn['outcome']) {
    super('vezne-vendor');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-vendor': VendorEvent;
  }
}
