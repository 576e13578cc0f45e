/** What a notification claims of a refund, held against what is known. */

import {parseAmount} from '../../lib/money.ts';
import type {RefundNotice} from '../../platform/notifications.ts';
import type {RefundRecord} from '../../platform/operations/refunds.ts';
import type {RefundClaim} from './claim-store.ts';
import type {RefundRow} from './refund-store.ts';

/** Whether the platform's record is of this refund, as far as it says whose it is. */
export function isOurs(
  {id, merchant_id, service_code}: RefundRecord,
  refund: Pick<RefundRow, 'id' | 'service'>,
  merchant: string,
): boolean {
  return (
    id === refund.id &&
    (merchant_id === null || merchant_id === merchant) &&
    (service_code === null || service_code === refund.service)
  );
}

/** Whether the platform's record has the amount that is claimed, where it has one. */
export function isAmountOf({amount}: RefundRecord, claim: RefundClaim): boolean {
  return amount === null || parseAmount(amount) === claim.amount;
}

/** Whether a notification says what our record says. */
export function agrees({service, order, amount}: RefundNotice, known: RefundRow): boolean {
  return (
    service === known.service &&
    order === known.order &&
    amount !== null &&
    (known.amount === null || amount === known.amount)
  );
}

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/;

/** False where both are whole and differ: one that is masked or left out says nothing against the other. */
export function isSameIban(claimed: string, known: string | null): boolean {
  const [a = '', b = ''] = [claimed, known ?? ''].map((iban) => iban.replaceAll(/\s/g, '').toUpperCase());
  return !IBAN.test(a) || !IBAN.test(b) || a === b;
}
