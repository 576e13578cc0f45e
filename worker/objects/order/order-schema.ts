/** The schema of an order's stores. Pending events are a separate store (`events/pending-events.ts`). */

import type {StoreSchema} from '../migrations.ts';

/** The order's transfers in a table, and everything else in keys. */
export const ORDER: StoreSchema = {
  name: 'order',
  createdOn: 'first write',
  steps: [
    'CREATE TABLE IF NOT EXISTS arrivals (id TEXT PRIMARY KEY, amount INTEGER, currency TEXT NOT NULL, bank TEXT NOT NULL, at INTEGER NOT NULL, state TEXT NOT NULL)',
    // The ids of an order's money, if all of it was sent back, move from their own key into `earlierMoney`.
    ({kv}) => {
      const returned = kv.get<string[]>('returned') ?? [];
      if (returned.length > 0) kv.put('earlierMoney', {ids: [], restored: 0, returned});
      kv.delete('returned');
    },
  ],
};

/** The order's charges. Most orders have no charges, so this store is created with the first charge. */
export const ORDER_CHARGES: StoreSchema = {
  name: 'order_charges',
  createdOn: 'first write',
  steps: [
    'CREATE TABLE IF NOT EXISTS charges (id TEXT PRIMARY KEY, amount INTEGER, at INTEGER NOT NULL, state TEXT NOT NULL)',
  ],
};

/** The refunds that sent money of the order back. Most orders have no refunds; the first refund creates this store. */
export const ORDER_REFUNDS: StoreSchema = {
  name: 'order_refunds',
  createdOn: 'first write',
  steps: ['CREATE TABLE IF NOT EXISTS refunds (id TEXT PRIMARY KEY, amount INTEGER NOT NULL, transaction_id TEXT)'],
};

/** Rows of the tables, as the last step leaves them. */
export type ArrivalRow = {id: string; amount: number | null; currency: string; bank: string; at: number; state: string};
export type ChargeRow = {id: string; amount: number | null; at: number; state: string};
export type RefundedRow = {amount: number; transaction_id: string | null};
