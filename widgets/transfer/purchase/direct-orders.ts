/**
 * Begins a purchase on a page with the page script `checkout.js`. The script contains title and amount of the offer, so
 * the page needs no session until the shopper chooses a bank. Then one request opens the session and creates the order
 * code.
 */

import type {PlacedOrder} from '../../../worker/contract/browser/answers.ts';
import type {CheckoutPageData} from '../../../worker/contract/browser/page-data.ts';
import {formatAmount} from '../../core/format.ts';
import {Problem, toProblem} from '../../core/problem.ts';
import {scriptTagOf} from '../../core/script-tag.ts';
import {isText, shape, type Guard} from '../../core/worker-client.ts';
import {priceChangedMessages} from '../../locales/price-changed.ts';
import {isOrderCode, isSession, OrderClient} from './order-client.ts';
import type {DirectOrders, Purchase} from './purchase.ts';
import type {OrderAttempt} from './saved-order.ts';

const isPlacedOrder: Guard<PlacedOrder> = (value): value is PlacedOrder => isSession(value) && isOrderCode(value);

const isAttempt = shape<OrderAttempt>({id: isText, amount: isText});

/** An attempt is repeated for as long as its session may create a code (`CREATE_WINDOW_MS` of the Worker). */
const ATTEMPT_MS = 1_800_000;

/** The offer in the page's script, if this purchase is for that offer. */
function scriptOffer({api, key}: Purchase): CheckoutPageData['offer'] | undefined {
  const offer = scriptTagOf(api)?.offer;
  return offer?.id === key.offer ? offer : undefined;
}

/**
 * Returns the saved attempt, or saves and returns a new attempt. The attempt is saved before the request is sent. So a
 * retry after a lost answer, a reload or a tap in another tab continues the same order.
 */
function currentAttempt({storage}: Purchase, amount: string): OrderAttempt {
  const {attempt: saved} = storage.read();
  const now = Date.now();
  // If the shopper has seen another amount since, the saved attempt would get the order with the old amount. An attempt
  // of an earlier version has no time, and counts as old.
  if (isAttempt(saved) && saved.amount === amount && now - saved.at < ATTEMPT_MS) return saved;
  // 160 random bits, such as `3124806115-807641203-1690057745-2280913384-40518962`.
  const id = crypto.getRandomValues(new Uint32Array(5)).join('-');
  const attempt = {id, amount, at: now};
  storage.write({attempt});
  return attempt;
}

/** The answers whose code no element shows yet. */
const placedOrders = new WeakMap<Purchase, PlacedOrder>();

export const orders: DirectOrders = {
  offerOf(purchase) {
    const {checkout, notice, session, storage} = purchase;
    const needsSession = checkout.link || notice || session.value || isSession(storage.read().session);
    return needsSession ? undefined : scriptOffer(purchase);
  },

  async place(purchase, signal) {
    const {api, key, checkout, storage} = purchase;
    const offer = scriptOffer(purchase);
    if (!offer || purchase.notice || checkout.step === 'bank') return undefined;
    try {
      const {id, amount} = currentAttempt(purchase, offer.amount);
      const placed = await new OrderClient(api).ask('/v1/orders', {
        validate: isPlacedOrder,
        signal,
        isSimple: true,
        body: {offer: key.offer, attempt: id, shown_amount: amount, ...(checkout.bank && {bank: checkout.bank})},
        offer: {name: key.offer, kind: 'payment'},
      });
      if (placed.amount === amount) {
        placedOrders.set(purchase, placed);
        return placed;
      }
      throw new Problem('price_changed', false);
    } catch (thrown) {
      signal.throwIfAborted();
      const {code, endsSession} = toProblem(thrown);
      const isPriceChanged = code === 'price_changed';
      // If the attempt is too old, the price has changed or a human check is required, the page opens a session next.
      if (!endsSession && !isPriceChanged && !code.startsWith('human_check_')) throw thrown;
      storage.write({attempt: undefined});
      if (isPriceChanged)
        purchase.notice = (amount, locale) => priceChangedMessages[locale](formatAmount(offer.amount, locale), amount);
      // The shopper must see a new amount before the code, and must choose again if the attempt is too old.
      if (isPriceChanged || endsSession) checkout.goTo('bank');
      return undefined;
    }
  },

  takeCode(purchase, token) {
    const placed = placedOrders.get(purchase);
    placedOrders.delete(purchase);
    // If another tab has saved its session first, this page continues with that session and that session's code. Pages
    // receive the code in an event, so it must not contain the session.
    return placed?.token === token ? {...placed, token: undefined} : undefined;
  },
};
