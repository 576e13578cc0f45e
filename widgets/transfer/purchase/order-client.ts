/** What a page asks the Worker before there is anything to pay. */

import type {BankList, OrderCode, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import {type Ahead, type Script, SCRIPT} from '../../core/script-tag.ts';
import {read, WorkerClient, type WorkerRequest} from '../../core/worker-client.ts';
import {isBankList, isOrderCode, isSession} from './validate-order.ts';

export class PaymentClient extends WorkerClient {
  createSession(offer: string, signal: AbortSignal): NewPaymentSession | Promise<NewPaymentSession> {
    return this.#askOrTake('/v1/sessions', {
      accept: isSession,
      signal,
      body: {offer},
      offer: {name: offer, kind: 'payment'},
    });
  }

  listBanks(signal: AbortSignal): BankList | Promise<BankList> {
    return this.#askOrTake('/v1/banks', {accept: isBankList, signal});
  }

  /** The same code however often it is asked. */
  createOrderCode(token: string, signal: AbortSignal): Promise<OrderCode> {
    return this.ask('/v1/order-code', {accept: isOrderCode, signal, token, body: {}});
  }

  /** Asks for what the script tag may have asked for: the answer itself, where that is here already. */
  #askOrTake<T>(path: string, request: WorkerRequest<T>): T | Promise<T> {
    const ahead = this.#take(path + (request.body ? JSON.stringify(request.body) : ''));
    return ahead?.here ? read(ahead.here, request, this.refusals) : this.ask(path, request, ahead?.coming);
  }

  /** What the script tag asked this Worker for, once. */
  #take(what: string): Ahead | undefined {
    const script = (globalThis as {[SCRIPT]?: Script})[SCRIPT];
    if (script?.api !== `${this.address}/`) return undefined;
    const ahead = script.ahead?.get(what);
    script.ahead?.delete(what);
    return ahead;
  }
}
