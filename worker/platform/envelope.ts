/**
 * Reads the two kinds of envelope in which the platform's interfaces wrap their replies. Every reply is read here, and
 * every isolate loads this file when it starts, so the few fields are checked without schemas.
 */

import type {EchoedSubscription} from './failure.ts';
import {isObject, parseObject} from './reply-json.ts';

/** The part that the replies of all operations have in common. */
export interface ReplyEnvelope {
  readonly success: boolean;
  /** The platform's own status, as text. */
  readonly status: string;
  readonly message: string;
  /** Present only for an interface that reports errors with HTTP statuses. */
  readonly httpStatus?: number;
  /** The subscription that mobile billing echoes when it refuses a request. */
  readonly subscription?: (EchoedSubscription & {readonly service: string | null}) | undefined;
  /** The whole reply, parsed. */
  readonly body: object;
}

/** A number or text as text; undefined if the value is neither. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}

/** Any scalar as text; null if it is absent, null, the text "null", an object or a list. */
function toOptionalText(value: unknown): string | null {
  return value === undefined || typeof value === 'object' || value === 'null' ? null : String(value);
}

/**
 * Reads `{status, message}` in replies of `/phs`, and `{status, description}` in replies of the landing interface. The
 * HTTP status is ignored, because it does not show whether the call succeeded. Returns null when the reply cannot be
 * read.
 */
export function readStatusEnvelope(text: string): ReplyEnvelope | null {
  const body = parseObject(text);
  const status = toText(body?.['status']);
  const message = toOptionalText(body?.['message']) ?? toOptionalText(body?.['description']) ?? '';
  if (!body || status === undefined) return null;
  return {success: status === '000', status, message, body};
}

const RESPONSE_FIELDS = ['result', 'resultCode', 'resultDescription', 'resultDetail'] as const;

/**
 * Reads the envelope of mobile billing and of the payment page: a `response` object, with the data beside it
 * (`docs/spec/subscriptions.md`, section 2.1). A reply without `response`, or with a `response` that contradicts
 * itself, is a refusal if its HTTP status is 4xx. With any other HTTP status, such as 204, the function returns null,
 * because the spec does not say what such a reply means.
 */
export function readResponseEnvelope(text: string, httpStatus: number): ReplyEnvelope | null {
  const body = parseObject(text);
  const response = body?.['response'];
  if (body && isObject(response)) {
    const [result, resultCode, resultDescription, resultDetail] = RESPONSE_FIELDS.map((name) =>
      toOptionalText(response[name]),
    );
    const success = result === 'SUCCESS' || resultCode === '0000';
    const failure = result === 'FAILED' || resultCode?.startsWith('API_ERR_') === true;
    const message = [resultDescription, resultDetail].filter(Boolean).join(': ');
    const status = resultCode ?? result ?? `HTTP_${httpStatus}`;
    const subscription = success ? null : readSubscription(body['subscription']);
    if (!(success && failure)) return {success, status, message, httpStatus, ...(subscription && {subscription}), body};
  }
  return httpStatus >= 400 && httpStatus < 500
    ? {success: false, status: `HTTP_${httpStatus}`, message: '', httpStatus, body: {}}
    : null;
}

function readSubscription(value: unknown): ReplyEnvelope['subscription'] | null {
  if (!isObject(value)) return null;
  const [id, status] = [toText(value['id']), toOptionalText(value['status'])];
  return id === undefined ? null : {id, status, service: toOptionalText(value['service'])};
}
