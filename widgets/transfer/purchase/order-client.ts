/** The client for all requests before the payment: sessions, banks and order codes. Also checks their answers. */

import type {
  BankList,
  OrderCode,
  NewPaymentSession,
  Bank,
  RedeemedSession,
} from '../../../worker/contract/browser/answers.ts';
import {IS_PAGE_SCRIPT, type PrefetchedRequest, scriptTagOf} from '../../core/script-tag.ts';
import {
  parseReply,
  WorkerClient,
  type WorkerRequest,
  isLocalized,
  isListOf,
  isAmount,
  shape,
  isText,
  isTime,
  type Check,
} from '../../core/worker-client.ts';

export class OrderClient extends WorkerClient {
  createSession(offer: string, signal: AbortSignal): NewPaymentSession | Promise<NewPaymentSession> {
    return this.#askOrUsePrefetched('/v1/sessions', {
      validate: isSession,
      signal,
      isSimple: true,
      body: {offer},
      offer: {name: offer, kind: 'payment'},
    });
  }

  listBanks(signal: AbortSignal): BankList | Promise<BankList> {
    const script = IS_PAGE_SCRIPT ? scriptTagOf(this.address) : undefined;
    const banks = script?.banks;
    // A page uses the list in its script once. After that, it requests the current list.
    if (banks) script.banks = null;
    return banks ?? this.#askOrUsePrefetched('/v1/banks', {validate: isBankList, signal});
  }

  /**
   * Requests the order code. All requests with the same session get the same code.
   * @param bank - The chosen bank, whose account is in the answer; empty if the shopper has not chosen a bank.
   * @param human - Token of the human check, if the Worker requires the check.
   */
  createOrderCode(session: string, signal: AbortSignal, bank: string, human: string): Promise<OrderCode> {
    const body = {session, ...(bank && {bank}), ...(human && {human})};
    return this.ask('/v1/order-code', {validate: isOrderCode, signal, isSimple: true, body});
  }

  /**
   * Uses the reply to the request that `vezne.js` has already sent, or sends the request. If the reply has already
   * arrived, returns the value and not a promise. Page scripts send no request in advance.
   */
  #askOrUsePrefetched<T>(path: string, request: WorkerRequest<T>): T | Promise<T> {
    const prefetched = IS_PAGE_SCRIPT ? undefined : takePrefetched(this.address, path, request);
    return prefetched?.received
      ? parseReply(prefetched.received, request, this.refusals)
      : this.ask(path, request, prefetched?.reply);
  }
}

/** Removes and returns the request that the script tag sent to this Worker. */
function takePrefetched(
  address: string,
  path: string,
  {body}: Pick<WorkerRequest<unknown>, 'body'>,
): PrefetchedRequest | undefined {
  const key = path + (body ? JSON.stringify(body) : '');
  const requests = scriptTagOf(address)?.prefetched;
  const prefetched = requests?.get(key);
  requests?.delete(key);
  return prefetched;
}

export const isBank = shape<Bank>({code: isText, name: isText, account_holder: isText, iban: isText});

const isLocalizedOrNull: Check = (value) => value === null || isLocalized(value);
const isArrival = shape<BankList['arrival']>({same_bank: isLocalizedOrNull, other_bank: isLocalizedOrNull});

/** Checks a new session or a redeemed session. A redeemed session may have no title. */
export const isSession = shape<NewPaymentSession & RedeemedSession>({
  token: isText,
  title: isLocalizedOrNull,
  amount: isAmount,
});

export const isBankList = shape<BankList>({
  banks: isListOf(isBank),
  arrival: isArrival,
});

export const isOrderCode = shape<OrderCode>({
  order_code: isText,
  amount: isAmount,
  pay_until: isTime,
  account: (value) => value === null || isBank(value),
});
