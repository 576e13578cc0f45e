import {html, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {StoreController} from '../../core/store.ts';
import {problemNotice, type NextSteps} from '../../core/templates.ts';
import type {ContentController, VezneElement} from '../../core/vezne-element.ts';
import {checkoutMessages} from '../../locales/checkout.ts';
import type {CheckoutState} from './checkout-state.ts';
import {findPurchase, type Purchase} from './purchase.ts';

const incomingElements = lazyElements(() => import('../../bundles/incoming.ts'));

interface PurchaseOptions {
  /** Called when the checkout state changes, and when the host switches to another purchase. */
  readonly onCheckoutChange?: (checkout: CheckoutState | undefined) => void;
}

/**
 * Finds the purchase of its host, and renders the host when the checkout state changes. If a hand-off link opened the
 * page, the controller first asks whether to open the link's order.
 */
export class PurchaseController implements ContentController {
  readonly #host: VezneElement<unknown>;
  readonly #checkout: StoreController<CheckoutState>;
  readonly #incoming: StoreController<typeof incomingElements>;

  constructor(host: VezneElement<unknown>, {onCheckoutChange}: PurchaseOptions = {}) {
    this.#host = host;
    this.#checkout = new StoreController(host, () => this.current.checkout, onCheckoutChange);
    this.#incoming = new StoreController(host, () => (this.checkout?.link ? incomingElements : undefined));
  }

  get current(): Purchase {
    const {address, offer, session} = this.#host;
    return findPurchase(address, {offer: offer ?? '', session: session ?? ''});
  }

  /** The shopper's choices; undefined while the host is not on the page. */
  get checkout(): CheckoutState | undefined {
    return this.#checkout.store;
  }

  /**
   * The button that starts another payment. It is undefined for a session that the merchant's server created, because
   * only that server can start another payment.
   */
  get startOver(): NextSteps['startOver'] {
    const {current} = this;
    const t = checkoutMessages[this.#host.locale];
    if (!current.canStartOver) return undefined;
    return {label: t.startOver, press: () => current.startOver()};
  }

  /**
   * Until the shopper has decided about the hand-off link, one element of the purchase asks, and the others show a
   * skeleton.
   */
  render(renderContent: () => TemplateResult): TemplateResult {
    const {current} = this;
    const host = this.#host;
    const {link, problem} = current.checkout;
    if (!current.linkPrompt?.isConnected) current.linkPrompt = host;
    const isPrompt = current.linkPrompt === host;
    if (link)
      return isPrompt
        ? host.renderQuery(this.#incoming.store, ({incoming}) => incoming(host, host.locale))
        : host.renderSkeleton();
    if (!isPrompt || !problem) return renderContent();
    host.reportProblem(problem);
    return html`${problemNotice(problem, host.locale)} ${renderContent()}`;
  }
}
