/**
 * Finds the rows of the books. Each row has tokens in a full-text index: a letter for the kind, and a value. An insert
 * counts as one written row, however many tokens it has.
 */

import type {BookingType} from '../../contract/booking-types.ts';
import type {PaymentState} from '../../contract/browser/answers.ts';
import type {Kurus} from '../../lib/money.ts';
import {foldedWords} from '../../lib/names.ts';
import type {DatedBooking} from './booking.ts';

export type WorkKind = 'late' | 'unmatched';

/** What a row is found by. All given conditions must fit. */
export interface BooksConditions {
  /** Words of the sender's name; the last one may be a beginning. */
  readonly sender?: string | undefined;
  readonly user?: string | undefined;
  /** The amount of the money or the refund, or else of the order. */
  readonly amount?: Kurus | undefined;
  readonly bank?: string | undefined;
  readonly state?: PaymentState | undefined;
  /** One of these types. */
  readonly types?: readonly BookingType[] | undefined;
  readonly code?: string | undefined;
  /** The beginning of the code with which an order was placed or amended, of at least `MIN_CODE_BEGINNING` characters. */
  readonly codeBeginning?: string | undefined;
  readonly order?: string | undefined;
  /** Id of a transaction or of a refund, a bank's number of one, or the code of a payment notice. The platform's numbers may coincide. */
  readonly id?: string | undefined;
  readonly work?: WorkKind | undefined;
}

/** No token is split, because a value has only letters, digits and `_`, or characters outside ASCII. */
export const TOKENIZER = `ascii tokenchars '_'`;

const KINDS = {
  subject: 'o',
  code: 'c',
  codeBeginning: 'd',
  user: 'u',
  amount: 'a',
  word: 'n',
  wordBeginning: 'b',
  id: 'i',
  work: 'w',
  type: 't',
  state: 's',
  bank: 'k',
} as const;
export type TokenKind = keyof typeof KINDS;

/** A shorter beginning would fit too many names. */
const MIN_BEGINNING = 3;
const MIN_CODE_BEGINNING = 6;
/** No reference of an order has this character. */
const NO_ORDER = '\n';

/** The order of a row, or the transaction of money without an order. */
export function subjectOf({order, transaction}: Pick<DatedBooking, 'order' | 'transaction'>): string {
  return order ?? NO_ORDER + (transaction ?? '');
}

export function orderOf(subject: string): string | null {
  return subject.startsWith(NO_ORDER) ? null : subject;
}

/** The index folds ASCII letters, so that a capital letter is written as a number, as is whatever splits a token. */
function token(kind: TokenKind, value: string | number): string {
  const text = String(value).replaceAll(/[^a-z0-9\u{80}-\u{10FFFF}]/gu, (each) => `_${each.charCodeAt(0)}_`);
  return KINDS[kind] + text;
}

/** The beginnings of a text that have at least `min` characters, the whole text included. */
function beginningsOf(text: string, min: number): string[] {
  const characters = [...text];
  return characters.slice(min - 1).map((_, index) => characters.slice(0, min + index).join(''));
}

/** The tokens of a row. */
export function tokensOf(booking: DatedBooking): string {
  const {type, state, late, amount, due, code, userId, transaction, refund, receipt, notice, bank, sender} = booking;
  const valuesOf: Record<TokenKind, readonly (string | number | null)[]> = {
    subject: [subjectOf(booking)],
    code: [code],
    codeBeginning:
      type === 'order.placed' || type === 'order.amended' ? beginningsOf(code ?? '', MIN_CODE_BEGINNING) : [],
    user: [userId],
    amount: [amount ?? due],
    word: foldedWords(sender ?? ''),
    wordBeginning: foldedWords(sender ?? '').flatMap((word) => beginningsOf(word, MIN_BEGINNING)),
    id: [transaction, refund, receipt, notice],
    work: [
      type === 'money.unmatched' ? 'unmatched' : null,
      late && type === 'money.arrived' && amount !== null ? 'late' : null,
    ],
    type: [type],
    state: [state],
    bank: [bank],
  };
  const tokens = Object.entries(valuesOf).flatMap(([kind, values]) =>
    values.filter((value) => value !== null).map((value) => token(kind as TokenKind, value)),
  );
  return [...new Set(tokens)].join(' ');
}

/** The tokens of a row without those of some kinds. */
export function withoutKinds(tokens: string, kinds: readonly TokenKind[]): string {
  const letters = kinds.map((kind) => KINDS[kind]);
  return tokens
    .split(' ')
    .filter((each) => !letters.some((letter) => each.startsWith(letter)))
    .join(' ');
}

/** A condition that finds the rows which have one of these values. Quoted tokens have no syntax of the index. */
export function has(kind: TokenKind, ...values: readonly (string | number)[]): string {
  return `(${values.map((value) => `"${token(kind, value)}"`).join(' OR ')})`;
}

/** The condition that finds rows; null if all rows fit. */
export function matchOf(conditions: BooksConditions): string | null {
  const {sender = '', user, amount, bank, state, types, code, codeBeginning, order, id, work} = conditions;
  const words = foldedWords(sender);
  const last = (words.at(-1)?.length ?? 0) >= MIN_BEGINNING ? words.pop() : undefined;
  const given = {
    id,
    subject: order,
    code,
    codeBeginning,
    user,
    wordBeginning: last,
    work,
    amount,
    state,
    bank,
  } satisfies Partial<Record<TokenKind, string | number | undefined>>;
  const all = [
    ...Object.entries(given).map(([kind, value]) => (value === undefined ? null : has(kind as TokenKind, value))),
    ...words.map((word) => has('word', word)),
    types === undefined ? null : has('type', ...types),
  ].filter((each) => each !== null);
  return all.length > 0 ? all.join(' AND ') : null;
}
