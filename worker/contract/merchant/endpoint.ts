/** The form of one row of the merchant API: what the router, the API's description and its client are made from. */

import type * as z from 'zod';
import type {OperationName} from '../../platform/operations/index.ts';
import type {ErrorCode} from '../codes.ts';

export interface Endpoint<I extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** `{name}` is a field of the input; the others stand in the query of a GET, else in the JSON body. */
  readonly path: `/merchant/v1/${string}`;
  readonly group: string;
  /** One sentence. */
  readonly summary: string;
  readonly description?: string;
  /** The platform's operation behind it; null where it is ours alone. */
  readonly operation: OperationName | null;
  /** Whether it changes something: then it carries an `Idempotency-Key`. */
  readonly write: boolean;
  /** Whether it moves money or ends something: asked again under its key, it tells what became of it. */
  readonly command?: true;
  /** Whether it may be answered with `202` and a `QueuedCommand`, to be carried out on another day. */
  readonly queues?: true;
  /** How its field `service` is read: a service code, or also an id in mobile billing. */
  readonly service?: 'code' | 'billing';
  readonly input: I;
  readonly answer: A;
  readonly status: 200 | 201;
  /** What it may refuse with beyond what every endpoint may. */
  readonly codes: readonly ErrorCode[];
  readonly example: {readonly input: z.input<I>; readonly answer: z.output<A>};
}

/** A row, its types kept. */
export function endpoint<I extends z.ZodType, A extends z.ZodType>(row: Endpoint<I, A>): Endpoint<I, A> {
  return row;
}
