/** The error code for each platform status. The tables are written by hand from the documents in `docs/spec/`. */

import {describe, expect, test, vi} from 'vitest';
import {ERROR_KINDS, type ErrorCode} from '../../../worker/contract/codes.ts';
import {toPageError} from '../../../worker/http/platform-errors.ts';
import {areValuesRefused, isBroken, isUnsent, type PlatformFailure} from '../../../worker/platform/failure.ts';
import type {InterfaceName} from '../../../worker/platform/operation.ts';
import type {OperationName} from '../../../worker/platform/operations/index.ts';
import {toMerchantError} from '../../../worker/routes/merchant/platform-errors.ts';
import limits from '../platform/operations/replies/limits.md?raw';
import {readTable} from '../support/literal-replies.ts';
import {clientWithTransport, failureOf} from '../support/stub-transport.ts';

const NO_OVERRIDES = {transaction: {}, refund: {}, payment_notice: {}, charge: {}, subscription: {}};
const problem = (operation: OperationName, failure: PlatformFailure, failed: OperationName = operation) =>
  toMerchantError(failure, failed, operation, NO_OVERRIDES);
const refused = (status: string, httpStatus?: number): PlatformFailure => ({
  outcome: 'refused',
  status,
  message: 'Sorry.',
  ...(httpStatus !== undefined && {httpStatus}),
});

type Row = [status: string, code: ErrorCode, httpStatus: number, retryable: boolean];

const PHS: readonly Row[] = [
  ['400', 'invalid_request', 422, false],
  ['404', 'platform_refused', 502, false],
  ['500', 'temporarily_unavailable', 503, true],
  ['ERR_001', 'platform_unauthorized', 502, false],
  ['ERR_002', 'platform_address_refused', 502, false],
  ['ERR_004', 'platform_unauthorized', 502, false],
  ['ERR_005', 'unknown_service', 404, false],
  ['ERR_006', 'not_found', 404, false],
  ['ERR_007', 'invalid_request', 422, false],
  ['ERR_008', 'invalid_request', 422, false],
  ['ERR_009', 'service_not_enabled', 403, false],
  ['ERR_010', 'temporarily_unavailable', 503, true],
  ['ERR_011', 'bank_invalid', 422, false],
  ['ERR_012', 'amount_invalid', 422, false],
  ['ERR_013', 'not_found', 404, false],
  ['ERR_014', 'unknown_order', 404, false],
  ['ERR_015', 'platform_unauthorized', 502, false],
  ['ERR_016', 'platform_unauthorized', 502, false],
  ['ERR_017', 'amount_invalid', 422, false],
  ['ERR_018', 'action_invalid', 409, false],
  ['ERR_019', 'order_exists', 409, false],
  ['ERR_020', 'platform_unauthorized', 502, false],
  ['ERR_021', 'amount_invalid', 422, false],
  ['ERR_039', 'action_invalid', 409, false],
  ['ERR_777', 'platform_refused', 502, false],
  ['toString', 'platform_refused', 502, false],
  ['', 'platform_refused', 502, false],
];

const LANDING: readonly Row[] = [
  ['400', 'invalid_request', 422, false],
  ['001', 'landing_not_found', 404, false],
  ['002', 'subscription_failed', 422, false],
  ['003', 'pin_expired', 422, false],
  ['004', 'number_invalid', 422, false],
  ['005', 'temporarily_unavailable', 503, true],
  ['006', 'operator_invalid', 422, false],
  ['007', 'not_eligible', 422, false],
  ['018', 'billing_cap_reached', 429, true],
  ['019', 'daily_cap_reached', 429, true],
  ['020', 'already_subscribed', 409, false],
  ['021', 'test_mode', 409, false],
  ['025', 'invalid_request', 422, false],
  ['026', 'invalid_request', 422, false],
  ['027', 'number_token_invalid', 422, false],
  ['028', 'pin_wrong', 422, false],
  ['029', 'platform_unauthorized', 502, false],
  ['030', 'platform_address_refused', 502, false],
  ['031', 'subscription_not_found', 404, false],
  ['032', 'already_cancelled', 409, false],
  ['033', 'cannot_cancel', 409, false],
  ['099', 'platform_refused', 502, false],
];

