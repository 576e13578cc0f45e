import {PayingClient} from './paying-client.ts';
import type {PaymentSession} from './payment-session.ts';
import {PaymentWatch} from './payment-watch.ts';
import {noteSettled} from './slip.ts';

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
