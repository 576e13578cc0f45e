/** Stores which money of an order was sent back, and which money belongs to an earlier payment. */

import {CachedRead} from '../cached-read.ts';
import type {StoreVersions} from '../migrations.ts';
import {ORDER_REFUNDS, type RefundedRow} from './order-schema.ts';
import {type EarlierMoney, NO_EARLIER_MONEY, type SentRefund} from './payment-amounts.ts';

/** The state of a refund at the platform, as far as it concerns the order's money. */
export interface OrderRefund extends SentRefund {
  readonly id: string;
  /** Whether the money was sent back. False for a refund that failed after the platform had accepted it. */
  readonly isSent: boolean;
}

export class OrderRefunds {
  readonly #sent = new CachedRead(() => this.#readSent());
  readonly #earlier = new CachedRead(() => this.storage.kv.get<EarlierMoney>('earlierMoney') ?? NO_EARLIER_MONEY);

  constructor(
    private readonly storage: DurableObjectStorage,
    private readonly versions: StoreVersions,
  ) {}

  sent(): readonly SentRefund[] {
    return this.#sent.get();
  }

  #readSent(): SentRefund[] {
    if (!this.versions.has(ORDER_REFUNDS)) return [];
    return this.storage.sql
      .exec<RefundedRow>('SELECT amount, transaction_id FROM refunds')
      .toArray()
      .map(({amount, transaction_id}) => ({amount, transactionId: transaction_id}));
  }

  /** Stores a refund whose money was sent back, and deletes a refund that failed. @returns whether anything changed. */
  save({id, amount, transactionId, isSent}: OrderRefund): boolean {
    const {sql} = this.storage;
    if (!isSent) {
      if (!this.versions.has(ORDER_REFUNDS)) return false;
      return this.#sent.write(() => sql.exec('DELETE FROM refunds WHERE id = ?', id).rowsWritten > 0);
    }
    this.versions.create(ORDER_REFUNDS);
    const query = `INSERT INTO refunds VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE
      SET amount = excluded.amount, transaction_id = excluded.transaction_id
      WHERE (amount, transaction_id) IS NOT (excluded.amount, excluded.transaction_id) RETURNING 1`;
    return this.#sent.write(() => sql.exec(query, id, amount, transactionId).toArray().length > 0);
  }

  /** The money of earlier payments, which was sent back. */
  earlier(): EarlierMoney {
    return this.#earlier.get();
  }

  /** To be called after everything that is stored was deleted. */
  forget(): void {
    this.#sent.forget();
    this.#earlier.forget();
  }

  /** Stores which money belongs to an earlier payment. To be called after each change of the order's money. */
  recordEarlier(earlier: EarlierMoney): void {
    if (JSON.stringify(earlier) === JSON.stringify(this.earlier())) return;
    this.#earlier.write(() => this.storage.kv.put('earlierMoney', earlier));
  }
}
