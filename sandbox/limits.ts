import * as z from 'zod';

/** How often an operation may be asked; null is as often as one likes. */
export interface Limit {
  readonly day: number | null;
  readonly second: number | null;
}

/** Limits by operation that stand in place of the interface's own; null lifts them all. */
export type Limits = Readonly<Record<string, Limit>> | null;

/** Subscriptions 8; messages search as observed. */
export const LIMITS: Readonly<Record<string, Limit>> = {
  'subscription/detail': {day: 1000, second: 5},
  'subscription/cancel': {day: 1000, second: 5},
  'subscriptions/search': {day: 1000, second: 1},
  'subscription/reset': {day: 20, second: 5},
  'transaction/detail': {day: 1000, second: 5},
  'transaction/refund': {day: 20, second: 5},
  'transactions/search': {day: 1000, second: 1},
  'messages/search': {day: 1000, second: 1},
};

const Count = z.int().min(0).nullable();
const Overrides = z.partialRecord(z.enum(Object.keys(LIMITS)), z.strictObject({day: Count, second: Count}));

/** Limits in place of the interface's own, `null` for none at all; undefined where the value is no such thing. */
export function readLimits(value: unknown): Limits | undefined {
  if (value === null) return null;
  const result = Overrides.safeParse(value);
  return result.success ? (result.data as Limits) : undefined;
}

/** What holds for an operation: the first that names it (a control, then a setting), else the interface's own. */
export function limitOf(operation: string, ...overrides: readonly (Limits | undefined)[]): Limit {
  for (const override of overrides) {
    if (override === null) return {day: null, second: null};
    const limit = override?.[operation];
    if (limit) return limit;
  }
  return LIMITS[operation] ?? {day: null, second: null};
}

/** The lever that a control sets in place of the limits. */
export const LIMITS_LEVER = 'limits';
