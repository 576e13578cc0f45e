/**
 * The order, refund and transaction interface (`docs/spec/orders.md` 4): its operations, tokens, bank list and vendor
 * form.
 */

import {ACCOUNT_HOLDER, BANKS, type Bank, logoPath, SEVERAL_ACCOUNTS} from '../banks.ts';
import type {Context} from '../context.ts';
import {isWebAddress} from '../formats.ts';
import {tokenKey} from '../keys.ts';
import {
  logUnexpectedError,
  type PlatformInterface,
  type Parameters,
  type PlatformRequest,
  type AnswerFields,
} from '../request.ts';
import {checkOrder, createDirectOrder, createOrder, updateOrder} from './orders.ts';
import {createPaymentNotification, getPaymentNotification} from './payment-notices.ts';
import {isPhsStatus, PhsRefusal, PHS_STATUSES, requireService, requireText} from './phs-statuses.ts';
import {createRefund, getRefund, getRefundsByOrder} from './refunds.ts';
import {searchTransactions, completeOrder, getTransaction} from './transactions.ts';

interface PhsOperation {
  readonly methods: readonly ('GET' | 'POST')[];
  /** True if the operation requires the headers `merchant` and `token` (orders.md 5). */
  readonly authenticated: boolean;
  /** @throws {PhsRefusal} for the errors of the platform. */
  readonly handle: (request: PlatformRequest, context: Context) => AnswerFields | Promise<AnswerFields>;
}

const BOTH = ['GET', 'POST'] as const;
const MINUTE_MS = 60_000;

const OPERATIONS: ReadonlyMap<string, PhsOperation> = new Map<string, PhsOperation>([
  ['/phs/getToken', {methods: BOTH, authenticated: false, handle: getToken}],
  ['/phs/getToken/check', {methods: BOTH, authenticated: false, handle: checkToken}],
  ['/phs/orderToReference/check', {methods: BOTH, authenticated: true, handle: checkOrder}],
  ['/phs/orderToReference/create', {methods: BOTH, authenticated: true, handle: createOrder}],
  ['/phs/orderToReference/direct', {methods: BOTH, authenticated: true, handle: createDirectOrder}],
  ['/phs/orderToReference/update', {methods: BOTH, authenticated: true, handle: updateOrder}],
  ['/phs/transaction/get', {methods: BOTH, authenticated: true, handle: getTransaction}],
  ['/phs/transaction/order-complete', {methods: BOTH, authenticated: true, handle: completeOrder}],
  ['/phs/transaction/search', {methods: BOTH, authenticated: true, handle: searchTransactions}],
  ['/phs/paymentNotification/get', {methods: BOTH, authenticated: true, handle: getPaymentNotification}],
  ['/phs/paymentNotification/create', {methods: BOTH, authenticated: true, handle: createPaymentNotification}],
  ['/phs/refund/get', {methods: BOTH, authenticated: true, handle: getRefund}],
  ['/phs/refund/getByOrder', {methods: BOTH, authenticated: true, handle: getRefundsByOrder}],
  ['/phs/refund/create', {methods: BOTH, authenticated: true, handle: createRefund}],
  ['/phs/marketPlace/get-vendor-form-url', {methods: BOTH, authenticated: true, handle: getVendorFormUrl}],
  ['/phs/bank/getAll', {methods: ['GET'], authenticated: false, handle: listBanks}],
]);

export const phsInterface: PlatformInterface = {
  operationOf: (path) => (OPERATIONS.has(path) ? path : undefined),
  refuse,
  async answer(request, context) {
    const limit = context.readings.get('phs_limit');
    if (limit !== 'none' && !context.usage.countIfAllowed('phs', {minute: Number(limit)})) return refuseCall(context);
    try {
      const fields = context.readings.write(await runOperation(request, context));
      return Response.json({status: '000', message: PHS_STATUSES['000'], ...fields});
    } catch (error) {
      if (error instanceof PhsRefusal) return refuse(error.status, context, error.message);
      logUnexpectedError(request.path, error);
      return refuse('500', context);
    }
  },
};

/** Returns an error body (orders.md 7). A status that is not in the table is sent unchanged. */
function refuse(status: string, {config}: Context, message?: string): Response {
  const body = {status, message: message ?? (isPhsStatus(status) ? PHS_STATUSES[status] : 'Unknown')};
  return Response.json(body, {status: config.errorHttpStatus});
}

/** Refuses a call over the limit of a minute, as the readings say. Such a call is not counted. */
function refuseCall({readings, clock}: Context): Response {
  const now = clock.nowMs();
  const endsAt = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
  const retryAfter = {
    seconds: String(Math.ceil((endsAt - now) / 1000)),
    date: new Date(endsAt).toUTCString(),
    absent: null,
  }[readings.get('phs_retry_after')];
  const headers = {date: new Date(now).toUTCString(), ...(retryAfter !== null && {'retry-after': retryAfter})};
  const message = 'Too Many Requests';
  const reply = readings.get('phs_limit_reply');
  if (reply === 'html')
    return new Response(`<html><h1>429 ${message}</h1></html>`, {
      status: 429,
      headers: {...headers, 'content-type': 'text/html'},
    });
  return Response.json({status: '429', message}, {status: reply === 'json' ? 429 : 200, headers});
}

