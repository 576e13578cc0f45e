import {html, nothing, type ReactiveController, type ReactiveControllerHost, type TemplateResult} from 'lit';
import type {NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import type {HumanCheck} from '../../bundles/human-check.ts';
import type {Locale} from '../../core/locale.ts';
import type {Problem} from '../../core/problem.ts';
import {troubleMessages} from '../../locales/trouble.ts';

interface HumanCheckOptions {
  /** Why the last request failed, if it did. */
  readonly problem: () => Problem | undefined;
  /** What the session says the check is rendered with. */
  readonly parameters: () => NewPaymentSession['human_check'] | undefined;
  readonly locale: () => Locale;
  /** Sends the request again, with the token. */
  readonly retry: (human: string) => void;
}

/** Shows the human check when the Worker asks for one before it makes an order, and repeats the request when the shopper has passed it. */
export class HumanCheckController implements ReactiveController {
  #check: HumanCheck | undefined;
  /** The problem that the check is shown for. */
  #shownFor: Problem | undefined;
  /** Why the check cannot be shown, in words. */
  #failure: string | undefined;

  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    private readonly options: HumanCheckOptions,
  ) {
    host.addController(this);
  }

  /** The place of the check, while the Worker asks for one. */
  render(): TemplateResult | typeof nothing {
    if (!this.#requirement) return nothing;
    return html`<slot name="human-check"></slot>${this.#failure ? html`<p class="muted" role="alert">${this.#failure}</p>` : nothing}`;
  }

  hostUpdated(): void {
    const requirement = this.#requirement;
    if (requirement === this.#shownFor) return;
    this.#shownFor = requirement;
    if (requirement) void this.#show();
  }

  hostDisconnected(): void {
    this.#remove();
    this.#shownFor = undefined;
  }

  /** The problem, where passing a human check solves it. */
  get #requirement(): Problem | undefined {
    const problem = this.options.problem();
    return problem?.code === 'human_check_required' || problem?.code === 'human_check_failed' ? problem : undefined;
  }

  async #show(): Promise<void> {
    const parameters = this.options.parameters();
    if (!parameters) return;
    const locale = this.options.locale();
    this.#failure = undefined;
    try {
      const {HumanCheck} = await import('../../bundles/human-check.ts');
      this.#remove();
      this.#check = new HumanCheck(pageElement(this.host), (token) => this.#onPassed(token));
      this.#failure = await this.#check.show(parameters, locale);
    } catch {
      this.#failure = troubleMessages[locale].unreachableText;
    }
    this.host.requestUpdate();
  }

  #remove(): void {
    this.#check?.remove();
    this.#check = undefined;
  }

  #onPassed(token: string): void {
    this.options.retry(token);
    // The token is good for one request. Turnstile must not be removed inside its own callback.
    setTimeout(() => this.#remove());
  }
}

/** The element of the page that contains this one, through any number of our elements: Turnstile finds nothing inside shadow roots. */
function pageElement(element: HTMLElement): HTMLElement {
  const root = element.getRootNode();
  const host = root instanceof ShadowRoot ? root.host : undefined;
  return host instanceof HTMLElement && host.localName.startsWith('vezne-') ? pageElement(host) : element;
}
