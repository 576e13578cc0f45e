import {payingWords, type PayingWords} from '../locales/paying.ts';
import {Languages} from './language.ts';
import {PaymentElement} from './payment-element.ts';
import {paymentOf} from './payment-of.ts';
import type {PaymentWatch} from './payment-watch.ts';

const languages = Languages.of(payingWords);

/** What the elements with which one pays have in common. */
export abstract class PayingElement extends PaymentElement<PayingWords> {
  constructor() {
    super(languages);
  }

  protected get payment(): PaymentWatch {
    return paymentOf(this.purchase);
  }
}