/** @throws {PhsRefusal} */
function runOperation(request: PlatformRequest, context: Context) {
  const operation = OPERATIONS.get(request.path);
  if (!operation?.methods.some((method) => method === request.method)) throw new PhsRefusal('404');
  if (!context.merchantAddress.isAllowed()) throw new PhsRefusal('ERR_002');
  if (operation.authenticated) authenticate(request.headers, context);
  return operation.handle(request, context);
}

/** /getToken (orders.md 4.1, 5). */
async function getToken({parameters}: PlatformRequest, {config, tokens}: Context): Promise<AnswerFields> {
  const merchant = requireText(parameters, 'merchant');
  const key = requireText(parameters, 'key');
  if (merchant !== String(config.merchantId)) throw new PhsRefusal('ERR_004');
  if (key !== (await tokenKey(config))) throw new PhsRefusal('ERR_007', 'key not true');
  return {token: tokens.issue()};
}

/** /getToken/check (orders.md 4.1). An empty token and an absent token get different statuses. */
function checkToken({parameters}: PlatformRequest, {config, tokens}: Context): AnswerFields {
  const merchant = requireText(parameters, 'merchant');
  const token = parameters.get('token');
  if (token === '') throw new PhsRefusal('ERR_015');
  if (typeof token !== 'string') throw new PhsRefusal('400');
  if (merchant !== String(config.merchantId)) throw new PhsRefusal('ERR_004');
  if (!tokens.isValid(token)) throw new PhsRefusal('ERR_016');
  return {};
}

/** Checks the headers `merchant` and `token` (orders.md 5). @throws {PhsRefusal} */
function authenticate(headers: Headers, {config, tokens}: Context): void {
  const token = headers.get('token') ?? '';
  if (token === '') throw new PhsRefusal('ERR_015');
  if (headers.get('merchant') !== String(config.merchantId)) throw new PhsRefusal('ERR_004');
  if (!tokens.isValid(token)) throw new PhsRefusal('ERR_016');
}

const UPDATE_TIME = '2026-10-01 09:00:00+03';

/** /bank/getAll (orders.md 4.7, 2.6). */
function listBanks({origin}: PlatformRequest, {readings}: Context): AnswerFields {
  const others = readings.get('bank_accounts') === 'several' ? SEVERAL_ACCOUNTS : [];
  return {banks: [...others, ...BANKS].map((bank) => toBankFields(bank, origin))};
}

function toBankFields(bank: Bank, origin: string): AnswerFields {
  return {
    id: bank.id,
    code: bank.code,
    name: bank.name,
    company_name: ACCOUNT_HOLDER,
    branch_no: bank.branchNo,
    account_no: bank.accountNo,
    account_iban: bank.iban,
    update_time: UPDATE_TIME,
    currency: bank.currency,
    logo: `${origin}${logoPath(bank)}`,
    bank_no: bank.bankNo,
  };
}

/** /marketPlace/get-vendor-form-url (orders.md 4.6). A registered vendor cannot register again. */
function getVendorFormUrl({parameters, origin}: PlatformRequest, {vendors}: Context): AnswerFields {
  const vendorCode = requireText(parameters, 'vendor_code');
  const details = {
    name: requireText(parameters, 'name'),
    tc_no: parameters.text('tc_no'),
    phone: requireText(parameters, 'phone'),
    email: parameters.text('email'),
    iban: requireText(parameters, 'iban'),
  };
  const successUrl = requireAddress(parameters, 'success_url', 'successUrl');
  const failureUrl = requireAddress(parameters, 'failure_url', 'failureUrl');
  const {code: serviceCode} = requireService(parameters);
  if (!/^\d*$/.test(details.tc_no)) throw new PhsRefusal('ERR_008', 'tc_no');
  if (vendors.find(vendorCode)?.state === 'registered') throw new PhsRefusal('ERR_008', 'vendor_code');
  const formCode = vendors.invite({vendorCode, serviceCode, details, successUrl, failureUrl});
  return {redirectUrl: `${origin}/pay/phs/vendor/${formCode}`};
}

/**
 * Reads a URL that has either of two names: the spec's field table has `success_url`, its samples have `successUrl`.
 */
function requireAddress(parameters: Parameters, name: string, otherName: string): string {
  const address = parameters.text(name) || requireText(parameters, otherName);
  if (!isWebAddress(address)) throw new PhsRefusal('ERR_008', name);
  return address;
}
