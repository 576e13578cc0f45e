import {html, type TemplateResult} from 'lit';
import {lazyElements} from '../../core/define.ts';
import {Watching} from '../../core/store.ts';
import {problemNotice, type WaysOn} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {type ChoosingWords, choosingWords} from '../../locales/checkout.ts';
import {paymentSession, type PaymentSession} from './purchase.ts';

const receivingElements = lazyElements(() => import('../../bundles/incoming.ts'));

/** What the elements of a transfer have in common: the purchase they are about. */
export abstract class PaymentElement<W extends ChoosingWords> extends VezneElement<W> {
  readonly #choices = new Watching(this, () => this.purchase.choice);
  readonly #receiving = new Watching(this, () => (this.#choices.target?.link ? receivingElements : undefined));

  protected get purchase(): PaymentSession {
    return paymentSession(this.address, {offer: this.offer ?? '', session: this.session ?? ''});
  }

  /** Begins another payment. Not with a session of the merchant's server: only there can another order begin. */
  protected override get startOver(): WaysOn['startOver'] {
    const {purchase, say} = this;
    if (!purchase.canStartOver) return undefined;
    return {text: say.expiredText, label: say.startOver, press: () => purchase.startOver()};
  }

  /** Before anything else the shopper is asked whether to open what a link brings, by one element for all. */
  protected override renderWhole(): TemplateResult {
    const {purchase} = this;
    const {link, problem} = purchase.choice;
    if (!purchase.host?.isConnected) purchase.host = this;
    const isHost = purchase.host === this;
    if (link)
      return isHost
        ? this.renderAnswer(this.#receiving.target, ({incoming}) => incoming(this, this.locale))
        : this.renderSkeleton();
    if (!isHost || !problem) return super.renderWhole();
    this.tell(problem);
    return html`${problemNotice(problem, this.locale)} ${super.renderWhole()}`;
  }
}

/** What the elements with which a bank is chosen have in common. */
export abstract class ChoosingElement extends PaymentElement<ChoosingWords> {
  protected override readonly words = choosingWords;
}
