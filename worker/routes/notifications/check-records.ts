/** The records of a signed notification whose key is true. Whoever sends wrong ones is slowed down, and nobody else. */

import type {Context} from '../../context.ts';
import {ApiError} from '../../http/errors.ts';
import {limitFlood} from '../limit-flood.ts';
import type {HookRecord} from './records.ts';

/** So many wrong records of a call are charged as one: a day's results with true keys behind another service's are reached. */
const WRONG_A_CHARGE = 100;

export interface Checked<T> {
  readonly genuine: T[];
  readonly wrong: number;
  /** The address sent too many wrong ones: what stands after them was not looked at. */
  readonly limited: ApiError | null;
}

/** @param check what a record claims; null where its key is nobody's. It costs a digest a service and spelling. */
export async function checkRecords<T>(
  records: readonly HookRecord[],
  check: (record: HookRecord) => Promise<T | null>,
  request: Request,
  context: Context,
): Promise<Checked<T>> {
  const genuine: T[] = [];
  let wrong = 0;
  let limited: ApiError | null = null;
  for (const record of records) {
    const claimed = await check(record);
    if (claimed !== null) {
      genuine.push(claimed);
      continue;
    }
    if (wrong % WRONG_A_CHARGE === 0) limited = await chargeFlood(request, context);
    wrong += 1;
    if (limited) break;
  }
  return {genuine, wrong, limited};
}

async function chargeFlood(request: Request, context: Context): Promise<ApiError | null> {
  try {
    await limitFlood('hooks', request, context);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
