import {html, nothing, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import type {VezneElement} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import type {PaymentView} from '../payment/payment-view.ts';
import {canStartOver} from '../purchase/facts.ts';
import type {Purchase} from '../purchase/purchase.ts';
import {contacts} from './payment-details.ts';

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

  /** Whether the shopper can continue only on the seller's page, because the session ended before there was a code. */
  get needsSeller(): boolean {
    return !!this.#problem?.endsSession && !canStartOver(this.#purchase().facts);
  }

  render(view: PaymentView, t: PaymentMessages): TemplateResult {
    const host = this.#host;
    const purchase = this.#purchase();
    const problem = this.#problem;
    const {store} = this.#check;
    if (store) {
      host.reportProblem(problem);
      return host.renderQuery(store, ({humanCheck}) => humanCheck({purchase, problem, retry: this.#onPassed}));
    }
    return html`${host.renderQuery(this.#code.store, () => html``)} ${this.needsSeller ? contacts(view, t) : nothing}`;
  }

  get #problem(): Problem | undefined {
    const {result} = this.#purchase().orderCode;
    return result.status === 'failed' ? result.problem : undefined;
  }

  readonly #onPassed = (human: string): void => {
    this.#purchase().retryCode(human);
  };
}
