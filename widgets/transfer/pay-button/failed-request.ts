import {html, nothing, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {formatAmount} from '../../core/format.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import {problemNotice, type NextSteps} from '../../core/templates.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import {priceNowMessages} from '../../locales/pay-button.ts';
import type {Purchase} from '../purchase/purchase.ts';
import type {Question} from '../purchase/question.ts';

const buyerBundle = lazyElements(() => import('../../bundles/buyer.ts'));
const humanCheckBundle = lazyElements(() => import('../../bundles/human-check.ts'));

/** The wait if the Worker names no time. */
const LEAST_WAIT_MS = 3_000;

/** Why the Worker refused the host's last request. If an answer of the shopper helps, the question is rendered instead. */
export class FailedRequest {
  problem: Problem | undefined;
  readonly #host: VezneElement<unknown>;
  readonly #question: StoreController<typeof buyerBundle | typeof humanCheckBundle>;

  /** @param mayAskBuyer - Whether the host's request can bring the buyer. */
  constructor(
    host: VezneElement<unknown>,
    readonly mayAskBuyer = false,
  ) {
    this.#host = host;
    this.#question = new StoreController(host, () => {
      const code = this.problem?.code;
      return this.asksBuyer ? buyerBundle : code?.startsWith('human_check_') ? humanCheckBundle : undefined;
    });
  }

  /** Whether the same request would be refused again, because nothing is left to pay or the session has ended. */
  get isFinal(): boolean {
    return !!this.problem?.endsSession || this.isPaid || this.problem?.code === 'order_cancelled';
  }

  /** Whether the order is paid, or completed without a payment. */
  get isPaid(): boolean {
    return this.problem?.code === 'order_paid';
  }

  /** Whether the order asks who buys. */
  get asksBuyer(): boolean {
    return this.mayAskBuyer && this.problem?.code === 'buyer_required';
  }

  /** Whether the shopper has to wait before the next request. */
  get mustWait(): boolean {
    return this.problem?.code === 'rate_limited';
  }

  /** The Worker has refused the request. If the shopper has to wait, the problem is forgotten when the wait is over. */
  refuse(problem: Problem): void {
    this.problem = problem;
    if (!this.mustWait) return;
    setTimeout(
      () => {
        if (this.problem === problem) this.problem = undefined;
        this.#host.requestUpdate();
      },
      Math.max(problem.retryAfterMs, LEAST_WAIT_MS),
    );
  }

  /**
   * @param retry - Sends the request again, with the shopper's answer.
   * @param steps - With `startOver`, which starts another payment, for which the request is sent again.
   */
  render(
    purchase: Purchase,
    retry: Question['retry'],
    {startOver, assurance}: NextSteps = {},
  ): TemplateResult | typeof nothing {
    const {problem} = this;
    const {store} = this.#question;
    const host = this.#host;
    // Only a press sends the shopper to another page.
    const drop = () => {
      this.problem = undefined;
      host.requestUpdate();
    };
    if (store) return host.renderQuery(store, ({ask}) => ask({host, purchase, problem, retry, assurance, drop}));
    if (!problem) return nothing;
    const {locale} = host;
    const amount = problem.code === 'price_changed' && purchase.session.value?.amount;
    if (amount)
      return html`<p class="muted" role="alert">${priceNowMessages[locale](formatAmount(amount, locale))}</p>`;
    const press = () => {
      startOver?.press();
      retry('');
    };
    return problemNotice(problem, locale, undefined, {startOver: startOver && {...startOver, press}, assurance});
  }
}
