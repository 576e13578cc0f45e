/** The type of a row with its description. The API's description, its client and its tests need this type. */

import type * as z from 'zod';
import type {ErrorCode} from '../../codes.ts';
import type {Endpoint} from '../endpoint.ts';

interface Description<I extends z.ZodType, A extends z.ZodType> {
  /** One sentence. */
  readonly summary: string;
  readonly description?: string;
  readonly answer: A;
  /** The endpoint's error codes, without the codes that every endpoint can return. */
  readonly codes: readonly ErrorCode[];
  readonly example: {readonly input: z.input<I>; readonly answer: z.output<A>};
}

export interface DescribedEndpoint<I extends z.ZodType = z.ZodType, A extends z.ZodType = z.ZodType>
  extends Endpoint<I>, Description<I, A> {
  readonly group: string;
}

type Rows = Readonly<Record<string, Endpoint>>;
/** The schema of a row's input. */
type InputOf<R extends Rows, N> = N extends keyof R ? R[N]['input'] : never;

/**
 * Adds to each row its description. TypeScript infers the exact types of the answers, and checks the examples against
 * the schemas.
 */
export function describeEndpoints<R extends Rows, A extends {[N in keyof R]: z.ZodType}>(
  group: string,
  rows: R,
  descriptions: {readonly [N in keyof A]: Description<InputOf<R, N>, A[N]>},
) {
  const described = Object.entries(rows).map(([name, row]) => [name, {...row, group, ...descriptions[name]}]);
  return Object.fromEntries(described) as {readonly [N in keyof R]: DescribedEndpoint<R[N]['input'], A[N]>};
}
