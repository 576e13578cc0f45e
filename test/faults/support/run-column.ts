/**
 * Runs one column of the checkout matrix: the requests of shoppers before, during and after a fault that affects all
 * operations.
 */

import {setTimeout as wait} from 'node:timers/promises';
import type {Payment, NewPaymentSession} from '../../../worker/contract/browser/answers.ts';
import {type FaultPoints, type Column, type OperationPath, OPERATIONS} from './columns.ts';
import {type Answer, type Page, retryUntil, type RetriedAnswer} from './page.ts';

/** What a page received while one operation failed and afterwards. */
export interface Cell {
  readonly during: Answer;
  /** The answer to the same request of the same session after the fault has ended. */
  readonly after: RetriedAnswer<unknown>;
  /** The codes that the platform has for the session's order at the end. */
  readonly codes: readonly string[];
}

export interface Pages {
  /** A page of a Worker that has not called the platform yet, and therefore has no token and no list of banks. */
  readonly fresh: Page;
  /** A page of a Worker that has served several shoppers, so that a few failures do not open its circuit. */
  readonly busy: Page;
}

/** After this many shoppers, a few failures are less than half of all calls, so they do not open the circuit. */
const SHOPPERS_BEFORE = 6;

export async function runColumn(
  column: Column,
  points: FaultPoints,
  {fresh, busy}: Pages,
): Promise<Record<OperationPath, Cell>> {
  const {line, platform} = points;
  for (let shopper = 0; shopper < SHOPPERS_BEFORE; shopper += 1) await busy.openOrder();
  const [waiting, paid] = [await busy.openOrder(), await busy.openOrder()];
  const [withoutCode, halfMade] = [await busy.openSession(), await busy.openSession()];
  const tokenless = await fresh.openSession();
  // The platform creates the order of `halfMade`, but the Worker gets neither the answer nor the code.
  await platform.fault('/orderToReference/create', {kind: 'empty', after: true});
  await platform.fault('/orderToReference/check', {kind: 'empty'});
  await busy.requestOrderCode(halfMade);
  await platform.heal();

  // The Worker calls transaction/get as soon as a search finds a transfer, so this operation has to fail first.
  await column.apply(points, ['/transaction/get']);
  await platform.pay(paid.code);
  await busy.readPayment(waiting.session);
  await retryUntil(() => busy.readPayment(paid.session), isPaid);
  await waitUntil(() => line.attempts('/transaction/get') > 0);

  await column.apply(points, OPERATIONS);
  await platform.pay(waiting.code);
  const searches = line.attempts('/transaction/search');
  const [token, banks, create, check, get] = await Promise.all([
    fresh.requestOrderCode(tokenless),
    fresh.listBanks(),
    busy.requestOrderCode(withoutCode),
    busy.requestOrderCode(halfMade),
    busy.readPayment(paid.session),
  ]);
  await waitUntil(() => line.attempts('/transaction/search') > searches);
  const search = await busy.readPayment(waiting.session);

  await column.clear(points);
  const recovered = await Promise.all([
    recover(token, () => fresh.requestOrderCode(tokenless)),
    recover(banks, () => fresh.listBanks()),
    recover(create, () => busy.requestOrderCode(withoutCode)),
    recover(check, () => busy.requestOrderCode(halfMade)),
    recover(search, () => busy.readPayment(waiting.session), isPaid),
    recover(get, () => busy.readPayment(paid.session), isPaid),
  ]);
  const orders = await platform.orders();
  const codesOf = ({order}: NewPaymentSession) =>
    orders.filter((created) => created.order === order).map((created) => created.order_code);
  return {
    '/getToken': {...recovered[0], codes: codesOf(tokenless)},
    '/bank/getAll': {...recovered[1], codes: []},
    '/orderToReference/create': {...recovered[2], codes: codesOf(withoutCode)},
    '/orderToReference/check': {...recovered[3], codes: codesOf(halfMade)},
    '/transaction/search': {...recovered[4], codes: codesOf(waiting.session)},
    '/transaction/get': {...recovered[5], codes: codesOf(paid.session)},
  };
}

async function recover<T>(
  during: Answer<T>,
  request: () => Promise<Answer<T>>,
  isDone?: (answer: Answer<T>) => boolean,
) {
  return {during, after: await retryUntil(request, isDone)};
}

const isPaid = ({body}: Answer<Payment>) => body.state === 'paid';

async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(50);
}
