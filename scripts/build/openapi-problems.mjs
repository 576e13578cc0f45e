// @ts-check
// The error codes of each endpoint, and the error answers in the API description: one for each status. Operations with
// the same error answer share its definition.

import {ERROR_KINDS} from '../../worker/contract/codes.ts';
import {scopeCode} from '../../worker/contract/merchant/scopes.ts';
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
export const PLATFORM_CODES = [
  'platform_refused',
  'platform_unauthorized',
  'platform_address_refused',
  'not_configured',
  'temporarily_unavailable',
];

/**
 * The codes of an endpoint of the merchant API.
 * @param {import('../../worker/contract/endpoint.ts').MerchantRow} row
 * @returns {ErrorCode[]}
 */
export const merchantCodes = ({operation, scope, service, write, command, docs}) => [
  ...COMMON_CODES,
  ...KEY_CODES,
  scopeCode(scope),
  ...(service === 'all' && scope !== 'root' ? /** @type {const} */ (['all_services_required']) : []),
  ...INPUT_CODES,
  ...(write ? WRITE_CODES : []),
  ...(command ? COMMAND_CODES : []),
  ...(operation ? PLATFORM_CODES : []),
  ...(write && operation ? /** @type {const} */ (['outcome_unknown']) : []),
  ...docs.codes,
];

/**
 * The codes of an endpoint of the browser API.
 * @param {import('../../worker/contract/endpoint.ts').PageRow} row
 * @returns {ErrorCode[]}
 */
export const browserCodes = ({input, access, session, limit, docs}) => [
  ...COMMON_CODES,
  ...(input ? INPUT_CODES : []),
  ...(access === undefined ? /** @type {const} */ (['origin_not_allowed']) : []),
  ...(session ? /** @type {const} */ (['unauthorized', 'session_expired', 'session_kind']) : []),
  ...(limit ? /** @type {const} */ (['rate_limited']) : []),
  ...docs.codes,
];

/** Statuses whose answers may carry `Retry-After`. */
const WITH_RETRY_AFTER = new Set(['409', '429', '503']);

/**
 * The error answers of an operation, by status. Each refers to a shared definition, which is added to `shared`.
 * @param {readonly ErrorCode[]} codes
 * @param {Record<string, object>} shared
 */
export function problems(codes, shared) {
  /** @type {Record<string, ErrorCode[]>} */
  const byStatus = {};
  for (const code of new Set(codes))
    for (const status of code === 'invalid_request' ? [400, 422] : [ERROR_KINDS[code].status])
      (byStatus[status] ??= []).push(code);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, list]) => {
      const name = [...list, status].join('-');
      shared[name] ??= problem(status, list);
      return [status, {$ref: `#/components/responses/${name}`}];
    }),
  );
}

/**
 * @param {string} status
 * @param {ErrorCode[]} codes
 */
function problem(status, codes) {
  const code = /** @type {ErrorCode} */ (codes[0]);
  const {title, retryable} = ERROR_KINDS[code];
  const example = {
    type: `/problems/${code}`,
    title,
    status: Number(status),
    code,
    request_id: '3f1b0c0e-7a55-4c1e-9a55-0d9c5b1f8a11',
    retryable,
  };
  const mayRetry = WITH_RETRY_AFTER.has(status) && codes.some((each) => ERROR_KINDS[each].retryable);
  return {
    description: codes.map((each) => `\`${each}\`: ${ERROR_KINDS[each].title}`).join('\n\n'),
    ...(mayRetry && {headers: {'retry-after': {$ref: '#/components/headers/RetryAfter'}}}),
    content: {'application/problem+json': {schema: MerchantProblem, example}},
  };
}
