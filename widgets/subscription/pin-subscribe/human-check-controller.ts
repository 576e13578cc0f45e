import type {ReactiveController} from 'lit';
import type {HumanCheck} from '../../../worker/contract/browser/answers.ts';
import type {TurnstileCheck} from '../../bundles/human-check.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {HumanCheckFailure} from '../../locales/human-check.ts';
import {troubleMessages} from '../../locales/trouble.ts';

/** Shows the human check in its host when the Worker requires the check, and provides the token of the check. */
export class HumanCheckController implements ReactiveController {
  readonly #host: VezneElement<unknown>;
  #check: TurnstileCheck | undefined;

  /** The text for the shopper if the check could not be shown, in all languages. */
  failure: HumanCheckFailure | undefined;

  constructor(host: VezneElement<unknown>) {
    this.#host = host;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#check?.remove();
  }

  /** Shows the check, unless the page already shows it. @param check - Undefined if the Worker has no human check. */
  async show(check: HumanCheck | null | undefined): Promise<void> {
    if (!check) return;
    try {
      const {TurnstileCheck} = await import('../../bundles/human-check.ts');
      this.#check ??= new TurnstileCheck(this.#host);
      this.failure = await this.#check.show(check, this.#host.locale);
    } catch {
      // The network failed, so neither the human check nor its messages could load.
      const {tr, en} = troubleMessages;
      this.failure = {
        tr: {title: tr.unreachableTitle, text: tr.unreachableText},
        en: {title: en.unreachableTitle, text: en.unreachableText},
      };
    }
    this.#host.requestUpdate();
  }

  /** The token of the check, if the shopper has passed the check. Each token is valid for one request. */
  takeToken(): string | undefined {
    return this.#check?.takeToken();
  }

  remove(): void {
    this.failure = undefined;
    this.#check?.remove();
  }
}
