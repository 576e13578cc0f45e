import type {Operation} from '../operation.ts';
import type {OperationName, Operations} from './index.ts';

let table: Operations | undefined;

/**
 * The row of an operation. The table holds most of the Worker's schemas, so an isolate loads it at its first call to
 * the platform and starts faster.
 */
export async function loadOperation(name: OperationName): Promise<Operation> {
  // Caches the table, not its promise: one request must not wait for a promise that belongs to another request.
  table ??= (await import('./index.ts')).operations;
  return table[name];
}
