/** What a page asks the Worker before there is anything to pay. */
import type {BankList, OrderCode, Session} from '../../worker/contract/browser.ts';
import {isBankList, isOrderCode, isSession} from './payment-answers.ts';
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
}
