/** What a page asks the Worker about a payment. */
import type {BankList, Handoff, HandoffRequest, OrderCode, Payment, RedeemedSession, Session} from '../../worker/contract/browser.ts';
import {isBankList, isHandoff, isOrderCode, isPayment, isSession} from './payment-answers.ts';
import {WorkerClient} from './worker-client.ts';

export class PaymentClient extends WorkerClient {
  createSession(offer: string, signal: AbortSignal): Session | Promise<Session> {
    return this.askOrTake('/v1/sessions', {accept: isSession, signal, body: {offer}});
  }

  listBanks(signal: AbortSignal): BankList | Promise<BankList> {
    return this.askOrTake('/v1/banks', {accept: isBankList, signal});
  }

  /** The same code however often it is asked. */
  createOrderCode(token: string, signal: AbortSignal): Promise<OrderCode> {
    return this.ask('/v1/order-code', {accept: isOrderCode, signal, token, body: {}});
  }

  readPayment(token: string, signal: AbortSignal): Promise<Payment> {
    return this.ask('/v1/payment', {accept: isPayment, signal, token});
  }

  /** A code that opens the order of this session on another device, once. */
  createHandoff(token: string, signal: AbortSignal): Promise<Handoff> {
    return this.ask('/v1/handoffs', {accept: isHandoff, signal, token, body: {}});
  }

  /** @param asked the code, and the offer of the element that takes it; none for a session of the merchant's server. */
  redeemHandoff(asked: HandoffRequest, signal: AbortSignal): Promise<RedeemedSession> {
    return this.ask('/v1/handoffs/redeem', {accept: isSession, signal, body: asked});
  }

  /** A socket that sends the payment when it opens and on every change. */
  openLive(token: string): WebSocket {
    return new WebSocket(`${this.address.replace(/^http/, 'ws')}/v1/payment/live`, ['vezne.v1', token]);
  }
}
