/** What a page asks the Worker before there is anything to pay. */

import type {BankList, OrderCode, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import {type PrefetchedRequest, scriptTag} from '../../core/script-tag.ts';
import {parseReply, WorkerClient, type WorkerRequest} from '../../core/worker-client.ts';
import {isBankList, isOrderCode, isSession} from './validate-order.ts';

export class OrderClient extends WorkerClient {
  createSession(offer: string, signal: AbortSignal): NewPaymentSession | Promise<NewPaymentSession> {
    return this.#askOrUsePrefetched('/v1/sessions', {
      validate: isSession,
      signal,
      body: {offer},
      offer: {name: offer, kind: 'payment'},
    });
  }

  listBanks(signal: AbortSignal): BankList | Promise<BankList> {
    return this.#askOrUsePrefetched('/v1/banks', {validate: isBankList, signal});
  }

  /** The same code however often it is asked. @param human token of the human check, where one was asked for. */
  createOrderCode(token: string, signal: AbortSignal, human: string): Promise<OrderCode> {
    return this.ask('/v1/order-code', {validate: isOrderCode, signal, token, body: {...(human && {human})}});
  }

  /** Asks for what the script tag may have asked for: the answer itself, where that is here already. */
  #askOrUsePrefetched<T>(path: string, request: WorkerRequest<T>): T | Promise<T> {
    const prefetched = this.#takePrefetched(path + (request.body ? JSON.stringify(request.body) : ''));
    return prefetched?.received
      ? parseReply(prefetched.received, request, this.refusals)
      : this.ask(path, request, prefetched?.reply);
  }

  /** What the script tag asked this Worker for, once. */
  #takePrefetched(what: string): PrefetchedRequest | undefined {
    const script = scriptTag();
    if (script?.api !== `${this.address}/`) return undefined;
    const prefetched = script.prefetched?.get(what);
    script.prefetched?.delete(what);
    return prefetched;
  }
}
