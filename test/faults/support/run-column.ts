/** One column of the matrix: shoppers before, during and after a fault of every operation of the checkout at once. */

import {setTimeout as wait} from 'node:timers/promises';
import type {Payment, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import {type FaultPoints, type Column, type OperationPath, OPERATIONS} from './columns.ts';
import {type Answer, type Page, retryUntil} from './page.ts';

/** What a page saw of one operation's fault. */
export interface Cell {
  readonly during: Answer;
  /** What the same request of the same session was answered once the fault was over. */
  readonly after: Answer;
  /** From the end of the fault to that answer. */
  readonly recoveredMs: number;
  /** Codes the platform holds for the session's order, in the end. */
  readonly codes: readonly string[];
}

export interface Pages {
  /** Of a Worker that has called nothing yet: it holds no token and no bank. */
  readonly fresh: Page;
  /** Of a Worker that has served many shoppers: a few failures leave its breaker closed. */
  readonly busy: Page;
}

/** So many that a few failures afterwards are no half of all calls. */
const SHOPPERS_BEFORE = 6;

export async function runColumn(
  column: Column,
  between: FaultPoints,
  {fresh, busy}: Pages,
): Promise<Record<OperationPath, Cell>> {
  const {line, platform} = between;
  for (let shopper = 0; shopper < SHOPPERS_BEFORE; shopper += 1) await busy.openOrder();
  const [waiting, paid] = [await busy.openOrder(), await busy.openOrder()];
  const [unasked, halfMade] = [await busy.openSession(), await busy.openSession()];
  const tokenless = await fresh.openSession();
  await platform.fault('/orderToReference/create', {kind: 'empty', after: true});
  await platform.fault('/orderToReference/check', {kind: 'empty'});
  await busy.askOrderCode(halfMade);
  await platform.heal();

  // A transfer's status is asked for as soon as a search has found it: only that may fail at first.
  await column.apply(between, ['/transaction/get']);
  await platform.pay(paid.code);
  await busy.askPayment(waiting.session);
  await retryUntil(() => busy.askPayment(paid.session), isPaid);
  await until(() => line.attempts('/transaction/get') > 0);

  await column.apply(between, OPERATIONS);
  await platform.pay(waiting.code);
  const searches = line.attempts('/transaction/search');
  const [token, banks, create, check, get] = await Promise.all([
    fresh.askOrderCode(tokenless),
    fresh.askBanks(),
    busy.askOrderCode(unasked),
    busy.askOrderCode(halfMade),
    busy.askPayment(paid.session),
  ]);
  if (column.countable) await until(() => line.attempts('/transaction/search') > searches);
  const search = await busy.askPayment(waiting.session);

  await column.clear(between);
  const liftedAt = performance.now();
  const recover = async <T>(
    during: Answer<T>,
    ask: () => Promise<Answer<T>>,
    good?: (answer: Answer<T>) => boolean,
  ) => {
    const after = await retryUntil(ask, good);
    return {during, after, recoveredMs: performance.now() - liftedAt};
  };
  const recovered = await Promise.all([
    recover(token, () => fresh.askOrderCode(tokenless)),
    recover(banks, () => fresh.askBanks()),
    recover(create, () => busy.askOrderCode(unasked)),
    recover(check, () => busy.askOrderCode(halfMade)),
    recover(search, () => busy.askPayment(waiting.session), isPaid),
    recover(get, () => busy.askPayment(paid.session), isPaid),
  ]);
  const orders = await platform.orders();
  const codesOf = ({order}: NewPaymentSession) =>
    orders.filter((made) => made.order === order).map((made) => made.order_code);
  return {
    '/getToken': {...recovered[0], codes: codesOf(tokenless)},
    '/bank/getAll': {...recovered[1], codes: []},
    '/orderToReference/create': {...recovered[2], codes: codesOf(unasked)},
    '/orderToReference/check': {...recovered[3], codes: codesOf(halfMade)},
    '/transaction/search': {...recovered[4], codes: codesOf(waiting.session)},
    '/transaction/get': {...recovered[5], codes: codesOf(paid.session)},
  };
}

const isPaid = ({body}: Answer<Payment>) => body.state === 'paid';

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(50);
}
