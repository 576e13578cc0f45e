/** What a typed or pasted text may be, and which questions to the Worker follow from it. */

import {compactText, foldText} from '../worker/contract/readers/characters.ts';
import {readTypedAmount} from '../worker/contract/readers/typed-amount.ts';
import {ask, type Booking, DeskProblem, type Order, type Payment} from './client.ts';
import {toReturnOf} from './to-return.ts';

/** What the text was found as. */
export type FoundAs = 'code' | 'order' | 'id' | 'amount' | 'name';

export interface Found {
  readonly service: string;
  readonly as: FoundAs;
  /** Null for money that matches no order. */
  readonly order: string | null;
  readonly at: string | null;
  readonly amount: string | null;
  /** What is to be given back or decided about, if the answer says it. */
  readonly toReturn?: Payment['refundable'] | null;
  readonly state: string | null;
  readonly sender: string | null;
  readonly transaction: string | null;
  readonly code: string | null;
}

/** What one question found for one service. */
export interface SearchAnswer {
  readonly found: readonly Found[];
  /** When the Worker last read the banks’ lists; null if it never did, undefined if the answer does not say it. */
  readonly searchedAt?: string | null;
  /** Whether there are more rows. */
  readonly isCut?: boolean;
}

/** One question for one service. */
export interface Question {
  readonly as: FoundAs;
  readonly ask: (service: string, signal: AbortSignal) => Promise<SearchAnswer>;
}

/** The questions for a text, the most exact first. */
export function questionsFor(text: string): readonly Question[] {
  const trimmed = text.trim();
  const compact = compactText(text);
  // An id may have dashes.
  const id = foldText(text).replace(/\s/g, '');
  const amount = readTypedAmount(trimmed);
  const questions: Question[] = [];
  if (/^[A-Za-z0-9]{4,64}$/.test(compact)) questions.push(orderBy('code', compact));
  if (trimmed !== '' && trimmed.length <= 64 && !/\s/.test(trimmed)) questions.push(orderBy('order', trimmed));
  if (/^[\w.:-]{3,64}$/.test(id)) questions.push(rowsBy('id', {id}));
  if (amount !== undefined) questions.push(rowsBy('amount', {amount}));
  if (/\p{L}{3}/u.test(trimmed) && !/\d/.test(trimmed) && trimmed.length <= 100)
    questions.push(rowsBy('name', {sender: trimmed}));
  return questions;
}

const orderBy = (as: 'code' | 'order', value: string): Question =>
  questionAs(as, async (service, signal) => ({
    found: [ofOrder(await ask<'getOrder'>('orders', {service, [as]: value}, signal), as)],
  }));

/** At most the hundred newest rows. */
const rowsBy = (as: FoundAs, fields: Readonly<Record<string, string>>): Question =>
  questionAs(as, async (service, signal) => {
    const {items, searched_at, next_cursor} = await ask<'searchBookings'>('bookings', {service, ...fields}, signal);
    const found = items.map((row) => ofRow(service, row, as));
    return {found, searchedAt: searched_at, isCut: next_cursor !== null};
  });

const questionAs = (as: FoundAs, read: Question['ask']): Question => ({
  as,
  async ask(service, signal) {
    try {
      return await read(service, signal);
    } catch (error) {
      if (isNothing(error)) return {found: []};
      throw error;
    }
  },
});

/** Whether the Worker says that the text is nothing of this kind. */
const isNothing = (error: unknown) =>
  error instanceof DeskProblem && ['unknown_order', 'not_found', 'invalid_request'].includes(error.code);

const ofOrder = ({service, order, order_code: code, created_at, payment}: Order, as: FoundAs): Found => ({
  service,
  as,
  order,
  code,
  at: created_at,
  amount: payment?.amount ?? null,
  toReturn: toReturnOf(payment),
  state: payment?.state ?? null,
  sender: null,
  transaction: null,
});

const ofRow = (service: string, row: Booking, as: FoundAs): Found => ({
  service,
  as,
  order: row.order,
  code: row.order_code,
  at: row.at,
  amount: row.amount ?? row.order_amount,
  state: row.type,
  sender: row.sender,
  transaction: row.transaction_id,
});

/** Each order once, as the most exact question found it. Money without an order stays a row of its own. */
export function withoutRepeats(found: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return found.filter(({service, order, transaction}) => {
    const key = order === null ? `${service}\n\n${transaction}` : `${service}\n${order}`;
    return !seen.has(key) && seen.add(key);
  });
}
