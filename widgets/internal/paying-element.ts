import {payingWords, type PayingWords} from '../locales/paying.ts';
import {PaymentElement} from './payment-element.ts';
import {paymentOf} from './payment-of.ts';
import type {PaymentWatch} from './payment-watch.ts';

/** What the elements with which one pays have in common. */
export abstract class PayingElement extends PaymentElement<PayingWords> {
  protected override readonly words = payingWords;

  protected get payment(): PaymentWatch {
    return paymentOf(this.purchase);
  }
}