describe('every platform status is mapped to an error code', () => {
  test.for(PHS)('/phs %s', ([status, code, httpStatus, retryable]) => {
    const error = problem('orderCodeUpdate', refused(status));
    expect([error.code, error.status, ERROR_KINDS[error.code].retryable]).toEqual([code, httpStatus, retryable]);
    expect(error.options.platform).toEqual({status, message: 'Sorry.'});
  });

  test.for(LANDING)('landing %s', ([status, code, httpStatus, retryable]) => {
    const error = problem('generatePin', refused(status));
    expect([error.code, error.status, ERROR_KINDS[error.code].retryable]).toEqual([code, httpStatus, retryable]);
    expect(error.options.platform).toEqual({status, message: 'Sorry.'});
  });

  test('a billing cap may be retried in an hour, and a cap of the day when the day ends in Turkey', async () => {
    vi.setSystemTime(Date.parse('2026-11-21T22:30:00+03:00'));
    for (const [status, seconds] of [
      ['018', 3_600],
      ['019', 5_400],
    ] as const) {
      expect(problem('generatePin', refused(status)).options.retryAfterSeconds).toBe(seconds);
      expect((await toPageError(refused(status), 'generatePin')).options.retryAfterSeconds).toBe(seconds);
    }
    vi.useRealTimers();
  });

  test.for<[operation: OperationName, status: string, http: number, code: ErrorCode]>([
    ['subscriptionCancel', 'API_ERR_2005', 409, 'already_cancelled'],
    ['subscriptionGet', 'HTTP_404', 404, 'subscription_not_found'],
    ['subscriptionCancel', 'API_ERR_9', 404, 'subscription_not_found'],
    ['subscriptionCancel', 'API_ERR_9', 409, 'cannot_cancel'],
    ['chargeGet', 'API_ERR_9', 404, 'not_found'],
    ['chargeRefund', 'API_ERR_9', 409, 'action_invalid'],
    ['chargeSearch', 'API_ERR_9', 400, 'invalid_request'],
    ['chargeSearch', 'HTTP_403', 403, 'platform_address_refused'],
    ['chargeSearch', 'API_ERR_9', 500, 'temporarily_unavailable'],
    ['chargeSearch', 'API_ERR_9', 503, 'temporarily_unavailable'],
    ['chargeSearch', 'API_ERR_9', 200, 'platform_refused'],
    ['chargeSearch', 'HTTP_418', 418, 'platform_refused'],
  ])('%s %s over HTTP %i', ([operation, status, http, code]) => {
    expect(problem(operation, refused(status, http)).code).toBe(code);
  });

  test.for([
    ['ERR_006', 'not_found'],
    ['ERR_018', 'action_invalid'],
    ['ERR_039', 'action_invalid'],
  ] as const)('refundCreate %s', ([status, code]) => {
    expect(problem('refundCreate', refused(status)).code).toBe(code);
  });
});

test.for<[operation: OperationName, message: string, code: ErrorCode]>([
  ['paymentPageToken', 'Invalid parameter, key', 'platform_unauthorized'],
  ['paymentPageToken', 'Key', 'platform_unauthorized'],
  ['paymentPageToken', 'Invalid parameter, price', 'invalid_request'],
  ['paymentPageToken', 'Invalid parameter, keyword', 'invalid_request'],
  ['subscriptionSearch', 'Invalid parameter, key', 'invalid_request'],
  ['chargeRefund', 'Invalid parameter, key', 'invalid_request'],
])('API_ERR_1023 of %s with the text "%s" is mapped to %s', ([operation, message, code]) => {
  const failure = {outcome: 'refused', status: 'API_ERR_1023', message, httpStatus: 400} as const;
  expect(problem(operation, failure).code).toBe(code);
});

