/**
 * Recognizes the errors with which Cloudflare refuses calls, queries and alarms of Durable Objects because of the
 * account. They pass through calls of objects with their messages.
 */

/** `spending_limit`: the one that the operator set; `free_plan`: a daily limit of the plan. */
export type AccountLimit = 'spending_limit' | 'free_plan';

const MESSAGES: Readonly<Record<AccountLimit, RegExp>> = {
  spending_limit: /exceeded the account's spending cap/i,
  free_plan: /exceeded allowed .+ in Durable Objects free tier/i,
};

/** The limit that caused an error; null if it has another cause. */
export function accountLimitOf(error: unknown): AccountLimit | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    for (const limit of ['spending_limit', 'free_plan'] as const) if (MESSAGES[limit].test(cause.message)) return limit;
  return null;
}

/** What stops, and what the operator has to do. */
export const ACCOUNT_LIMITS: Readonly<Record<AccountLimit, {readonly message: string; readonly action: string}>> = {
  spending_limit: {
    message:
      'Your Cloudflare account has reached its spending limit for Durable Objects: no order can be created, and no ' +
      'arriving money is seen.',
    action: 'Raise the limit in Cloudflare’s dashboard, under Billing, Spend Management.',
  },
  free_plan: {
    message:
      'Your Cloudflare account has reached a daily limit of the free plan: until midnight UTC, no order can be ' +
      'created, and no arriving money is seen.',
    action: 'Change to the plan Workers Paid.',
  },
};
