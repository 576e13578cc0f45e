import {html, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {StoreController} from '../../core/store.ts';
import {problemNotice, type NextSteps} from '../../core/templates.ts';
import type {ContentController, VezneElement} from '../../core/vezne-element.ts';
import {checkoutMessages} from '../../locales/checkout.ts';
import {canStartOver, isUnseen, type PurchaseFacts} from './facts.ts';
import {findPurchase, type Purchase} from './purchase.ts';

const incomingElements = lazyElements(() => import('../../bundles/incoming.ts'));

/** `assurance`: what the host says in place of the controller's assurance. */
type Host = VezneElement<unknown> & {readonly assurance?: string | undefined};

/**
 * Finds the purchase of its host, and renders the host when something about the purchase changes. If a hand-off link
 * opened the page, the controller first asks whether to open the link's order.
 */
export class PurchaseController implements ContentController {
  readonly #host: Host;
  readonly #purchase: StoreController<Purchase>;
  readonly #incoming: StoreController<typeof incomingElements>;

  /** @param onChange - Called when the purchase changes, and when the host switches to another purchase. */
  constructor(host: Host, onChange?: (purchase: Purchase | undefined) => void) {
    this.#host = host;
    this.#purchase = new StoreController(host, () => this.current, onChange);
    this.#incoming = new StoreController(host, () => (this.#purchase.store?.facts.link ? incomingElements : undefined));
  }

  get current(): Purchase {
    const {address, offer, session} = this.#host;
    return findPurchase(address, {offer, session});
  }

  get facts(): PurchaseFacts {
    return this.current.facts;
  }

  /**
   * The button that starts another payment. It is undefined for a session that the merchant's server created, because
   * only that server can start another payment.
   */
  get startOver(): NextSteps['startOver'] {
    const {current} = this;
    const t = checkoutMessages[this.#host.locale];
    if (!canStartOver(current.facts)) return undefined;
    return {label: t.startOver, press: () => current.send({is: 'started-over'})};
  }

  get assurance(): string {
    const t = checkoutMessages[this.#host.locale];
    return this.#host.assurance ?? (isUnseen(this.facts) ? t.nothingSent : t.orderKept);
  }

  /**
   * Until the shopper has decided about the hand-off link, one element of the purchase asks, and the others show a
   * skeleton.
   */
  render(renderContent: () => TemplateResult): TemplateResult {
    const {current} = this;
    const host = this.#host;
    const {link, linkProblem} = current.facts;
    const isPrompt = current.isPrompt(host);
    if (link)
      return isPrompt
        ? host.renderQuery(this.#incoming.store, ({incoming}) => incoming(host, host.locale))
        : host.renderSkeleton();
    if (!isPrompt || !linkProblem) return renderContent();
    host.reportProblem(linkProblem);
    return html`${problemNotice(linkProblem, host.locale)} ${renderContent()}`;
  }
}
