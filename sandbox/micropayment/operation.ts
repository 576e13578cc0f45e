import type {Context} from '../context.ts';
import type {Answer} from '../visit.ts';

/** What an operation with ids in its path works on. */
export interface Target {
  readonly serviceId: number;
  /** The last part of the path: digits, an id or a number. */
  readonly id: string;
}

/** GET `/{group}/{verb}/{merchantId}/{serviceId}/{id}`. @throws {Failure} */
export type HandleOne = (target: Target, context: Context) => Answer;

/** POST `/{collection}/search` with a JSON body. @throws {Failure} */
export type HandleSearch = (body: unknown, context: Context) => Answer;
