/** Lists of the platform's records: one that cannot be read must not hide the rest. */

import * as z from 'zod';
import {PlatformError} from './failure.ts';

export interface Rows<T> {
  readonly rows: T[];
  /** How many more there were that cannot be read: they count where the platform counts. */
  readonly unreadable: number;
}

export const rowsOf = <T extends z.ZodType>(row: T) =>
  z.array(z.unknown()).transform((items): Rows<z.output<T>> => {
    const rows = items.flatMap((item) => {
      const read = row.safeParse(item);
      return read.success ? [read.data] : [];
    });
    return {rows, unreadable: items.length - rows.length};
  });

/** How many records the platform gave. */
export function countRows({rows, unreadable}: Rows<unknown>): number {
  return rows.length + unreadable;
}

/** All of them, where the one that is missing may be the one that matters. @throws {PlatformError} where one cannot be read. */
export function requireAllRows<T>(operation: string, {rows, unreadable}: Rows<T>): readonly T[] {
  if (unreadable > 0) throw new PlatformError(operation, {outcome: 'unknown', fault: 'unreadable'});
  return rows;
}
