import type {Context} from '../context.ts';
import type {Answer} from '../visit.ts';
import type {Target} from './envelope.ts';

/** GET `/{group}/{verb}/{merchantId}/{serviceId}/{id}`. @throws {Failure} */
export type HandleOne = (target: Target, context: Context) => Answer;

/** POST `/{collection}/search` with a JSON body. @throws {Failure} */
export type HandleSearch = (body: unknown, context: Context) => Answer;
