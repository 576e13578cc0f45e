/**
 * Begins a purchase on a page with the page script `checkout.js`. The script contains title and amount of the offer, so
 * the page needs no session until the shopper goes on. Then one request opens the session and creates the order code.
 */

import type {PlacedOrder} from '../../../worker/contract/browser/answers.ts';
import type {CheckoutPageData} from '../../../worker/contract/browser/page-data.ts';
import {toProblem} from '../../core/problem.ts';
import {scriptTag} from '../../core/script-tag.ts';
import {isAmount, isText, shape, WorkerClient, type Guard} from '../../core/worker-client.ts';
import {priceMessages} from '../../locales/price.ts';
import {isOrderCode, isSession} from './order-client.ts';
import type {DirectOrders, Purchase} from './purchase.ts';
import type {OrderAttempt} from './saved-order.ts';

const isPlacedOrder: Guard<PlacedOrder> = (value): value is PlacedOrder => isSession(value) && isOrderCode(value);

const isAttempt = shape<OrderAttempt>({id: isText, amount: isAmount});

class DirectOrderClient extends WorkerClient {
  place(offer: string, {id, amount}: OrderAttempt, bank: string, signal: AbortSignal): Promise<PlacedOrder> {
    return this.ask('/v1/orders', {
      validate: isPlacedOrder,
      signal,
      isSimple: true,
      body: {offer, attempt: id, shown_amount: amount, ...(bank && {bank})},
      offer: {name: offer, kind: 'payment'},
    });
  }
}

/** The offer in the page's script, if this purchase is for that offer. */
function scriptOffer({api, key}: Purchase): CheckoutPageData['offer'] | undefined {
  const {api: scriptApi, offer} = scriptTag() ?? {};
  return offer && offer.id === key.offer && scriptApi === `${api}/` ? offer : undefined;
}

/** A new id with 128 random bits. */
function newAttemptId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * The attempt that is saved, or a new one. It is saved before the request is sent, so that a repeat after a lost answer,
 * a reload or a tap in another tab continues the same order.
 */
function currentAttempt({storage}: Purchase, amount: string): OrderAttempt {
  const {attempt: saved} = storage.read();
  if (isAttempt(saved)) return saved;
  const attempt = {id: newAttemptId(), amount};
  storage.write({attempt});
  return attempt;
}

export const orders: DirectOrders = {
  offerOf(purchase) {
    const {checkout, notice, session, storage} = purchase;
    const needsSession = checkout.link || notice || session.value || isSession(storage.read().session);
    return needsSession ? undefined : scriptOffer(purchase);
  },

  async place(purchase, signal) {
    const {api, checkout, storage} = purchase;
    const offer = scriptOffer(purchase);
    if (!offer || purchase.notice || checkout.step === 'bank') return undefined;
    try {
      const attempt = currentAttempt(purchase, offer.amount);
      return await new DirectOrderClient(api).place(offer.id, attempt, checkout.bank, signal);
    } catch (thrown) {
      signal.throwIfAborted();
      const {code, endsSession} = toProblem(thrown);
      const isPriceChanged = code === 'price_changed';
      // The page needs the parameters of the human check, which come with a session.
      if (!isPriceChanged && !endsSession && !code.startsWith('human_check_')) throw thrown;
      storage.write({attempt: undefined});
      if (isPriceChanged) purchase.notice = (amount, locale) => priceMessages[locale](amount);
      // The shopper sees the new amount before the code. An attempt that is too old is no longer the shopper's wish.
      if (isPriceChanged || endsSession) checkout.goTo('bank');
      return undefined;
    }
  },
};
