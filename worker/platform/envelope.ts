/** Reads the two kinds of envelope in which the platform's interfaces wrap their replies. */

import * as z from 'zod';
import {OptionalText, parseObject, Text} from './reply-json.ts';

/** The part of a reply that every operation has. */
export interface ReplyEnvelope {
  readonly success: boolean;
  /** The platform's own status, as text. */
  readonly status: string;
  readonly message: string;
  /** Present only for interfaces whose HTTP statuses mean something. */
  readonly httpStatus?: number;
  /** The reply as an object. */
  readonly body: object;
}

const StatusReply = z.looseObject({status: Text, message: Text.nullish(), description: Text.nullish()});

/**
 * Reads `{status, message}` of `/phs` and `{status, description}` of the landing interface. Their HTTP status is
 * ignored: it says nothing. Null when the reply cannot be read.
 */
export function readStatusEnvelope(text: string): ReplyEnvelope | null {
  const body = parseObject(text);
  const flat = StatusReply.safeParse(body);
  if (!body || !flat.success) return null;
  const {status, message, description} = flat.data;
  return {success: status === '000', status, message: message ?? description ?? '', body};
}

const ResponseBlock = z.object({
  result: OptionalText,
  resultCode: OptionalText,
  resultDescription: OptionalText,
  resultDetail: OptionalText,
});

/**
 * Reads the envelope of mobile billing and of the payment page (subscriptions 2.1): a `response` object, with the data
 * beside it. A reply without `response`, or with a `response` that contradicts itself, is a refusal when its HTTP
 * status is 4xx. Otherwise it cannot be read, and the result is null: the spec does not say what, for example, a 204
 * means.
 */
export function readResponseEnvelope(text: string, httpStatus: number): ReplyEnvelope | null {
  const body = parseObject(text);
  const response = ResponseBlock.safeParse(body?.['response']);
  if (body && response.success) {
    const {result, resultCode, resultDescription, resultDetail} = response.data;
    const success = result === 'SUCCESS' || resultCode === '0000';
    const failure = result === 'FAILED' || resultCode?.startsWith('API_ERR_') === true;
    const message = [resultDescription, resultDetail].filter(Boolean).join(': ');
    if (!(success && failure))
      return {success, status: resultCode ?? result ?? `HTTP_${httpStatus}`, message, httpStatus, body};
  }
  return httpStatus >= 400 && httpStatus < 500
    ? {success: false, status: `HTTP_${httpStatus}`, message: '', httpStatus, body: {}}
    : null;
}
