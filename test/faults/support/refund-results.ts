/** The refund results that the platform sends to the Worker: their fields, true and forged. */

import {createHash} from 'node:crypto';

export const IBAN = 'TR330006100519786457841326';

export interface Refund {
  readonly id: string;
  readonly code: string;
  readonly order: string;
  readonly amount: string;
  /** The platform's status. 2: the refund has no result yet. 3: it is settled. 4: it has failed. */
  readonly status: number;
}

export type Fields = Record<string, string | number>;

export function eventOf({status}: Refund): string {
  return status === 3 ? 'refund.settled' : 'refund.failed';
}

/** The fields of a refund result as the platform sends them (`docs/spec/orders.md`, section 6). */
export function toFields({id, code, order, amount, status}: Refund): Fields {
  const written = Number(amount).toFixed(2);
  return {
    refund_id: Number(id),
    code,
    order,
    status,
    amount: Number(amount),
    refund_contact: 'Ayşe Yılmaz',
    refund_iban: IBAN,
    bank_code: 'garanti',
    bank_receipt_no: `D${id}`,
    key: keyOf(id, code, order, written),
  };
}

function keyOf(id: string, code: string, order: string, amount: string): string {
  return createHash('md5')
    .update(`DEMO123${id}${code}${order}${amount}garantisandbox-merchant-private-keysandbox-service-private-key`)
    .digest('hex');
}

/**
 * Forges a result: the key is wrong, or a value is changed but the key is not, or a character is moved from one value
 * to the next.
 */
export function forge(fields: Fields, index: number): Fields {
  const {
    refund_id: id,
    code,
    order,
  } = {refund_id: String(fields['refund_id']), code: String(fields['code']), order: String(fields['order'])};
  switch (index % 9) {
    case 0:
      return {...fields, key: createHash('md5').update(String(index)).digest('hex')};
    case 1:
      return {...fields, key: String(fields['key']).replace(/.$/, (last) => (last === '0' ? '1' : '0'))};
    case 2:
      return {...fields, amount: Number(fields['amount']) + 0.01};
    case 3:
      return {...fields, order: `${order}1`};
    // In the following cases the key is valid, because it does not cover the changed field, or because the joined
    // values stay the same.
    case 4:
      return {...fields, status: pick([3, 4, 6, 1, -1, 99])};
    case 5:
      return {...fields, refund_iban: 'TR000000000000000000000001'};
    case 6:
      return {...fields, refund_id: `${id}${code.slice(0, 1)}`, code: code.slice(1)};
    case 7:
      return {...fields, code: `${code}${order.slice(0, 1)}`, order: order.slice(1)};
    default:
      return {...fields, order: order.slice(0, -1), amount: `${order.slice(-1)}${Number(fields['amount']).toFixed(2)}`};
  }
}

export function pick<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)] as T;
}
