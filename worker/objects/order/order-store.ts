/** Stores an order. Events that wait are a separate store (`events/event-queue.ts`). */

import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';
import {EMPTY_ORDER, type OrderState} from './order-state.ts';
import {isSame} from './payment.ts';

/** Each part of an `OrderState` is one key. A part that is empty has no key. */
export const ORDER: StoreSchema = {name: 'order', createdOn: 'first key', steps: [NO_TABLES]};

const PARTS = Object.keys(EMPTY_ORDER) as readonly (keyof OrderState)[];

export class OrderStore {
  constructor(private readonly storage: ObjectStorage) {}

  read(): OrderState {
    const stored = PARTS.map((part) => [part, this.storage.kv.get(part) ?? EMPTY_ORDER[part]] as const);
    return Object.fromEntries(stored) as unknown as OrderState;
  }

  /** Writes the parts that changed. @returns whether any part changed. */
  write(before: OrderState, after: OrderState): boolean {
    const changed = PARTS.filter((part) => !isSame(before[part], after[part]));
    if (changed.length > 0) this.storage.versions.create(ORDER);
    for (const part of changed)
      if (isSame(after[part], EMPTY_ORDER[part])) this.storage.kv.delete(part);
      else this.storage.kv.put(part, after[part]);
    return changed.length > 0;
  }
}
