/** Statuses of charges (observed, "Integer statuses", mobile billing) and what a failed one says about itself. */

export const CHARGE_STATUS = {
  waiting: 1,
  success: 3,
  operatorError: 4,
  expired: 5,
  refunded: 6,
  refundInProgress: 7,
} as const;

/** Every status there is. */
export const CHARGE_STATUSES: readonly number[] = [1, 3, 4, 5, 6, 7, 8, 9, -5, -8, -18];

/** `error` and `errorDetail` (subscriptions 2.3); the texts are made up. */
const ERRORS: ReadonlyMap<number, readonly [error: string, detail: string]> = new Map([
  [CHARGE_STATUS.operatorError, ['Operator charging error', '51|Insufficient balance']],
  [CHARGE_STATUS.expired, ['Expired', '54|Not confirmed in time']],
  [8, ['Cancelled', '8|Other pending payment']],
  [9, ['Cancelled', '9|Not confirmed']],
  [-5, ['Cancelled', '-5|Price mismatch']],
  [-8, ['Cancelled', '-8|Bad number']],
  [-18, ['Cancelled', '-18|Other pending payment']],
]);

/** True where the subscriber has paid, whatever became of the money afterwards. */
export function isPaid(status: number): boolean {
  return (
    status === CHARGE_STATUS.success || status === CHARGE_STATUS.refunded || status === CHARGE_STATUS.refundInProgress
  );
}

export function describeError(status: number): {error: string | null; errorDetail: string | null} {
  const [error = null, errorDetail = null] = ERRORS.get(status) ?? [];
  return {error, errorDetail};
}
