import type * as z from 'zod';
import {BadControl} from './control-input.ts';

/** What the schema makes of a control's body or query. @throws {BadControl} naming the first field that is wrong. */
export function readInput<T>(schema: z.ZodType<T>, input: unknown): T {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.');
  throw new BadControl(`${field ? `${field}: ` : ''}${issue?.message ?? 'cannot be read'}.`);
}
