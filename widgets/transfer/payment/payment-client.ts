import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {WorkerClient} from '../../core/worker-client.ts';
import {isPayment} from './paying-answers.ts';

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
