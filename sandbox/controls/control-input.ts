import * as z from 'zod';
import type {Context} from '../context.ts';

/** A lever of the sandbox that the platform does not have. */
export interface Control {
  readonly method: 'GET' | 'POST';
  /** Parts in braces stand for any text: `/_sandbox/notices/{code}/approve`. */
  readonly path: string;
  /** What it does, for the front page. */
  readonly summary: string;
  /** Returns what is answered as JSON, or a promise of it. @throws {ControlError} */
  readonly handle: (input: ControlInput, context: Context) => unknown;
}

export interface ControlInput {
  /** Of a POST: the parsed JSON, `{}` where there was none. */
  readonly body: unknown;
  readonly query: URLSearchParams;
  /** What stands in the address for a part in braces. */
  readonly part: (name: string) => string;
}

/** The caller asked for something impossible; the message is a sentence for them. */
export class ControlError extends Error {}

/** What the schema makes of a control's body or query. @throws {ControlError} naming the first field that is wrong. */
export function readInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.');
  throw new ControlError(`${field ? `${field}: ` : ''}${issue?.message ?? 'cannot be read'}.`);
}

const DEFAULT_LIMIT = 50;

/** How many a list shows. */
export const ListLimit = z.coerce
  .number('is a number')
  .int('is a whole number')
  .min(1, 'is at least 1')
  .max(10_000, 'is at most 10000')
  .default(DEFAULT_LIMIT);
