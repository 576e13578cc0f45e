/** The block `response` of mobile billing and of payment page tokens (subscriptions 2.1). */

import type {Context} from '../context.ts';
import {toIsoLocal} from '../formats.ts';
import {describeCode, Failure, findCode} from './errors.ts';

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
export function answerFailure({code, more}: Failure, context: Context, timeName: TimeName = 'responseTime'): Response {
  const {httpStatus, description} = describeCode(code);
  const text = more.parameter === undefined ? description : `${description}, ${more.parameter}`;
  return fail({code, httpStatus, description: text, detail: more.detail ?? null, echo: more.echo}, context, timeName);
}

/** What a fault says: a code, or an HTTP status; ones that nobody knows are answered as they are. */
export function refuse(status: string, context: Context, timeName: TimeName = 'responseTime'): Response {
  const code = findCode(status);
  if (code) return answerFailure(new Failure(code), context, timeName);
  const httpStatus = /^[45]\d\d$/.test(status) ? Number(status) : 400;
  return fail({code: status, httpStatus, description: 'Unknown', detail: null, echo: {}}, context, timeName);
}

interface Failed {
  readonly code: string;
  readonly httpStatus: number;
  readonly description: string;
  readonly detail: string | null;
  readonly echo: Readonly<Record<string, unknown>> | undefined;
}

function fail({code, httpStatus, description, detail, echo}: Failed, {clock}: Context, timeName: TimeName): Response {
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
export interface Target {
  readonly serviceId: number;
  /** The last part of the path: digits, an id or a number. */
  readonly id: string;
}
