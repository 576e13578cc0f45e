/** Stores an order. */

import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';
import {EMPTY_ORDER, type OrderState} from './order-state.ts';
import {isSame} from './payment.ts';

/** An order is one key, so that each change is one row. An empty order has no key. */
export const ORDER: StoreSchema = {name: 'order', createdOn: 'first key', steps: [NO_TABLES]};

const KEY = 'order';

export class OrderStore {
  constructor(private readonly storage: ObjectStorage) {}

  read(): OrderState {
    return this.storage.kv.get<OrderState>(KEY) ?? EMPTY_ORDER;
  }

  /** Writes the order. @returns whether it changed. */
  write(before: OrderState, after: OrderState): boolean {
    if (isSame(before, after)) return false;
    this.storage.versions.create(ORDER);
    if (isSame(after, EMPTY_ORDER)) this.storage.kv.delete(KEY);
    else this.storage.kv.put(KEY, after);
    return true;
  }
}
