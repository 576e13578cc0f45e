import type {Messages} from '../locales/tr.ts';
import {Languages} from './language.ts';
import {paymentSession, type PaymentSession} from './payment-session.ts';
import type {WaysOn} from './problem-notice.ts';
import {VezneElement} from './vezne-element.ts';

const languages = new Languages<Messages>({
  tr: () => import('../locales/tr.ts').then((module) => module.tr),
  en: () => import('../locales/en.ts').then((module) => module.en),
});

/** What the elements of a transfer have in common: the purchase they are about. */
export abstract class PaymentElement extends VezneElement<Messages> {
  constructor() {
    super(languages);
  }

  protected get purchase(): PaymentSession {
    return paymentSession(this.address, {offer: this.offer ?? '', session: this.session ?? ''});
  }

  /** Begins another payment. Not with a session of the merchant's server: only there can another order begin. */
  protected override get startOver(): WaysOn['startOver'] {
    const {purchase, say} = this;
    if (!purchase.canStartOver || !say) return undefined;
    return {text: say.expiredText, label: say.startOver, press: () => purchase.startOver()};
  }
}
