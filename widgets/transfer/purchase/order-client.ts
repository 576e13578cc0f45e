/** The client for all requests before the payment: sessions, banks and order codes. Also checks their answers. */

import type {
  BankList,
  OrderCode,
  NewPaymentSession,
  Bank,
  RedeemedSession,
} from '../../../worker/contract/browser/answers.ts';
import type {PageFactsInput} from '../../../worker/contract/browser/page-facts.ts';
import type {Buyer} from '../../../worker/contract/buyer.ts';
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
} from '../../core/worker-client.ts';

/** What the shopper and the page say of the order. */
export interface Said {
  /** Who buys, if the order asks for it. */
  readonly buyer: Buyer | undefined;
  readonly page: PageFactsInput | undefined;
}

export class OrderClient extends WorkerClient {
  protected override readonly refusals = paymentRefusals;

  createSession(offer: string, signal: AbortSignal): Promise<NewPaymentSession> {
    return this.ask('/v1/sessions', {
      validate: isSession,
      signal,
      isSimple: true,
      body: {offer},
      offer: {name: offer, kind: 'payment'},
    });
  }

  listBanks(signal: AbortSignal): BankList | Promise<BankList> {
    const script = scriptTagOf(this.address);
    const banks = script?.banks;
    // A page uses the list in its script once. After that, it requests the current list.
    if (banks) script.banks = null;
    return banks ?? this.ask('/v1/banks', {validate: isBankList, signal});
  }

  /**
   * Requests the order code. All requests with the same session get the same code.
   * @param bank - The chosen bank, whose account is in the answer; empty if the shopper has not chosen a bank.
   * @param human - Token of the human check, if the Worker requires the check.
   */
  createOrderCode(session: string, signal: AbortSignal, bank: string, human: string, said: Said): Promise<OrderCode> {
    const body = {session, ...(bank && {bank}), ...(human && {human}), ...said};
    return this.ask('/v1/order-code', {validate: isOrderCode, signal, isSimple: true, body});
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
