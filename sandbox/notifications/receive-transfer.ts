import type {Context} from '../context.ts';
import type {Transfer} from '../records/transactions.ts';
import {tellPayment} from './payment.ts';

/** Money arrives: kept, and told to a merchant who wants to hear of it. Returns the transaction's id. */
export function receiveTransfer(transfer: Transfer, context: Context): number {
  const id = context.transactions.record(transfer);
  tellPayment(id, context);
  return id;
}
