/** The type of a row of the merchant API. Its router, description and client are made from the rows. */

import type * as z from 'zod';
import type {OperationName} from '../../platform/operations/index.ts';

export interface Endpoint<I extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** `{name}` is a field of the input. The other fields are in the query of a GET, otherwise in the JSON body. */
  readonly path: `/merchant/v1/${string}`;
  /** The platform's operation behind the endpoint; null when the Worker answers by itself. */
  readonly operation: OperationName | null;
  /** Whether it changes something. A write needs an `Idempotency-Key`. */
  readonly write: boolean;
  /** It moves money or ends something. A repeated request with the same key returns the outcome. */
  readonly command?: true;
  /** It may answer `202` with a `QueuedCommand`, which is sent on another day. */
  readonly queues?: true;
  /** How to read the field `service`: `code` is a service code, `billing` allows the mobile billing id too. */
  readonly service?: 'code' | 'billing';
  readonly status: 200 | 201;
  readonly input: I;
}

/** Returns the row; infers the exact type of its input. */
export function endpoint<I extends z.ZodType>(row: Endpoint<I>): Endpoint<I> {
  return row;
}
