/**
 * Compares a reply with what was asked for, because the contract does not say that the platform does. A record is of
 * another service, merchant or id if it names one; a record without a name may be the one that was asked for.
 */

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
    const named = (record as Input)[field];
    if (typeof named !== 'string' || NOBODY.test(named)) return false;
    // Some platforms write a name in this field.
    if (asked === 'merchant') return of !== undefined && DIGITS.test(named) && plain(named) !== plain(of.merchant.id);
    return !isSame(named, String(input[asked]), SERVICE.has(asked) ? of : undefined);
  };
  return (
    Object.entries(all).some(isOther) ||
    Object.values(record).some((inner) => isObject(inner) && contradicts(inner, names, input, of))
  );
}

/** The fields of inputs that name a service. */
const SERVICE: ReadonlySet<string> = new Set(['code', 'serviceId']);

/** Whether both name the same. A service has a number and, for this number, one or several codes. */
function isSame(named: string, asked: string, of: NamedMerchant | undefined): boolean {
  const idOf = (service: string) => of?.services.get(service)?.micropaymentId;
  if (plain(named) === plain(asked)) return true;
  return DIGITS.test(named) ? !of?.services.has(named) && idOf(asked) === plain(named) : idOf(named) === plain(asked);
}

/** An id without zeros in front. */
const plain = (id: string) => (DIGITS.test(id) ? id.replace(/^0+(?=.)/, '') : id);
