import type {ReactiveController} from 'lit';
import type {HumanCheck} from '../../../worker/contract/browser/answers.ts';
import type {TurnstileCheck} from '../../bundles/human-check.ts';
import {loadFile} from '../../core/define.ts';
import {Problem, toProblem} from '../../core/problem.ts';
import type {VezneElement} from '../../core/vezne-element.ts';

/** Shows the human check in its host when the Worker requires the check, and provides the token of the check. */
export class HumanCheckController implements ReactiveController {
  readonly #host: VezneElement<unknown>;
  #check: TurnstileCheck | undefined;

  /** Why the check could not be shown. */
  failure: Problem | undefined;

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
      const {TurnstileCheck} = await loadFile(() => import('../../bundles/human-check.ts'));
      this.#check ??= new TurnstileCheck(this.#host);
      const messages = await this.#check.show(check, this.#host.locale);
      this.failure = messages && new Problem('human_check_failed', true, 0, {nextStep: 'none', messages});
    } catch (thrown) {
      this.failure = toProblem(thrown);
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
