/**
 * Texts of input fields. They are in zod's registry, where the generators of the API's description and of the client find
 * them.
 */

import * as z from 'zod/mini';
import '../lib/described.ts';

export interface FieldText {
  /** The name of one option of a union. */
  readonly title?: string;
  readonly description?: string;
  readonly examples?: unknown[];
  /** The names of an enum's values, in clients. */
  readonly 'x-enum-varnames'?: string[];
  /** The format of text that the schema does not name. */
  readonly format?: 'date-time';
}

/**
 * Adds a description to each of the named schemas, such as the fields of an input. The registry has one text for each
 * schema, so two fields with the same schema cannot have different texts.
 */
export function describeFields<S extends object>(schemas: S, texts: {readonly [N in keyof S]?: FieldText}): void {
  for (const [name, text] of Object.entries<FieldText | undefined>(texts)) {
    const schema = schemas[name as keyof S] as z.ZodMiniType;
    if (z.globalRegistry.has(schema))
      throw new Error(`The schema of ${name} already has a description, because another field uses it too.`);
    z.globalRegistry.add(schema, {...text});
  }
}

/** Adds the description of a field `limit`. */
export function describeLimit(limit: z.ZodMiniOptional, max: number): void {
  z.globalRegistry.add(limit.def.innerType, {
    description: `Number of items per page, at most ${max}.`,
    examples: [50],
  });
}
