/** What every reply of the platform is read with, tolerant of the spellings in `docs/spec/observed.md`. */

import * as z from 'zod';

const Scalar = z.union([z.string(), z.number(), z.boolean()]);

/** A number or a text, as text: ids are numbers in bodies though tables call them strings. */
export const Text = z.union([z.string(), z.number()]).transform(String);

/** `Text`, or nothing: absent, null and the text "null" are the same. */
export const OptionalText = Scalar.nullish().transform((value) =>
  value === undefined || value === null || value === 'null' ? null : String(value),
);
