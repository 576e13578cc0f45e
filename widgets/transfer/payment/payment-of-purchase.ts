import type {Purchase} from '../purchase/purchase.ts';
import {isOrderOf} from '../purchase/session-order.ts';
import {PaymentClient} from './payment-client.ts';
import {next} from './payment-events.ts';
import {PaymentStore} from './payment-store.ts';

/** The store of the purchase's payment. The first call creates the store. */
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
      if (session.problem) session.reload();
    },
    isOwn: (payment) => isOrderOf(session.value?.token, payment),
    onResult: (payment) => purchase.send({is: 'payment-answered', payment}, next),
  });
}
