import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {isBoolean, isListOf, isAmount, shape, isText, isTime} from '../../core/validate.ts';
import {WorkerClient} from '../../core/worker-client.ts';
import {SETTLED_BY_STATE} from '../purchase/validate-order.ts';

/** What a page asks the Worker about a payment that is awaited. */
export class PaymentClient extends WorkerClient {
  readPayment(token: string, signal: AbortSignal): Promise<Payment> {
    return this.ask('/v1/payment', {validate: isPayment, signal, token});
  }

  /** A socket that sends the payment when it opens and on every change. */
  openSocket(token: string): WebSocket {
    return new WebSocket(`${this.address.replace(/^http/, 'ws')}/v1/payment/live`, ['vezne.v1', token]);
  }
}

/** What the elements one pays with look at in the Worker's answer. */
export const isPayment = shape<Payment>({
  state: (value) => typeof value === 'string' && Object.hasOwn(SETTLED_BY_STATE, value),
  amount: isAmount,
  paid: isAmount,
  remaining: isAmount,
  late: isBoolean,
  transactions: isListOf(shape({amount: isAmount, bank: (value) => value === null || isText(value), at: isTime})),
});
