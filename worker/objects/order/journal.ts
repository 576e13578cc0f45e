/**
 * The journal of an order: the entries that the outbox does not have yet, and what decides the next entries. It is stored
 * together with the order, in one write. The functions are pure.
 */

import type {PaymentState} from '../../contract/browser/answers.ts';
import {formatAmount} from '../../lib/money.ts';
import {type Entry, nameless} from '../events/entry.ts';

export interface OrderJournal {
  /** How many entries the order has had. */
  readonly count: number;
  /** The entries that were not handed over, oldest first. */
  readonly pending: readonly Entry[];
  readonly told: ToldPayment;
  /** The state that the payment reached last; missing while the books do not have the order. */
  readonly state?: PaymentState | undefined;
  /** The time of the last snapshot. A clock that is set back does not make a later one older. */
  readonly shownAt?: number | undefined;
  /** Set once the order was paid for the first time. */
  readonly sold?: true | undefined;
  /** The end of the time to pay for which the books have that it was missed with a part of the money. */
  readonly overdueSince?: number | undefined;
}

/** The payment as the last event reported it. */
export interface ToldPayment {
  /** The state that the event reported, as text. */
  readonly fact: string;
  /** Whether the event listed money in lira, with which alone an order is paid. */
  readonly hadMoney: boolean;
  /** The refunded amount that the event reported. */
  readonly refunded: string;
  /** Ids of the money because of which the merchant delivers, without money that was withdrawn after the event. */
  readonly delivered: readonly string[];
}

export const EMPTY_JOURNAL: OrderJournal = {
  count: 0,
  pending: [],
  told: {fact: '', hadMoney: false, refunded: formatAmount(0), delivered: []},
};

/** The journal without its first entries, up to this one. */
export function withoutFirst(journal: OrderJournal, {id}: Entry): OrderJournal {
  const {pending} = journal;
  return {...journal, pending: pending.slice(pending.findIndex((entry) => entry.id === id) + 1)};
}

/** The journal without anything that names a person. */
export function journalWithoutPerson(journal: OrderJournal): OrderJournal {
  return journal.pending.length > 0 ? {...journal, pending: journal.pending.map(nameless)} : journal;
}
