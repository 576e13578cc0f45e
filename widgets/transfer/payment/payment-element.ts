import {paymentMessages, type PaymentMessages} from '../../locales/payment.ts';
import {PurchaseElement} from '../purchase/purchase-element.ts';
import type {Purchase} from '../purchase/purchase.ts';
import {PaymentClient} from './payment-client.ts';
import {PaymentStore} from './payment-store.ts';
import {recordSettled} from './saved-instructions.ts';

/** What the elements with which one pays have in common. */
export abstract class PaymentElement extends PurchaseElement<PaymentMessages> {
  protected override readonly messages = paymentMessages;

  protected get payment(): PaymentStore {
    return paymentStoreOf(this.purchase);
  }

  /** Whether nothing more can be done with this order here than to pay it: it was handed over, or its session has ended. */
  protected get isReadOnly(): boolean {
    return this.purchase.isFromHandoff || this.purchase.isSessionEnded;
  }
}

/** The payment of a purchase. What follows it comes with the elements one pays with: until then there is nothing to follow. */
export function paymentStoreOf(purchase: Purchase): PaymentStore {
  return (purchase.payment ??= createPaymentStore(purchase));
}

function createPaymentStore(purchase: Purchase): PaymentStore {
  const {api, session} = purchase;
  const client = new PaymentClient(api);
  return new PaymentStore({
    read: (signal) => purchase.withToken(signal, (token) => client.readPayment(token, signal)),
    openSocket: async (signal) => client.openSocket((await session.wait(signal)).token),
    retry: () => {
      if (session.result.status === 'failed') session.reload();
    },
    onPayment: (payment) => recordSettled(purchase, payment),
  });
}
