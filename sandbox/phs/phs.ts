import type {Context} from '../context.ts';
import {logUnexpectedError, type PlatformInterface, type PlatformRequest, type AnswerFields} from '../request.ts';
import {listBanks} from './bank-list.ts';
import {checkOrder, createDirectOrder, createOrder, updateOrder} from './orders.ts';
import {createPaymentNotification, getPaymentNotification} from './payment-notices.ts';
import {isPhsStatus, PhsRefusal, PHS_STATUSES} from './phs-statuses.ts';
import {createRefund, getRefund, getRefundsByOrder} from './refunds.ts';
import {authenticate, checkToken, getToken} from './token.ts';
import {searchTransactions, completeOrder, getTransaction} from './transactions.ts';
import {getVendorFormUrl} from './vendor-form.ts';

const BOTH = ['GET', 'POST'] as const;

/** The order, refund and transaction interface (orders 4). */
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
    try {
      return Response.json({status: '000', message: PHS_STATUSES['000'], ...(await runOperation(request, context))});
    } catch (error) {
      if (error instanceof PhsRefusal) return refuse(error.status, context, error.message);
      logUnexpectedError(request.path, error);
      return refuse('500', context);
    }
  },
};

/** An error body (orders 7). A status that is not in the table is written unchanged. */
function refuse(status: string, {config}: Context, message?: string): Response {
  const body = {status, message: message ?? (isPhsStatus(status) ? PHS_STATUSES[status] : 'Unknown')};
  return Response.json(body, {status: config.errorHttpStatus});
}

/** @throws {PhsRefusal} */
function runOperation(request: PlatformRequest, context: Context) {
  const operation = OPERATIONS.get(request.path);
  if (!operation?.methods.some((method) => method === request.method)) throw new PhsRefusal('404');
  if (!context.merchantAddress.isAllowed()) throw new PhsRefusal('ERR_002');
  if (operation.authenticated) authenticate(request.headers, context);
  return operation.handle(request, context);
}

export interface PhsOperation {
  readonly methods: readonly ('GET' | 'POST')[];
  /** Whether the operation requires the headers `merchant` and `token` (orders 5). */
  readonly authenticated: boolean;
  /** @throws {PhsRefusal} for the errors of the platform. */
  readonly handle: (request: PlatformRequest, context: Context) => AnswerFields | Promise<AnswerFields>;
}
