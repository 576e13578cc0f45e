// @ts-check
// The error answers in the API description: one per status. Operations with the same error answer share its definition.

import {ERROR_KINDS} from '../../worker/contract/codes.ts';
import {MerchantProblem} from '../../worker/contract/problem.ts';

/** @typedef {import('../../worker/contract/codes.ts').ErrorCode} ErrorCode */

/**
 * Codes that any operation may answer with.
 * @type {readonly ErrorCode[]}
 */
export const COMMON_CODES = ['internal', 'misconfigured'];
/** @type {readonly ErrorCode[]} */
export const KEY_CODES = ['unauthorized', 'rate_limited', 'temporarily_unavailable'];
/** @type {readonly ErrorCode[]} */
export const INPUT_CODES = ['invalid_request', 'too_large'];
/** @type {readonly ErrorCode[]} */
export const WRITE_CODES = ['idempotency_key_missing', 'idempotency_key_reused', 'in_progress'];
/** @type {readonly ErrorCode[]} */
export const COMMAND_CODES = ['command_pending', 'not_done'];
/** @type {readonly ErrorCode[]} */
export const ALL_SERVICES_CODES = ['all_services_required'];
/** @type {readonly ErrorCode[]} */
export const PLATFORM_CODES = [
  'platform_refused',
  'platform_unauthorized',
  'platform_address_refused',
  'not_configured',
  'temporarily_unavailable',
];

/**
 * The error answers of an operation, by status.
 * @param {readonly ErrorCode[]} codes
 */
export function problems(codes) {
  /** @type {Record<string, ErrorCode[]>} */
  const byStatus = {};
  for (const code of new Set(codes)) {
    for (const status of code === 'invalid_request' ? [400, 422] : [ERROR_KINDS[code].status])
      (byStatus[status] ??= []).push(code);
  }
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, list]) => [
      status,
      SHARED_RESPONSES.has(responseName(list))
        ? {$ref: `#/components/responses/${responseName(list)}`}
        : problem(status, list),
    ]),
  );
}

/** Statuses whose answers may carry `Retry-After`. */
const WITH_RETRY_AFTER = new Set(['409', '429', '503']);

/** @param {readonly ErrorCode[]} list */
const responseName = (list) => list.join('-');

/**
 * Error answers that many operations share: their codes, by the name of the shared definition.
 * @type {ReadonlyMap<string, ErrorCode[]>}
 */
const SHARED_RESPONSES = new Map(
  /** @type {ErrorCode[][]} */ ([
    ['unauthorized'],
    ['rate_limited'],
    ['sessions_scope_missing'],
    ['read_scope_missing'],
    ['money_scope_missing'],
    ['webhooks_scope_missing'],
    ['root_key_required'],
    ['too_large'],
    ['internal'],
    ['misconfigured'],
    ['misconfigured', 'temporarily_unavailable'],
    ['not_configured'],
    ['origin_not_allowed'],
    ['outcome_unknown'],
  ]).map((list) => [responseName(list), list]),
);

/**
 * @param {string} status
 * @param {ErrorCode[]} list
 */
function problem(status, list) {
  return {
    description: list.map((code) => `\`${code}\`: ${ERROR_KINDS[code].title}`).join('\n\n'),
    headers:
      WITH_RETRY_AFTER.has(status) && list.some((code) => ERROR_KINDS[code].retryable)
        ? {'retry-after': {$ref: '#/components/headers/RetryAfter'}}
        : undefined,
    content: {
      'application/problem+json': {
        schema: MerchantProblem,
        example: problemExample(Number(status), /** @type {ErrorCode} */ (list[0])),
      },
    },
  };
}

/**
 * @param {number} status
 * @param {ErrorCode} code
 */
function problemExample(status, code) {
  const {title, retryable} = ERROR_KINDS[code];
  const requestId = '3f1b0c0e-7a55-4c1e-9a55-0d9c5b1f8a11';
  return {type: `/problems/${code}`, title, status, code, request_id: requestId, retryable};
}

/** @returns {Record<string, object>} The definitions of the shared error answers, by name. */
export function sharedResponses() {
  return Object.fromEntries(
    [...SHARED_RESPONSES].map(([name, list]) => [
      name,
      problem(String(ERROR_KINDS[/** @type {ErrorCode} */ (list[0])].status), list),
    ]),
  );
}
