/** The client for all requests before the payment: sessions, banks and order codes. Also checks their answers. */

import type {
  BankList,
  OrderCode,
  NewPaymentSession,
  Bank,
  RedeemedSession,
} from '../../../worker/contract/browser/answers.ts';
import type {OrderCodeRequest, SessionRequest} from '../../../worker/contract/browser/requests.ts';
import {paymentRefusals} from '../../core/problem.ts';
import {scriptTagOf} from '../../core/script-tag.ts';
import {
  WorkerClient,
  isLocalized,
  isListOf,
  isAmount,
  shape,
  isText,
  isTime,
  type Check,
  type Guard,
} from '../../core/worker-client.ts';

export class OrderClient extends WorkerClient {
  protected override readonly refusals = paymentRefusals;

  /** Opens a session, or requests an order code. All requests with the same session get the same code. */
  post<T>(
    path: '/v1/sessions' | '/v1/order-code',
    validate: Guard<T>,
    signal: AbortSignal,
    body: SessionRequest | OrderCodeRequest,
  ): Promise<T> {
    const named = 'offer' in body && {offer: {name: body.offer as string, kind: 'payment'} as const};
    return this.ask(path, {validate, signal, isSimple: true, body, ...named});
  }

  listBanks(signal: AbortSignal): BankList | Promise<BankList> {
    const script = scriptTagOf(this.address);
    const banks = script?.banks;
    // A page uses the list in its script once. After that, it requests the current list.
    if (banks) script.banks = null;
    return banks ?? this.ask('/v1/banks', {validate: isBankList, signal});
  }
}

export const isBank = shape<Bank>({code: isText, name: isText, account_holder: isText, iban: isText});

export const isLocalizedOrNull: Check = (value) => value === null || isLocalized(value);
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
