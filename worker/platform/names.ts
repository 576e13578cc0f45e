/**
 * Compares a reply with what was asked for, because the contract does not say that the platform does. A record is of
 * another service, merchant or id if it names one; a record without a name may be the one that was asked for.
 */

import {fold} from '../lib/names.ts';
import type {Names} from './operation.ts';
import {isObject, type Rows} from './reply-json.ts';

/** The merchant whose ids the Worker sends, and the numbers of its services in mobile billing. */
export interface NamedMerchant {
  readonly merchant: {readonly id: string};
  readonly services: ReadonlyMap<string, {readonly micropaymentId: string | null}>;
}

type Input = Readonly<Record<string, unknown>>;

/** What some platforms write in place of a missing id. */
const NOBODY = /^(0*|false)$/;
const DIGITS = /^\d+$/;

/**
 * Leaves the rows of lists that name something else out of a successful reply.
 * @returns how many these are; null if another record names something else.
 */
export function leaveOutOthers(
  reply: object,
  names: Names,
  input: Input,
  of: NamedMerchant | undefined,
): number | null {
  const isOther = (record: object) => contradicts(record, names, input, of);
  let others = 0;
  for (const part of Object.values(reply) as unknown[]) {
    if (isRows(part)) {
      const rows = part.rows.filter((row) => !isOther(row));
      const left = part.rows.length - rows.length;
      if (left > 0) Object.assign(part, {rows, others: left});
      others += left;
    } else if (isObject(part) && isOther(part)) return null;
  }
  return others;
}

const isRows = (part: unknown): part is Rows<object> => isObject(part) && Array.isArray(part['rows']);

/** Whether a record, or a record inside it, names something else. The id of an inner record is its own. */
function contradicts(record: object, {id, ...names}: Names, input: Input, of: NamedMerchant | undefined): boolean {
  const all = id === undefined ? names : {id, ...names};
  const isOther = ([field, asked]: [string, string]) => {
    const value = (record as Input)[field];
    const named = typeof value === 'string' ? value.trim() : '';
    if (NOBODY.test(named)) return false;
    // Some platforms write a name in this field.
    if (asked === 'merchant') return of !== undefined && DIGITS.test(named) && plain(named) !== plain(of.merchant.id);
    return !isSame(named, asked, String(input[asked]), of?.services ?? new Map());
  };
  return (
    Object.entries(all).some(isOther) ||
    Object.values(record).some((inner) => isObject(inner) && contradicts(inner, names, input, of))
  );
}

/**
 * Whether a record names what was asked for. A service has a number in mobile billing and, for this number, one or
 * several codes.
 * @param field - The field of the input: `code` and `serviceId` name services.
 */
function isSame(named: string, field: string, asked: string, services: NamedMerchant['services']): boolean {
  const isCode = (code: string) => named === code || (fold(named) === fold(code) && !services.has(named));
  // The contract does not say that `/phs` has the numbers of mobile billing, so only codes say something there.
  if (field === 'code') return isCode(asked) || (DIGITS.test(named) && !services.has(named));
  const isAsked = (id: string | null) => id !== null && plain(id) === plain(asked);
  return (
    isAsked(named) ||
    (field === 'serviceId' && [...services].some(([code, {micropaymentId}]) => isAsked(micropaymentId) && isCode(code)))
  );
}

/** An id without zeros in front. */
const plain = (id: string) => (DIGITS.test(id) ? id.replace(/^0+(?=.)/, '') : id);
