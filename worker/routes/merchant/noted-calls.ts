/** Lets an order remember which calls of the merchant's server failed. */

import {recordWithRetry} from '../../lib/async.ts';
import type {NewCall} from '../../objects/order/order-calls.ts';
import {PlatformError} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {WriteContext} from './handler.ts';

/** Calls the platform for an order. If the platform refuses the call, the order remembers it. */
export async function callFor<T>(
  {service, order}: {readonly service: string; readonly order: string},
  what: NewCall['what'],
  {objects, caller}: Pick<WriteContext, 'objects' | 'caller'>,
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PlatformError) {
      const refusal = {operation: error.operation as OperationName, failure: error.failure};
      await recordWithRetry('order', () => objects.order(service, order).noteCall({what, by: caller.id, refusal}));
    }
    throw error;
  }
}
