import {html, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import type {NextSteps} from '../../core/templates.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import {endCard, type outcomeElements} from '../payment-status/end-card.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import {isUnseen} from '../purchase/facts.ts';
import type {Purchase} from '../purchase/purchase.ts';

const buyerBundle = lazyElements(() => import('../../bundles/buyer.ts'));
const humanCheckBundle = lazyElements(() => import('../../bundles/human-check.ts'));

/** Requests the order code for its host. While there is no code, renders why, or the question before the code. */
export class CodeRequest {
  readonly #host: VezneElement<unknown>;
  readonly #purchase: () => Purchase;
  readonly #code: StoreController<Purchase['orderCode']>;
  readonly #question: StoreController<typeof buyerBundle | typeof humanCheckBundle>;

  constructor(host: VezneElement<unknown>, purchase: () => Purchase) {
    this.#host = host;
    this.#purchase = purchase;
    this.#code = new StoreController(host, () => purchase().orderCode);
    this.#question = new StoreController(host, () => {
      const code = this.#problem?.code;
      return code === 'buyer_required' ? buyerBundle : code?.startsWith('human_check_') ? humanCheckBundle : undefined;
    });
  }

  /** Whether the payment is read although there is no code: it names the seller, or says that the order is paid. */
  get needsPayment(): boolean {
    const {code, refusal} = this.#problem ?? {};
    return code === 'order_paid' || !!refusal?.asksSeller;
  }

  /**
   * @param outcome - The file of the card that ends a payment, if `needsPayment`.
   */
  render(view: PaymentView, outcome: typeof outcomeElements | undefined, steps: NextSteps): TemplateResult {
    const host = this.#host;
    const purchase = this.#purchase();
    const problem = this.#problem;
    const {store} = this.#question;
    // That the order asks who buys is no failure.
    if (problem?.code !== 'buyer_required') host.reportProblem(problem);
    if (store)
      return host.renderQuery(store, ({ask}) =>
        ask({host, purchase, problem, retry: this.#onAnswered, assurance: steps.assurance}),
      );
    return this.#renderCard(view, outcome, steps) ?? host.renderQuery(this.#code.store, () => html``);
  }

  /** The card for a refusal that no retry of the page changes, with one way on: a new payment, a retry or the seller. */
  #renderCard(
    view: PaymentView,
    outcome: typeof outcomeElements | undefined,
    {startOver, assurance = ''}: NextSteps,
  ): TemplateResult | undefined {
    const host = this.#host;
    const problem = this.#problem;
    if (!outcome?.value || !problem?.refusal?.asksSeller) return undefined;
    const {orderCode, facts} = this.#purchase();
    const {nextStep, isComplete, onlySeller, messages} = problem.refusal;
    const {title, text = '', startOverText} = messages[host.locale];
    const isEnded = nextStep === 'start-over';
    const said = (view.leavesTo !== 'nothing' && startOverText) || text.replace('{code}', problem.code);
    return html`<p class="visually-hidden" role="alert">${title}</p>
      ${endCard(host.locale, {
        view: {
          ...view,
          isEnded: true,
          action: onlySeller ? 'ask-seller' : 'start-over',
        },
        card: isEnded ? 'ended' : 'refused',
        words: {
          title,
          // Without a code, nobody can have sent money for an order of this page.
          text: isEnded && isUnseen(facts) ? assurance : isComplete ? said : `${said} ${assurance}`,
        },
        leave: startOver?.press,
        retry: nextStep === 'retry' ? () => orderCode.reload() : undefined,
      })}`;
  }

  get #problem(): Problem | undefined {
    return this.#purchase().orderCode.problem;
  }

  readonly #onAnswered = (human: string): void => {
    this.#purchase().retryCode(human);
  };
}