/** A call of each interface. */
const CALLS = {
  phs: ['orderCodeCreate', {code: 'DEMO', order: 'S-1', amount: '149.90'}],
  landing: ['numberGet', {token: '0'}],
  payment_page: [
    'paymentPageToken',
    {
      serviceId: '1',
      referenceCode: 'S-1',
      price: '10.00',
      item: 'x',
      successUrl: 'https://a.example',
      failureUrl: 'https://a.example',
    },
  ],
  micropayment: ['chargeGet', {serviceId: '1', transactionId: '7'}],
} as const satisfies Record<InterfaceName, readonly [OperationName, object]>;

test.for(readTable(limits))(
  'too many calls of %s, told by HTTP %s with Retry-After %s and the body %s',
  async ([name = '', status, retryAfter = '', body = '', code, seconds]) => {
    const [operation, input] = CALLS[name as InterfaceName];
    const headers = {date: 'Sat, 21 Nov 2026 12:00:00 GMT', ...(retryAfter !== 'none' && {'retry-after': retryAfter})};
    const {client, sent} = clientWithTransport(() => new Response(body, {status: Number(status), headers}));
    const failure = await failureOf(client.call(operation, input as never));
    // The platform did nothing, and neither values nor token are wrong, so nothing else is sent.
    expect(sent).toHaveLength(1);
    const isOfNumber = code?.endsWith('_cap_reached') === true;
    expect([isUnsent(failure), isBroken(failure)]).toEqual([!isOfNumber, false]);
    if (!isOfNumber) expect(areValuesRefused(failure)).toBe(false);
    const error = problem(operation, failure);
    expect([error.code, error.status, error.options.retryAfterSeconds]).toEqual([code, 429, Number(seconds)]);
    const {code: pageCode, options} = await toPageError(failure, operation);
    if (isOfNumber) expect(pageCode).toBe(code);
    else expect([pageCode, options.retryAfterSeconds]).toEqual(['rate_limited', Number(seconds)]);
  },
);

describe('an operation that failed', () => {
  test.for<[story: string, operation: OperationName, failed: OperationName, failure: PlatformFailure, code: ErrorCode]>(
    [
      [
        'a read whose reply was lost may be retried',
        'transactionGet',
        'transactionGet',
        {outcome: 'unknown', fault: 'timeout'},
        'temporarily_unavailable',
      ],
      [
        'a write whose reply was lost has an unknown outcome',
        'orderCodeCreate',
        'orderCodeCreate',
        {outcome: 'unknown', fault: 'connection'},
        'outcome_unknown',
      ],
      [
        'a money operation whose reply was unreadable has an unknown outcome',
        'refundCreate',
        'refundCreate',
        {outcome: 'unknown', fault: 'unreadable'},
        'outcome_unknown',
      ],
      [
        'a money operation that ended with an internal error of /phs has an unknown outcome',
        'refundCreate',
        'refundCreate',
        refused('ERR_010'),
        'outcome_unknown',
      ],
      [
        'a money operation that ended with an internal error of mobile billing has an unknown outcome',
        'chargeRefund',
        'chargeRefund',
        refused('API_ERR_9', 500),
        'outcome_unknown',
      ],
      [
        'a write that moves no money may be retried after an internal error of the platform',
        'orderCodeCreate',
        'orderCodeCreate',
        refused('500'),
        'temporarily_unavailable',
      ],
      [
        'an operation whose token did not arrive in time may be retried',
        'refundCreate',
        'tokenGet',
        {outcome: 'unknown', fault: 'timeout'},
        'temporarily_unavailable',
      ],
      [
        'an operation fails as unauthorized if the platform refuses the key in the request for a token',
        'refundCreate',
        'tokenGet',
        refused('ERR_007'),
        'platform_unauthorized',
      ],
      [
        'a call that was not sent may be retried',
        'refundCreate',
        'refundCreate',
        {outcome: 'unsent', retryAfterMs: 1500},
        'temporarily_unavailable',
      ],
      [
        'an operation of an interface that is not configured fails as not configured',
        'generatePin',
        'generatePin',
        {outcome: 'unconfigured', interface: 'landing'},
        'not_configured',
      ],
    ],
  )('%s', ([, operation, failed, failure, code]) => {
    expect(problem(operation, failure, failed).code).toBe(code);
  });
});
