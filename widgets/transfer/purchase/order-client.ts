/** What a page asks the Worker before there is anything to pay. */

import type {
  BankList,
  OrderCode,
  NewPaymentSession,
  Bank,
  Payment,
  PaymentState,
  RedeemedSession,
} from '../../../worker/contract/browser/answers.ts';
import {type PrefetchedRequest, scriptTag} from '../../core/script-tag.ts';
import {
  parseReply,
  WorkerClient,
  type WorkerRequest,
  isBoolean,
  isLocalized,
  isListOf,
  isAmount,
  shape,
  isText,
  isTime,
  type Check,
} from '../../core/worker-client.ts';

/** What the elements of a transfer look at in the Worker's answers. */

/** Every state, and whether nothing is asked any more after it unless the shopper comes back to the tab. */
export const SETTLED_BY_STATE: Record<PaymentState, boolean> = {
  waiting: false,
  partial: false,
  paid: true,
  overpaid: true,
  completed: true,
  refunded: true,
  expired: true,
};

export const isBank = shape<Bank>({code: isText, name: isText, account_holder: isText, iban: isText});

const isLocalizedOrNull: Check = (value) => value === null || isLocalized(value);
const isArrival = shape<BankList['arrival']>({same_bank: isLocalizedOrNull, other_bank: isLocalizedOrNull});

/** Also of a session that was handed off, which may have no title. */
export const isSession = shape<NewPaymentSession & RedeemedSession>({
  token: isText,
  title: isLocalizedOrNull,
  amount: isAmount,
});

export const isBankList = shape<BankList>({
  banks: isListOf(isBank),
  stale: isBoolean,
  // A Worker of yesterday says nothing of it.
  arrival: (value) => value === undefined || isArrival(value),
});

export const isOrderCode = shape<OrderCode>({
  order_code: isText,
  amount: isAmount,
  // A Worker of yesterday says nothing of it.
  pay_until: (value) => value === undefined || isTime(value),
});

/** Whether a payment needs no more watching. */
export function isSettled(payment: Payment | undefined): payment is Payment {
  return payment !== undefined && SETTLED_BY_STATE[payment.state];
}

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
