import * as z from 'zod';

const DEFAULT_LIMIT = 50;

/** How many a list shows. */
export const Limit = z.coerce
  .number('is a number')
  .int('is a whole number')
  .min(1, 'is at least 1')
  .max(10_000, 'is at most 10000')
  .default(DEFAULT_LIMIT);
