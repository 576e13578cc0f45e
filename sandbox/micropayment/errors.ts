/**
 * Failures of mobile billing. The spec shows API_ERR_2005 and API_ERR_1023 and says that there are more (subscriptions
 * 7.1); the other codes are made up, their HTTP statuses are ones that were observed.
 */
const ERRORS = {
  API_ERR_1001: [400, 'Invalid parameter'],
  API_ERR_1003: [403, 'IP address not allowed'],
  API_ERR_1004: [403, 'Operation is not available to merchants'],
  API_ERR_1005: [404, 'Operation not found'],
  API_ERR_1023: [400, 'Invalid parameter, key'],
  API_ERR_1029: [429, 'Usage limit exceeded'],
  API_ERR_2001: [404, 'Subscription not found'],
  API_ERR_2005: [409, 'Subscription is already cancelled'],
  API_ERR_2006: [409, 'Subscription status is not available for cancellation'],
  API_ERR_2007: [400, 'Number is not a test number'],
  API_ERR_3001: [404, 'Transaction not found'],
  API_ERR_3005: [409, 'Transaction is already refunded'],
  API_ERR_3006: [409, 'Transaction status is not available for refund'],
  API_ERR_9000: [500, 'Internal system error'],
} as const satisfies Record<string, readonly [number, string]>;

export type ErrorCode = keyof typeof ERRORS;

/** Ends an operation with a failure. */
export class Failure extends Error {
  constructor(
    readonly code: ErrorCode,
    readonly more: {
      /** Follows the description after a comma: the parameter that is wrong. */
      readonly parameter?: string;
      readonly detail?: string;
      /** What is echoed beside `response` (subscriptions 7.1). */
      readonly echo?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(ERRORS[code][1]);
  }
}

/** What a code says, and with which HTTP status. */
export function describeCode(code: ErrorCode): {httpStatus: number; description: string} {
  const [httpStatus, description] = ERRORS[code];
  return {httpStatus, description};
}

/** The code that stands for `API_ERR_2005`, or for an HTTP status such as `429`; undefined where nobody knows it. */
export function findCode(status: string): ErrorCode | undefined {
  if (Object.hasOwn(ERRORS, status)) return status as ErrorCode;
  const [found] = Object.entries(ERRORS).find(([, [httpStatus]]) => String(httpStatus) === status) ?? [];
  return found as ErrorCode | undefined;
}
