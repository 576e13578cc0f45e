import {log} from '../../lib/log.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {Rows} from '../../platform/rows.ts';

/** What can be told of a list of the platform's; that there was more is for the log. */
export function readableRows<T>(operation: OperationName, {rows, unreadable}: Rows<T>): readonly T[] {
  if (unreadable > 0) log('error', 'rows_unreadable', {operation, rows: unreadable});
  return rows;
}
