import {expect} from 'vitest';
import {ERROR_CODES, ERROR_KINDS, type ErrorCode} from '../../../worker/contract/codes.ts';
import type {Answer} from './page.ts';

interface Expected {
  readonly status: number;
  readonly code: string;
  readonly title: string;
  readonly retryable?: boolean;
  readonly attempts_left?: number;
  readonly seller?: object;
  readonly fields?: readonly {readonly path: string; readonly message: string}[];
}

/** The problems of the API. docs/errors.md, which a test compares with the contract, shows their statuses and titles. */
export const PROBLEMS = Object.fromEntries(ERROR_CODES.map((code) => [code, {code, ...ERROR_KINDS[code]}])) as {
  readonly [Code in ErrorCode]: Expected & {readonly code: Code};
};

/** Checks the whole body of a problem, and its status and headers. */
export function expectProblem(answer: Answer, expected: Expected): void {
  const {retryable = false, ...rest} = expected;
  expect(answer.body).toEqual({
    type: `/problems/${expected.code}`,
    request_id: answer.headers.get('x-request-id'),
    retryable,
    ...rest,
  });
  expect(answer.status).toBe(expected.status);
  expect(answer.headers.get('cache-control')).toBe('no-store');
}
