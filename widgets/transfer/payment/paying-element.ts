import {payingWords, type PayingWords} from '../../locales/payment.ts';
import {PaymentElement} from '../purchase/purchase-element.ts';
import {paymentOf} from './payment-element.ts';
import type {PaymentWatch} from './payment-store.ts';

/** What the elements with which one pays have in common. */
export abstract class PayingElement extends PaymentElement<PayingWords> {
  protected override readonly words = payingWords;

  protected get payment(): PaymentWatch {
    return paymentOf(this.purchase);
  }

  /** Whether nothing more can be done with this order here than to pay it: it was handed over, or its session has ended. */
  protected get onlyReads(): boolean {
    return this.purchase.isBrought || this.purchase.isLost;
  }
}
