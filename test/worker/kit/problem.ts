import {expect} from 'vitest';
import type {Answer} from './page.ts';

interface Expected {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly retryable?: boolean;
  readonly fields?: readonly {readonly path: string; readonly message: string}[];
}

/** The problems of the API as its readers know them, written from the contract's words and not from its code. */
export const PROBLEMS = {
  invalid_request: {status: 422, code: 'invalid_request', title: 'The request has fields that are missing or wrong.'},
  unauthorized: {status: 401, code: 'unauthorized', title: 'A valid session or key is required.'},
  session_expired: {status: 401, code: 'session_expired', title: 'The session no longer allows this; make a new one.'},
  session_kind: {status: 403, code: 'session_kind', title: 'A session of this kind may not do this.'},
  origin_not_allowed: {status: 403, code: 'origin_not_allowed', title: 'This origin may not do this.'},
  not_found: {status: 404, code: 'not_found', title: 'There is nothing at this address.'},
  method_not_allowed: {status: 405, code: 'method_not_allowed', title: 'This address does not take this method.'},
  too_large: {status: 413, code: 'too_large', title: 'The body is too large.'},
  rate_limited: {status: 429, code: 'rate_limited', title: 'Too many requests; wait before trying again.', retryable: true},
  unknown_offer: {status: 404, code: 'unknown_offer', title: 'There is no such offer.'},
  temporarily_unavailable: {status: 503, code: 'temporarily_unavailable', title: 'The payment platform does not answer right now.', retryable: true},
  platform_refused: {status: 502, code: 'platform_refused', title: 'The payment platform refused the request.'},
  misconfigured: {status: 503, code: 'misconfigured', title: 'This Worker is not set up right; its /health names what is missing or wrong.'},
  internal: {status: 500, code: 'internal', title: 'Something went wrong on our side.', retryable: true},
} as const satisfies Record<string, Expected>;

/** The whole body of a problem, and its id on the outside too. */
export function expectProblem(answer: Answer, expected: Expected): void {
  const {retryable = false, ...rest} = expected;
  expect(answer.body).toEqual({type: 'about:blank', request_id: answer.headers.get('x-request-id'), retryable, ...rest});
  expect(answer.status).toBe(expected.status);
  expect(answer.headers.get('cache-control')).toBe('no-store');
}
