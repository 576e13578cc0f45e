import type {Operation} from '../operation.ts';
import type {OperationName, Operations} from './index.ts';

let table: Operations | undefined;

/**
 * Returns the row of an operation. The table contains most of the Worker's schemas, so an isolate starts faster if it
 * loads the table only at its first call to the platform.
 */
export async function loadOperation(name: OperationName): Promise<Operation> {
  // The cache has the table and not the promise, because a request must not wait for a promise of a different request.
  table ??= (await import('./index.ts')).operations;
  return table[name];
}
