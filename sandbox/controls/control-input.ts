/** The type of a control, and the parsing of its input. */

import * as z from 'zod';
import type {Context} from '../context.ts';

/** An operation of the sandbox that the platform does not have. It changes or shows the sandbox's state. */
export interface Control {
  readonly method: 'GET' | 'POST';
  /** A part in braces matches any text: `/_sandbox/notices/{code}/approve`. */
  readonly path: string;
  readonly summary: string;
  /** The body that a form shows first. */
  readonly example?: object;
  /** Returns the JSON answer, or a promise of it. @throws {ControlError} */
  readonly handle: (input: ControlInput, context: Context) => unknown;
}

export interface ControlInput {
  /** The parsed JSON of a POST; `{}` for an empty body. */
  readonly body: unknown;
  readonly query: URLSearchParams;
  /** Returns the text of the request's path that matched the part `{name}` of the pattern. */
  readonly part: (name: string) => string;
}

/** Thrown if the input of a control is wrong. The caller receives the message. */
export class ControlError extends Error {}

/** Parses the body or query of a control. @throws {ControlError} The message names the first field that is wrong. */
export function readInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.');
  throw new ControlError(`${field ? `${field}: ` : ''}${issue?.message ?? 'cannot be read'}.`);
}

const DEFAULT_LIMIT = 50;

/** The parameter `limit`: the maximum length of a list. */
export const ListLimit = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(1, 'must be at least 1')
  .max(50_000, 'must be at most 50000')
  .default(DEFAULT_LIMIT);
