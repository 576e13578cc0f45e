import type {PlacedOrder} from '../../../worker/contract/browser/answers.ts';
import type {CheckoutPageData} from '../../../worker/contract/browser/page-data.ts';
import type {PageFactsInput} from '../../../worker/contract/browser/page-facts.ts';
import {toProblem} from '../../core/problem.ts';
import {scriptTagOf} from '../../core/script-tag.ts';
import {isText, type Guard} from '../../core/worker-client.ts';
import {save, savedOrder, type Next, type PurchaseFacts} from './facts.ts';
import {isOrderCode, isSession, type OrderClient} from './order-client.ts';
import type {OrderAttempt} from './saved-order.ts';

const isPlacedOrder: Guard<PlacedOrder> = (value): value is PlacedOrder => isSession(value) && isOrderCode(value);

/** An attempt is repeated for as long as its session may create a code (`CREATE_WINDOW_MS` of the Worker). */
const ATTEMPT_MS = 1_800_000;

type ScriptOffer = NonNullable<CheckoutPageData['offer']>;

/**
 * The offer in the page's script, as long as the purchase needs no session. The script contains title and amount of the
 * offer, so the page needs no session until the shopper chooses a bank. Then one request opens the session and creates
 * the order code. If the script has another offer, or none, the purchase opens a session first.
 */
export function scriptOffer(facts: PurchaseFacts, api: string): ScriptOffer | undefined {
  const {link, outdatedAmount, session, order} = facts;
  // A session that this page has just opened is saved before it is known. A skeleton between would remove everything.
  const isSaved = !order.isCreated && isSession(savedOrder(facts).session);
  const needsSession = link || outdatedAmount || session || isSaved;
  return needsSession ? undefined : inScript(facts, api);
}

/** Opens a session and creates its order code in one request; undefined if the page must open a session first. */
export async function placeOrder(
  facts: PurchaseFacts,
  client: OrderClient,
  signal: AbortSignal,
  page: Promise<PageFactsInput | undefined> | undefined,
  send: <E>(event: E, next: Next<E>) => void,
): Promise<PlacedOrder | undefined> {
  const {key, bank, step, outdatedAmount} = facts;
  const offer = inScript(facts, client.address);
  // An offer that asks who buys needs a session: the shopper may take longer than an attempt is repeated.
  if (!offer || offer.buyer_form || outdatedAmount || step === 'bank') return undefined;
  try {
    const attempt = currentAttempt(facts, offer.amount);
    // The attempt is saved before the request is sent. So a retry after a lost answer, a reload or a tap in another
    // tab continues the same order.
    send(attempt, beginAttempt);
    const {id, amount} = attempt;
    const order = {
      offer: key.offer,
      attempt: id,
      shown_amount: amount,
      bank: bank || undefined,
      // Without facts, nothing is awaited: the request is sent before the tap is rendered.
      page: page && (await page),
    };
    return await client.post('/v1/order-code', isPlacedOrder, signal, order);
  } catch (thrown) {
    const {code, endsSession: isOver} = toProblem(thrown);
    const changedAmount = code === 'price_changed' ? offer.amount : undefined;
    // If the attempt is too old, the price has changed, or a human check or the buyer is required, the page opens a
    // session next.
    if (!isOver && !changedAmount && !/^(human_check|buyer)_/.test(code)) throw thrown;
    // This is rare, so only the payment bundle knows it. If loading fails, the caller retries the whole request.
    const {next} = await rareEvents();
    signal.throwIfAborted();
    send({is: 'attempt-refused', isOver, outdatedAmount: changedAmount}, next);
    return undefined;
  }
}

/** What the page knows after rare events. */
export const rareEvents = () => import('../payment/payment-events.ts');

/** The offer in the page's script, if this purchase is for that offer. */
function inScript({key}: PurchaseFacts, api: string): ScriptOffer | undefined {
  const offer = scriptTagOf(api)?.offer;
  return offer?.id === key.offer ? (offer ?? undefined) : undefined;
}

/** What the page knows when an attempt begins. */
function beginAttempt(facts: PurchaseFacts, attempt: OrderAttempt): PurchaseFacts {
  return save(facts, {attempt});
}

/** The saved attempt, or a new one. */
function currentAttempt(facts: PurchaseFacts, amount: string): OrderAttempt {
  const {attempt: saved} = savedOrder(facts);
  const at = Date.now();
  // If the shopper has seen another amount since, the saved attempt would get the order with the old amount.
  if (saved?.amount === amount && isText(saved.id) && at - saved.at < ATTEMPT_MS) return saved;
  // 160 random bits, such as `3124806115-807641203-1690057745-2280913384-40518962`.
  return {id: crypto.getRandomValues(new Uint32Array(5)).join('-'), amount, at};
}
