import {html, nothing, type TemplateResult} from 'lit';
import type {VendorForm, VendorReturn} from '../../worker/contract/browser/answers.ts';
import type {LoadRefusals} from '../core/problem.ts';
import {Query} from '../core/query.ts';
import {StoreController} from '../core/store.ts';
import {skeleton, button} from '../core/templates.ts';
import {VezneEvent, VezneElement} from '../core/vezne-element.ts';
import {shape, isText, WorkerClient} from '../core/worker-client.ts';
import {vendorFormMessages, type VendorFormMessages} from '../locales/vendor-form.ts';
import {styles} from './vezne-vendor-form.styles.ts';

const isForm = shape<VendorForm>({url: isText, nonce: isText});
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
 * The platform's form for marketplace vendors, in a sandboxed frame. `session` is a `vendor` session of the merchant's
 * server. When the form ends, our own page in the frame says so; no other page in it is heard.
 *
 * Takes the custom properties of `vezne-bank-list`.
 *
 * @tag vezne-vendor-form
 * @event {VendorEvent} vezne-vendor - The vendor came back from the form.
 * @event {ProblemEvent} vezne-error - The form could not be had.
 * @slot success - What follows when the form was sent.
 * @csspart base - Everything.
 * @csspart frame - The frame of the form.
 * @csspart status - The card when the form has ended.
 * @csspart problem - What is said when the form cannot be had.
 * @csspart button - Each button.
 */
export class VezneVendorForm extends VezneElement<VendorFormMessages> {
  static readonly tag = 'vezne-vendor-form';
  static override styles = [VezneElement.styles, styles];

  protected override readonly messages = vendorFormMessages;

  #form: Query<VendorForm> | undefined;
  #formKey = '';
  readonly #formController = new StoreController(this, () => this.#findForm());
  #outcome: VendorReturn['outcome'] | undefined;
  #isLoaded = false;

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('message', this.#onMessage);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('message', this.#onMessage);
  }

  protected override renderContent(t: VendorFormMessages): TemplateResult {
    if (this.#outcome) return this.#renderOutcome(this.#outcome, t);
    return this.renderQuery(this.#formController.store, ({url}) => this.#renderForm(url, t));
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(5);
  }

  /** Without `allow-same-origin` and `allow-top-navigation`: the form can neither read storage of its site nor lead the page away. */
  #renderForm(url: string, t: VendorFormMessages): TemplateResult {
    return html`${this.#isLoaded ? nothing : skeleton(5)}
      <iframe
        part="frame"
        class=${this.#isLoaded ? '' : 'visually-hidden'}
        title=${t.frame}
        sandbox="allow-forms allow-scripts"
        referrerpolicy="no-referrer"
        src=${url}
        @load=${this.#onLoad}
      ></iframe>`;
  }

  #renderOutcome(outcome: VendorReturn['outcome'], t: VendorFormMessages): TemplateResult {
    const isSuccess = outcome === 'success';
    return html`<div class="card" part="status" role="status">
      <h3 tabindex="-1" data-autofocus>${isSuccess ? t.successTitle : t.failureTitle}</h3>
      <p class="muted">${isSuccess ? t.successText : t.failureText}</p>
      ${isSuccess ? html`<slot name="success"></slot>` : button(t.again, () => this.#restart())}
    </div>`;
  }

  /** The form of this session; another session is another vendor. */
  #findForm(): Query<VendorForm> {
    const key = `${this.address} ${this.session}`;
    if (!this.#form || key !== this.#formKey) {
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

  readonly #onLoad = (): void => {
    this.#isLoaded = true;
    this.requestUpdate();
  };

  /**
   * Every page in the frame speaks from our frame, and with the origin `null` that the sandbox gives it. What tells our
   * return page from the form before it is the nonce: it stands in the addresses that the platform leads back to.
   */
  readonly #onMessage = ({source, origin, data}: MessageEvent<unknown>): void => {
    const frame = this.renderRoot.querySelector('iframe');
    if (
      !frame ||
      source !== frame.contentWindow ||
      origin !== 'null' ||
      !isReturn(data) ||
      data.nonce !== this.#form?.value?.nonce
    )
      return;
    this.#outcome = data.outcome;
    this.requestUpdate();
    this.dispatchEvent(new VendorEvent(data.outcome));
  };
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-vendor-form': VezneVendorForm;
  }
}

/** The vendor came back from the form. Whether they are registered the platform tells the merchant's server, as `vendor.registered`. */
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
