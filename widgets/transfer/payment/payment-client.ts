import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {flag, list, money, shape, text, time} from '../../core/validate.ts';
import {WorkerClient} from '../../core/worker-client.ts';
import {SETTLED} from '../purchase/validate-order.ts';

/** What a page asks the Worker about a payment that is awaited. */
export class PayingClient extends WorkerClient {
  readPayment(token: string, signal: AbortSignal): Promise<Payment> {
    return this.ask('/v1/payment', {accept: isPayment, signal, token});
  }

  /** A socket that sends the payment when it opens and on every change. */
  openLive(token: string): WebSocket {
    return new WebSocket(`${this.address.replace(/^http/, 'ws')}/v1/payment/live`, ['vezne.v1', token]);
  }
}

/** What the elements one pays with look at in the Worker's answers. */

export const isPayment = shape<Payment>({
  state: (value) => typeof value === 'string' && Object.hasOwn(SETTLED, value),
  amount: money,
  paid: money,
  remaining: money,
  late: flag,
  transactions: list(shape({amount: money, bank: (value) => value === null || text(value), at: time})),
});
