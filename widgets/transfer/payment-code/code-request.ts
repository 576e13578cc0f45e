import {html, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import {endCard, type outcomeElements} from '../payment-status/end-card.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import type {Purchase} from '../purchase/purchase.ts';

const humanCheckBundle = lazyElements(() => import('../../bundles/human-check.ts'));

/** Requests the order code for its host. While there is no code, renders why, or the human check before the code. */
export class CodeRequest {
  readonly #host: VezneElement<unknown>;
  readonly #purchase: () => Purchase;
  readonly #code: StoreController<Purchase['orderCode']>;
  readonly #check: StoreController<typeof humanCheckBundle>;

  constructor(host: VezneElement<unknown>, purchase: () => Purchase) {
    this.#host = host;
    this.#purchase = purchase;
    this.#code = new StoreController(host, () => purchase().orderCode);
    this.#check = new StoreController(host, () =>
      this.#problem?.code.startsWith('human_check_') ? humanCheckBundle : undefined,
    );
  }

  /** Whether this order gets no code any more: its session has ended, or it is paid. */
  get isOver(): boolean {
    return !!this.#problem?.endsSession || this.#problem?.code === 'order_paid';
  }

  /**
   * @param outcome - The file of the card that ends a payment, if `isOver`.
   * @param leave - Starts another payment. Set only if the page may do so.
   */
  render(view: PaymentView, outcome: typeof outcomeElements | undefined, leave?: () => void): TemplateResult {
    const host = this.#host;
    const purchase = this.#purchase();
    const problem = this.#problem;
    const {store} = this.#check;
    if (store) {
      host.reportProblem(problem);
      return host.renderQuery(store, ({humanCheck}) => humanCheck({purchase, problem, retry: this.#onPassed}));
    }
    return this.#renderEnded(view, outcome, leave) ?? host.renderQuery(this.#code.store, () => html``);
  }

  /** The card for a session that has ended before there was a code, with one way on. */
  #renderEnded(
    view: PaymentView,
    outcome: typeof outcomeElements | undefined,
    leave?: () => void,
  ): TemplateResult | undefined {
    const host = this.#host;
    const problem = this.#problem;
    if (!outcome?.value || problem?.refusal?.nextStep !== 'start-over') return undefined;
    host.reportProblem(problem);
    const {title, text = '', startOverText} = problem.refusal.messages[host.locale];
    return html`<p class="visually-hidden" role="alert">${title}</p>
      ${endCard(host.locale, {
        payment: undefined,
        view: {...view, isLost: true, action: 'start-over'},
        words: {mood: 'expired', title, text: (view.leavesTo !== 'nothing' && startOverText) || text},
        leave,
        hasArrived: false,
      })}`;
  }

  get #problem(): Problem | undefined {
    const {result} = this.#purchase().orderCode;
    return result.status === 'failed' ? result.problem : undefined;
  }

  readonly #onPassed = (human: string): void => {
    this.#purchase().retryCode(human);
  };
}
