import type {Purchase} from '../purchase/purchase.ts';
import {PaymentClient} from './payment-client.ts';
import {PaymentStore} from './payment-store.ts';
import {recordSettled} from './saved-instructions.ts';

/** The payment of a purchase, made when it is first needed. Its code comes with the elements of the payment step. */
export function paymentStoreOf(purchase: Purchase): PaymentStore {
  return (purchase.payment ??= createPaymentStore(purchase));
}

/** Whether this page can only show the order, because it was handed over or its session has ended. */
export function isReadOnly({isFromHandoff, isSessionEnded}: Purchase): boolean {
  return isFromHandoff || isSessionEnded;
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
