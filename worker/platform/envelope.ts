/** Reads the two kinds of envelope in which the platform's interfaces wrap their replies. */

import * as z from 'zod';
import {lazily} from '../lib/lazily.ts';
import type {EchoedSubscription} from './failure.ts';
import {OptionalText, parseObject, Text} from './reply-json.ts';

/** The part that the replies of all operations have in common. */
export interface ReplyEnvelope {
  readonly success: boolean;
  /** The platform's own status, as text. */
  readonly status: string;
  readonly message: string;
  /** Present only for an interface that reports errors with HTTP statuses. */
  readonly httpStatus?: number;
  /** The subscription that mobile billing echoes when it refuses a request. */
  readonly subscription?: EchoedSubscription | undefined;
  /** The whole reply, parsed. */
  readonly body: object;
}

const StatusReply = lazily(() => z.looseObject({status: Text, message: OptionalText, description: OptionalText}));

/**
 * Reads `{status, message}` in replies of `/phs`, and `{status, description}` in replies of the landing interface. The
 * HTTP status is ignored, because it does not show whether the call succeeded. Returns null when the reply cannot be
 * read.
 */
export function readStatusEnvelope(text: string): ReplyEnvelope | null {
  const body = parseObject(text);
  const flat = StatusReply().safeParse(body);
  if (!body || !flat.success) return null;
  const {status, message, description} = flat.data;
  return {success: status === '000', status, message: message ?? description ?? '', body};
}

const ResponseBlock = lazily(() =>
  z.object({
    result: OptionalText,
    resultCode: OptionalText,
    resultDescription: OptionalText,
    resultDetail: OptionalText,
  }),
);

const Echo = lazily(() => z.object({subscription: z.object({id: Text, status: OptionalText})}));

/**
 * Reads the envelope of mobile billing and of the payment page: a `response` object, with the data beside it
 * (`docs/spec/subscriptions.md`, section 2.1). A reply without `response`, or with a `response` that contradicts
 * itself, is a refusal if its HTTP status is 4xx. With any other HTTP status, such as 204, the function returns null,
 * because the spec does not say what such a reply means.
 */
export function readResponseEnvelope(text: string, httpStatus: number): ReplyEnvelope | null {
  const body = parseObject(text);
  const response = ResponseBlock().safeParse(body?.['response']);
  if (body && response.success) {
    const {result, resultCode, resultDescription, resultDetail} = response.data;
    const success = result === 'SUCCESS' || resultCode === '0000';
    const failure = result === 'FAILED' || resultCode?.startsWith('API_ERR_') === true;
    const message = [resultDescription, resultDetail].filter(Boolean).join(': ');
    const status = resultCode ?? result ?? `HTTP_${httpStatus}`;
    const subscription = success ? undefined : Echo().safeParse(body).data?.subscription;
    if (!(success && failure)) return {success, status, message, httpStatus, ...(subscription && {subscription}), body};
  }
  return httpStatus >= 400 && httpStatus < 500
    ? {success: false, status: `HTTP_${httpStatus}`, message: '', httpStatus, body: {}}
    : null;
}
