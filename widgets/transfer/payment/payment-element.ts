import {payingWords, type PayingWords} from '../../locales/payment.ts';
import {PaymentElement} from '../purchase/purchase-element.ts';
import type {PaymentSession} from '../purchase/purchase.ts';
import {PayingClient} from './payment-client.ts';
import {PaymentWatch} from './payment-store.ts';
import {noteSettled} from './saved-instructions.ts';

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

/** The payment of a purchase. What follows it comes with the elements one pays with: until then there is nothing to follow. */
export function paymentOf(purchase: PaymentSession): PaymentWatch {
  return (purchase.payment ??= follow(purchase));
}

function follow(purchase: PaymentSession): PaymentWatch {
  const {api, session} = purchase;
  const client = new PayingClient(api);
  return new PaymentWatch({
    read: (signal) => purchase.authorized(signal, (token) => client.readPayment(token, signal)),
    open: async (signal) => client.openLive((await session.wait(signal)).token),
    retry: () => {
      if (session.state.status === 'failed') session.reload();
    },
    heard: (payment) => noteSettled(purchase, payment),
  });
}
