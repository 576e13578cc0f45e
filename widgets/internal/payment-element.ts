import type {ChoosingWords} from '../locales/choosing.ts';
import {paymentSession, type PaymentSession} from './payment-session.ts';
import type {WaysOn} from './problem-notice.ts';
import {VezneElement} from './vezne-element.ts';

/** What the elements of a transfer have in common: the purchase they are about. */
export abstract class PaymentElement<W extends ChoosingWords> extends VezneElement<W> {
  protected get purchase(): PaymentSession {
    return paymentSession(this.address, {offer: this.offer ?? '', session: this.session ?? ''});
  }

  /** Begins another payment. Not with a session of the merchant's server: only there can another order begin. */
  protected override get startOver(): WaysOn['startOver'] {
    const {purchase, say} = this;
    if (!purchase.canStartOver) return undefined;
    return {text: say.expiredText, label: say.startOver, press: () => purchase.startOver()};
  }
}
