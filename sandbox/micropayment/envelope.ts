/** The block `response` of mobile billing and of payment page tokens (subscriptions 2.1). */

import type {Context} from '../context.ts';
import {toIsoLocal} from '../formats.ts';

/** One spelling each was observed; token creation has the third (subscriptions 2.1). */
export type TimeName = 'responseTime' | 'responsetime' | 'respnseTime';

/** A successful answer. `timeElapsed` may be absent (subscriptions 2.1) and is so in token creation. */
export function succeed(
  body: Readonly<Record<string, unknown>>,
  {clock}: Context,
  timeName: TimeName = 'responseTime',
): Response {
  const response = {
    result: 'SUCCESS',
    resultCode: '0000',
    resultDescription: 'Success',
    resultDetail: null,
    ...(timeName === 'respnseTime' ? {} : {timeElapsed: '1ms'}),
    [timeName]: toIsoLocal(clock.now()),
  };
  return Response.json({response, ...body});
}

/** A failed answer, made of what an operation threw. */
export function answerRefusal(
  {code, more}: MicropaymentRefusal,
  context: Context,
  timeName: TimeName = 'responseTime',
): Response {
  const {httpStatus, description} = describeCode(code);
  const text = more.parameter === undefined ? description : `${description}, ${more.parameter}`;
  return fail({code, httpStatus, description: text, detail: more.detail ?? null, echo: more.echo}, context, timeName);
}

/** What a fault says: a code, or an HTTP status; ones that nobody knows are answered as they are. */
export function answerStatus(status: string, context: Context, timeName: TimeName = 'responseTime'): Response {
  const code = findCode(status);
  if (code) return answerRefusal(new MicropaymentRefusal(code), context, timeName);
  const httpStatus = /^[45]\d\d$/.test(status) ? Number(status) : 400;
  return fail({code: status, httpStatus, description: 'Unknown', detail: null, echo: {}}, context, timeName);
}

interface FailedResponse {
  readonly code: string;
  readonly httpStatus: number;
  readonly description: string;
  readonly detail: string | null;
  readonly echo: Readonly<Record<string, unknown>> | undefined;
}

function fail(
  {code, httpStatus, description, detail, echo}: FailedResponse,
  {clock}: Context,
  timeName: TimeName,
): Response {
  const response = {
    result: 'FAILED',
    resultCode: code,
    resultDescription: description,
    resultDetail: detail,
    [timeName]: toIsoLocal(clock.now()),
  };
  return Response.json({response, ...echo}, {status: httpStatus});
}

/** What an operation with ids in its path works on. */
export interface RecordTarget {
  readonly serviceId: number;
  /** The last part of the path: digits, an id or a number. */
  readonly id: string;
}

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

export type MicropaymentErrorCode = keyof typeof ERRORS;

/** Ends an operation with a failure. */
export class MicropaymentRefusal extends Error {
  constructor(
    readonly code: MicropaymentErrorCode,
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
export function describeCode(code: MicropaymentErrorCode): {httpStatus: number; description: string} {
  const [httpStatus, description] = ERRORS[code];
  return {httpStatus, description};
}

/** The code that stands for `API_ERR_2005`, or for an HTTP status such as `429`; undefined where nobody knows it. */
export function findCode(status: string): MicropaymentErrorCode | undefined {
  if (Object.hasOwn(ERRORS, status)) return status as MicropaymentErrorCode;
  const [found] = Object.entries(ERRORS).find(([, [httpStatus]]) => String(httpStatus) === status) ?? [];
  return found as MicropaymentErrorCode | undefined;
}
