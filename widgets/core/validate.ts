/**
 * Whether an answer is what the contract promises. Only what the elements show is looked at, so that a Worker
 * that says more than today does not break the pages of yesterday.
 */

import type {PageErrorCode} from '../../worker/contract/codes.ts';
import type {Localized} from '../../worker/contract/fields.ts';

export type Check = (value: unknown) => boolean;
export type Guard<T> = (value: unknown) => value is T;

export const isText: Check = (value) => typeof value === 'string';
export const isBoolean: Check = (value) => typeof value === 'boolean';
export const isTime: Check = (value) => !Number.isNaN(Date.parse(String(value)));
export const isAmount: Check = (value) => typeof value === 'string' && /^\d+\.\d\d$/.test(value);

export function shape<T>(fields: {readonly [K in keyof T]?: Check}): Guard<T> {
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(fields as Record<string, Check>).every(([name, check]) =>
      check((value as Record<string, unknown>)[name]),
    );
}

export function isListOf(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

export const isLocalized = shape<Localized>({tr: isText, en: isText});

/** What the elements read of a problem's body. */
export interface ProblemBody {
  readonly code: PageErrorCode;
  readonly retryable: boolean;
}

export const isProblem = shape<ProblemBody>({code: isText, retryable: isBoolean});
