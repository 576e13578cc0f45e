import type {PaymentSession} from './payment-session.ts';
import {PaymentWatch} from './payment-watch.ts';

/** The payment of a purchase. What follows it comes with the elements one pays with: until then there is nothing to follow. */
export function paymentOf(purchase: PaymentSession): PaymentWatch {
  return (purchase.payment ??= new PaymentWatch(purchase.source));
}
