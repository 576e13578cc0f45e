import type {Operation} from '../operation.ts';
import type {OperationName, Operations} from './index.ts';

let table: Operations | undefined;

/** The table contains most of the Worker's schemas, so an isolate starts faster if it loads the table only when needed. */
export async function loadOperations(): Promise<Operations> {
  // The cache has the table and not the promise, because a request must not wait for a promise of a different request.
  table ??= (await import('./index.ts')).operations;
  return table;
}

/** The row of an operation. */
export async function loadOperation(name: OperationName): Promise<Operation> {
  return (await loadOperations())[name];
}

/** The row of an operation for the merchant API, which loads the table before it answers. */
export function loadedOperation(name: OperationName): Operation {
  if (!table) throw new Error('The operations are not loaded.');
  return table[name];
}
