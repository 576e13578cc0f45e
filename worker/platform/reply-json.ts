/** What every reply of the platform is read with, tolerant of the spellings in `docs/spec/observed.md`. */

import * as z from 'zod';

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A number or a text, as text: ids are numbers in bodies though tables call them strings. */
export const Text = z.union([z.string(), z.number()]).transform(String);

/** `Text`, or nothing: absent, null and the text "null" are the same. */
export const OptionalText = Scalar.nullish().transform((value) =>
  value === undefined || value === null || value === 'null' ? null : String(value),
);

/** The object in a JSON text; null where there is none. */
export function parseObject(text: string): Record<string, unknown> | null {
  try {
    const value = parsePreservingNumbers(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** JSON whose numbers are kept as text where reading would change their spelling: ids outgrow 2^53, amounts say `140.00`. */
function parsePreservingNumbers(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: {source: string}) =>
    typeof value === 'number' && context && String(value) !== context.source ? context.source : value,
  );
}
