/**
 * What an order does later, and when. Every time follows from the facts that the order stores, and from its open pages;
 * times are epoch milliseconds. `StoredObject` runs the tasks.
 */

import {DEFAULT_BANK_DELAY_MINUTES} from '../../config/settings.ts';
import {HOUR_MS, MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {describeError, log} from '../../lib/log.ts';
import {nextTryAt, type Retry} from '../../lib/retry.ts';
import type {Entry} from '../events/entry.ts';
import {type DueTime, earliest, type Later, type StandingTask} from '../schedule.ts';
import {buyerOf, keptAlone, keptUntil} from './buyer.ts';
import {callsEnd} from './order-calls.ts';
import type {OrderChanges} from './order-changes.ts';
import {hasExpired, type OrderAccess} from './order-effects.ts';
import {
  type Change,
  closesAt,
  EMPTY_ORDER,
  factsOf,
  isPayable,
  isUntracked,
  isVisible,
  type OrderRecord,
  type OrderState,
  withRecord,
  withView,
} from './order-state.ts';
import {type OrderWatchers, viewOf} from './order-watchers.ts';
import {checkArrivalStatuses, nextStatusCheckAt} from './payment-hints.ts';
import {checkNotices} from './payment-notice.ts';
import {areSettled, isUnpaidAtEnd} from './payment.ts';
import type {OrderSockets} from './sockets.ts';

/** The parts of an order that its tasks use. */
export interface TaskedOrder {
  readonly access: OrderAccess;
  readonly sockets: OrderSockets;
  readonly watchers: OrderWatchers;
  readonly changes: OrderChanges;
  /** Writes the order without the first entries of its journal, up to this one. */
  readonly forgetEntries: (last: Entry) => void;
  /** When this instance of the object last committed; undefined after the object woke. */
  readonly committedAt: () => number | undefined;
  /** Hands over the entries of the journal. */
  readonly handOver: () => Promise<void>;
  readonly erase: () => Promise<void>;
  /** Erases an order that does not exist, unless something of it is left. */
  readonly eraseIfIdle: () => Promise<void>;
}

const UNCHANGED: Change = (order) => order;

/** What fails is mostly another object that cannot be reached. What waits for the platform has times of its own. */
const RETRY = {firstMs: MINUTE_MS, maxMs: 15 * MINUTE_MS};

export function orderTasks(order: TaskedOrder) {
  const {access, sockets, watchers, changes} = order;
  const waiting = () => access.state().journal.pending;
  /** Until when the order that closes was open: its other work ends, whatever of it was due. */
  let closedAt = 0;
  const isClosing = (record: OrderRecord) => closesAt(record) <= closedAt;

  /** Work of an order that is not closed. @param at - When it is due; undefined or null if there is nothing to do. */
  const own = (
    at: (record: OrderRecord, state: OrderState, doneUntil: number) => DueTime | undefined,
    run: (record: OrderRecord, state: OrderState) => Promise<Later | void> | undefined,
  ): StandingTask => ({
    retry: RETRY,
    dueAt(doneUntil) {
      const state = access.state();
      const {record} = state;
      if (!record || isClosing(record)) return null;
      const due = at(record, state, doneUntil) ?? Infinity;
      return due < closesAt(record) ? due : null;
    },
    async run() {
      const state = access.state();
      if (state.record && !isClosing(state.record)) return run(state.record, state);
    },
  });

  /** Whether the outbox lacks entries. */
  const isTelling = () => waiting().length > 0;

  /** Tells pages and pollers everything again. A page that is open counts as a view. */
  const tellPages = () => access.commit(sockets.count() > 0 ? withView : UNCHANGED, {is: 'alarm'});

  /** When pages have to show that the time to pay has passed; null if they show it, or nothing changes for them then. */
  const pagesExpireAt = ({record, money}: OrderState): DueTime => {
    if (!record || sockets.count() === 0 || !isVisible(record, money)) return null;
    const {expiresAt} = record;
    const isShown = !hasExpired(record, {now: expiresAt, since: order.committedAt()});
    return isShown || !isUnpaidAtEnd(factsOf(record, money)) ? null : expiresAt;
  };

  return {
    /** Tells everybody the end, and deletes the order. A buyer who is kept is deleted later. */
    close: {
      retry: RETRY,
      dueAt() {
        if (isTelling()) return null;
        const state = access.state();
        return state.record ? closesAt(state.record) : earliest(callsEnd(state), keptUntil(buyerOf(state)));
      },
      async run() {
        const {record, buyer} = access.state();
        const end = record ? closesAt(record) : keptUntil(buyerOf({buyer}));
        const isOver = end !== null && Date.now() >= end;
        if (record && isOver) closedAt = end;
        await access.commit(UNCHANGED, {is: 'alarm'});
        if (!isOver) return;
        await order.handOver();
        if (isTelling()) return;
        const last = access.state();
        const kept = keptAlone(last, Date.now());
        if (!(await watchers.close(last, kept))) return 'retry';
        // Money that has arrived meanwhile is told first.
        if (access.state() !== last) return;
        sockets.closeAll();
        if (kept) await access.commit(() => ({...EMPTY_ORDER, buyer: kept}), {is: 'alarm'});
        else await order.erase();
      },
    },

    /** Reads the status of the money that arrived, because the platform's lists show none. */
    status: own(
      (_record, state, doneUntil) => nextStatusCheckAt(state, doneUntil),
      ({checks}, {money}) => checks && checkArrivalStatuses(access, checks, money, watchers.reporter),
    ),

    /** Sends a change of the amount again that the platform has not answered. */
    change: own(
      ({change}) => change?.retry.retryAt,
      () => changes.repeat(),
    ),

    /** Checks whether the shopper submitted a payment notice, and what the platform's staff did with it. */
    notices: own(
      ({notices = []}) => earliest(...notices.map(({dueAt}) => dueAt)),
      () => checkNotices(access, 'alarm'),
    ),

    /** Tells the sweep the order and its code, if no page did it by opening the payment. */
    track: own(
      (record) => (isUntracked(record) ? record.untracked?.retryAt : null),
      (record, {money}) => {
        const isSettled = areSettled(factsOf(record, money), Date.now());
        return watchers.track(access, viewOf(record, isSettled, sockets.count() > 0, 'open'), null);
      },
    ),

    /** Lets an order without all money expire for the merchant, once a search has not found money sent in time. */
    expiry: own(
      (_record, state, doneUntil) => nextExpiryCheckAt(access, state, doneUntil),
      (record) => (isPayable(record) ? checkExpiry(access, watchers, record) : tellPages()),
    ),

    /** Shows open pages that the time to pay has passed, and closes the sockets of pages whose session has ended. */
    pages: {
      retry: RETRY,
      dueAt: () => earliest(sockets.nextSessionEnd(), pagesExpireAt(access.state())),
      async run() {
        sockets.closeExpired(Date.now());
        await tellPages();
      },
    },

    /**
     * Hands over the entries that the outbox does not have yet. An order that dies before it forgets them hands them over
     * again; outbox and archive store them once.
     */
    journal: {
      // A random part is cut off, because thousands of orders may have entries.
      retry: {firstMs: 10 * SECOND_MS, maxMs: 15 * MINUTE_MS, jitter: 0.5},
      dueAt: () => (isTelling() ? 0 : null),
      async run() {
        for (;;) {
          const entries = waiting();
          const last = entries.at(-1);
          if (!last) return order.eraseIfIdle();
          try {
            const service = access.state().record?.service ?? null;
            await access.services().objects.outbox().receive(service, entries);
          } catch (error) {
            log('warn', 'events_waiting', {rows: entries.length, error: describeError(error)});
            return 'retry';
          }
          order.forgetEntries(last);
        }
      },
    },

    /** Tells pages and pollers everything again, because nobody knows what an earlier instance of the object could tell. */
    tell: {
      retry: RETRY,
      afterWaking: true,
      dueAt: () => null,
      async run() {
        if (!access.state().record) return;
        await tellPages();
      },
    },
  } satisfies Record<string, StandingTask>;
}

/** When it is asked again whether a search was made. */
const SEARCH: Retry = {firstMs: MINUTE_MS, maxMs: HOUR_MS};

/**
 * When the order asks whether a search has not found the missing money; null if it does not wait for this. After the time
 * to pay, an order without a code and without a payment page expires at once, because no money can be on its way. That a
 * search was not made yet costs no write, because the times follow from the first one.
 * @param doneUntil - The times until then have passed.
 */
export function nextExpiryCheckAt(access: OrderAccess, {record, money}: OrderState, doneUntil: number): DueTime {
  if (!record || record.expired || !isUnpaidAtEnd(factsOf(record, money))) return null;
  const first = isPayable(record) ? searchableFrom(access, record) + MINUTE_MS : record.expiresAt;
  return nextTryAt(SEARCH, first, doneUntil);
}

/** Lets the order expire if a search was made. */
async function checkExpiry(access: OrderAccess, watchers: OrderWatchers, record: OrderRecord): Promise<void> {
  if (isUntracked(record) || !(await watchers.haveSearched(record, searchableFrom(access, record)))) return;
  await access.commit((order) =>
    order.record?.expiresAt === record.expiresAt ? withRecord(order, {expired: true}) : order,
  );
}

/** From when on a search finds all money that was sent in time. While the configuration is wrong, a task needs a time too. */
function searchableFrom(access: OrderAccess, {expiresAt}: OrderRecord): number {
  try {
    return expiresAt + access.services().config.bankDelayMs;
  } catch {
    return expiresAt + DEFAULT_BANK_DELAY_MINUTES * MINUTE_MS;
  }
}
