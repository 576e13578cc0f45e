import {html, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import type {Problem} from '../../core/problem.ts';
import {StoreController} from '../../core/store.ts';
import {problemNotice, type NextSteps} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {type CheckoutMessages, checkoutMessages} from '../../locales/checkout.ts';
import {HumanCheckController} from './human-check-controller.ts';
import {findPurchase, type Purchase} from './purchase.ts';

const incomingElements = lazyElements(() => import('../../bundles/incoming.ts'));

/** What the elements of a transfer have in common: the purchase they are about. */
export abstract class PurchaseElement<W extends CheckoutMessages> extends VezneElement<W> {
  readonly #checkout = new StoreController(this, () => this.purchase.checkout);
  readonly #incoming = new StoreController(this, () => (this.#checkout.store?.link ? incomingElements : undefined));

  protected get purchase(): Purchase {
    return findPurchase(this.address, {offer: this.offer ?? '', session: this.session ?? ''});
  }

  /** Shows the human check when an order needs one. @param retry sends the refused request again, with the token. */
  protected createHumanCheck(problem: () => Problem | undefined, retry: (human: string) => void): HumanCheckController {
    const parameters = () => this.purchase.session.value?.human_check;
    return new HumanCheckController(this, {problem, parameters, locale: () => this.locale, retry});
  }

  /** The same for the request of the order code. */
  protected createOrderCodeCheck(): HumanCheckController {
    return this.createHumanCheck(
      () => {
        const {result} = this.purchase.orderCode;
        return result.status === 'failed' ? result.problem : undefined;
      },
      (human) => {
        this.purchase.humanToken = human;
        this.purchase.orderCode.reload();
      },
    );
  }

  /** Begins another payment. Not with a session of the merchant's server: only there can another order begin. */
  protected override get startOver(): NextSteps['startOver'] {
    const {purchase, t} = this;
    if (!purchase.canStartOver) return undefined;
    return {text: t.expiredText, label: t.startOver, press: () => purchase.startOver()};
  }

  /** Before anything else the shopper is asked whether to open what a link brings, by one element for all. */
  protected override renderBody(): TemplateResult {
    const {purchase} = this;
    const {link, problem} = purchase.checkout;
    if (!purchase.linkPrompt?.isConnected) purchase.linkPrompt = this;
    const isHost = purchase.linkPrompt === this;
    if (link)
      return isHost
        ? this.renderQuery(this.#incoming.store, ({incoming}) => incoming(this, this.locale))
        : this.renderSkeleton();
    if (!isHost || !problem) return super.renderBody();
    this.reportProblem(problem);
    return html`${problemNotice(problem, this.locale)} ${super.renderBody()}`;
  }
}

/** What the elements with which a bank is chosen have in common. */
export abstract class CheckoutElement extends PurchaseElement<CheckoutMessages> {
  protected override readonly messages = checkoutMessages;
}
