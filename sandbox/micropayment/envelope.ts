/** The block `response` in the answers of mobile billing and of /pay/token (subscriptions.md 2.1). */

import type {Context} from '../context.ts';
import {toIsoLocal} from '../formats.ts';

/**
 * The name of the field that says when the platform answered. Deployed platforms spell this name in three ways.
 * /pay/token uses the third spelling (subscriptions.md 2.1).
 */
export type TimeName = 'responseTime' | 'responsetime' | 'respnseTime';

/** Builds a successful answer. `timeElapsed` may be absent (subscriptions.md 2.1); /pay/token leaves it out. */
export function succeed(
  body: Readonly<Record<string, unknown>>,
  {clock, readings}: Context,
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
  return Response.json({response, ...readings.write(body)});
}

/** Builds a failed answer from the refusal that an operation threw. */
export function answerRefusal(
  {code, details}: MicropaymentRefusal,
  context: Context,
  timeName: TimeName = 'responseTime',
): Response {
  const {httpStatus = describeCode(code).httpStatus} = details;
  const {description} = describeCode(code);
  const text = details.parameter === undefined ? description : `${description}, ${details.parameter}`;
  const shownCode = code === 'API_ERR_1001' ? context.readings.get('invalid_parameter') : code;
  return fail(
    {code: shownCode, httpStatus, description: text, detail: details.detail ?? null, echo: details.echo},
    context,
    timeName,
  );
}

/**
 * Builds the answer for a planned fault. `status` is an error code, or the HTTP status of an error code. Any other text
 * is sent as the code.
 */
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

/** The record that a path names by its ids. */
export interface RecordTarget {
  readonly serviceId: number;
  /** The last part of the path, all digits: an id or a mobile number. */
  readonly id: string;
}

/**
 * Error codes of mobile billing. The spec shows API_ERR_2005 and API_ERR_1023 and says that there are more
 * (subscriptions.md 7.1). The other codes are invented; their HTTP statuses are from observed.md.
 */
const ERRORS = {
  API_ERR_1001: [400, 'Invalid parameter'],
  API_ERR_1002: [401, 'Credentials are missing'],
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

/** Thrown to end an operation with a failure. */
export class MicropaymentRefusal extends Error {
  constructor(
    readonly code: MicropaymentErrorCode,
    readonly details: {
      /** The name of the wrong parameter. In the answer it follows the description, after a comma. */
      readonly parameter?: string;
      readonly detail?: string;
      /** In place of the code's HTTP status. */
      readonly httpStatus?: number;
      /** Fields that the answer repeats next to `response` (subscriptions.md 7.1). */
      readonly echo?: Readonly<Record<string, unknown>>;
    } = {},
  ) {
    super(ERRORS[code][1]);
  }
}

/** Returns the description and HTTP status of a code. */
export function describeCode(code: MicropaymentErrorCode): {httpStatus: number; description: string} {
  const [httpStatus, description] = ERRORS[code];
  return {httpStatus, description};
}

/** Finds a code by its name such as `API_ERR_2005`, or by its HTTP status such as `429`; undefined if unknown. */
export function findCode(status: string): MicropaymentErrorCode | undefined {
  if (Object.hasOwn(ERRORS, status)) return status as MicropaymentErrorCode;
  const [found] = Object.entries(ERRORS).find(([, [httpStatus]]) => String(httpStatus) === status) ?? [];
  return found as MicropaymentErrorCode | undefined;
}
