import type {Operation} from '../operation.ts';
import type {OperationName, Operations} from './index.ts';

let table: Operations | undefined;

/**
 * The row of an operation. The table holds most of the schemas there are: an isolate reads it when the platform is first
 * called, and starts the sooner.
 */
export async function loadOperation(name: OperationName): Promise<Operation> {
  // The table is remembered and not its promise: one request must not wait for another's.
  table ??= (await import('./index.ts')).operations;
  return table[name];
}
