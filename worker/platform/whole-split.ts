import type * as z from 'zod';

const SPLIT_FIELDS = ['payout', 'sub_merchant_id', 'fee'] as const;
type SplitFields = {readonly [field in (typeof SPLIT_FIELDS)[number]]?: string | undefined};

/**
 * Refuses a marketplace's split that is not whole, at the fields it lacks: the three are "required for marketplace"
 * (orders 2.2). For `schema.check(…)`.
 */
export function requireCompleteSplit({value, issues}: z.core.ParsePayload<SplitFields>): void {
  const missing = SPLIT_FIELDS.filter((field) => value[field] === undefined);
  if (missing.length === SPLIT_FIELDS.length) return;
  for (const field of missing)
    issues.push({
      code: 'custom',
      path: [field],
      input: undefined,
      message: 'A split needs payout, sub_merchant_id and fee.',
    });
}
