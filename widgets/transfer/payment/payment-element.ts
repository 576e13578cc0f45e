import type {PaymentSession} from '../purchase/purchase.ts';
import {PayingClient} from './payment-client.ts';
import {PaymentWatch} from './payment-store.ts';
import {noteSettled} from './saved-instructions.ts';

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
