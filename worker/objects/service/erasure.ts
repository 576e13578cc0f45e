/** Forgets a person in every object that may name them. Each step may be repeated. */

import {sumOf} from '../../lib/sum.ts';
import type {Objects} from '../../objects.ts';
import {askBooks, BOOKING_SIGNS} from '../archive/booking.ts';
import type {BookedRow} from '../archive/books-store.ts';
import {findRows, findRowsOfMoney, forgetPages} from '../archive/find-in-archive.ts';
import {orderSubject} from '../events/event.ts';
import type {BuyerIndex, BuyerName, FoundOrders} from '../sweep/buyer-index.ts';
import type {SweepStore} from '../sweep/sweep-store.ts';

/** How many orders of a person one call forgets, and how many it counts. */
const MAX_FORGOTTEN = 100;
const MAX_COUNTED = 10_000;

/** Whom to forget, by one of these, as the merchant's server names them. */
export interface Person extends BuyerName {
  readonly user_id?: string | undefined;
  readonly order?: string | undefined;
  /** Money, with or without an order. */
  readonly transaction?: string | undefined;
}

/** `unknown` names what nothing has. */
export type Forgotten =
  | {readonly unknown: 'person' | 'order' | 'transaction'}
  | {
      readonly orders: number;
      /** How many rows of the books changed. */
      readonly rows: number;
      /** How many more orders the person has, at most some 10,000. */
      readonly left: number;
      /** Orders from before are not found by their buyer; epoch milliseconds. */
      readonly lostAt?: number | undefined;
    };

/** What the service's own object knows of persons. */
interface OwnStores {
  readonly buyers: BuyerIndex;
  readonly orders: SweepStore;
}

/**
 * What brings a name to another object forgets it before that object, so that nothing on its way brings it back. What
 * the person was searched in forgets last, so that a call that is repeated after a failure finds the orders again.
 */
export async function forgetPerson(
  person: Person,
  service: string,
  objects: Objects,
  {buyers, orders: tracked}: OwnStores,
): Promise<Forgotten> {
  const {user_id: user, order, transaction} = person;
  const forgetSenders = (...of: Senders) => tracked.turns.run(() => forgetSendersOf(of, service, objects, tracked));
  let rows = 0;
  // A delivery writes the names of senders, so it ends before: it may be about to book the money.
  if (transaction !== undefined) rows += await forgetSenders([], [], [transaction]);
  const found = await ordersOf(person, service, objects, buyers);
  if (!found) return {unknown: 'transaction'};
  const {orders: all, lostAt} = found;
  if (all.length === 0 && lostAt === undefined && transaction === undefined) return {unknown: 'person'};
  const orders = all.slice(0, MAX_FORGOTTEN);
  const codes = await Promise.all(orders.map((each) => objects.order(service, each).forgetPerson()));
  const subjects = orders.map((each) => orderSubject(service, each));
  await objects.outbox().forgetPersons(service, subjects);
  const names = [...orders, ...codes.flatMap((code) => code ?? [])];
  const [changed] = await Promise.all([
    forgetSenders(orders, names, []),
    objects.commands(service).forgetPersons(orders),
    forgetPages(objects, service, orders),
  ]);
  // The orders of a user are found in the books, others in the index.
  if (user !== undefined) await buyers.remove(orders);
  const users = await askBooks(objects, service, (books): Promise<number> => books.forgetPersons('user', orders, []));
  const indexed = await buyers.remove(orders);
  const isKnown = order === undefined || codes[0] !== undefined || indexed > 0;
  if (!isKnown && (await findRows(objects, service, order)).length === 0) return {unknown: 'order'};
  rows += changed + sumOf(users, Number);
  return {orders: orders.length, rows, left: all.length - orders.length, lostAt};
}

/** Orders, orders and their codes, and money. */
type Senders = [orders: readonly string[], names: readonly string[], transactions: readonly string[]];

/** Removes who sent money, from the object and the books. @returns how many rows of the books changed. */
async function forgetSendersOf(
  [orders, names, transactions]: Senders,
  service: string,
  objects: Objects,
  tracked: SweepStore,
): Promise<number> {
  const own = await askBooks(objects, service, (books): Promise<string[]> => books.transactionsOf(orders));
  const money = [...new Set([...own.flat(), ...transactions])];
  const waiting = tracked.undelivered.forgetPersons([...names, ...money]);
  tracked.forgetSenders([...money, ...waiting]);
  const forget = (books: ReturnType<Objects['books']>): Promise<number> => books.forgetPersons('names', orders, money);
  return sumOf(await askBooks(objects, service, forget), Number);
}

/** The orders of the person; null if the books do not have the money. */
async function ordersOf(
  {user_id: user, order, transaction, ...buyer}: Person,
  service: string,
  objects: Objects,
  buyers: BuyerIndex,
): Promise<FoundOrders | null> {
  if (order !== undefined) return {orders: [order]};
  if (transaction !== undefined) {
    const orders = await ordersOfMoney(objects, service, transaction);
    return orders && {orders};
  }
  if (user === undefined) return buyers.ordersOf(buyer, MAX_COUNTED);
  const ask = (books: ReturnType<Objects['books']>): Promise<string[]> => books.ordersOfUser(user, MAX_COUNTED);
  return {orders: [...new Set((await askBooks(objects, service, ask)).flat())]};
}

/** The orders that have this money, null if the books do not have it. One that had it before is perhaps somebody else's. */
async function ordersOfMoney(objects: Objects, service: string, transaction: string): Promise<string[] | null> {
  const rows = await findRowsOfMoney(objects, service, [transaction]);
  if (rows.length === 0) return null;
  return [...Map.groupBy(rows, ({order}) => order)].flatMap(([order, own]) =>
    order !== null && sumOf(own, timesHeld) > 0 ? order : [],
  );
}

/** How often a row gave the order money: once, never, or −1 times if it took it back. */
const timesHeld = ({type}: BookedRow) => (type.startsWith('money.') ? BOOKING_SIGNS[type] : 0);
