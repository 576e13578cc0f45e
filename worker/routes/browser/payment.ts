/** The state of a payment, and the order code that other requests of its session need. */

import type {PageFactsInput} from '../../contract/browser/page-facts.ts';
import type {Buyer} from '../../contract/buyer.ts';
import type {ErrorCode} from '../../contract/codes.ts';
import {jsonText} from '../../http/body.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {humanCheckOf, ORDER_ACTION} from '../../http/human-check.ts';
import {toPageError} from '../../http/platform-errors.ts';
import {addToLogScope, currentLogScope} from '../../lib/log-scope.ts';
import {storedName} from '../../objects/order/bill.ts';
import type {BuyerRefusal} from '../../objects/order/buyer.ts';
import type {HostedShopper} from '../../objects/order/order-code-requests.ts';
import type {KnownCode, OrderCodeResult} from '../../objects/order/order-code.ts';
import type {OrderCaller} from '../../objects/order/order-limits.ts';
import {type SocketOpening, SOCKET_OPENING_HEADER} from '../../objects/order/sockets.ts';
import type {PlatformFailure} from '../../platform/failure.ts';
import type {OperationName} from '../../platform/operations/index.ts';
import type {OrderTerms, PaymentSession} from '../../session.ts';
import {misconfigured} from '../problems.ts';
import {limitReads, limitRequests} from '../rate-limit.ts';
import type {RouteContext} from '../route.ts';
import {type BrowserHandlers, requireSession} from './handler.ts';
import {askedOf, buyerError, buyerRequest, toldInSession} from './offer-terms.ts';

export const paymentHandlers = {
  /** GET /v1/payment: the state of the session's payment. */
  async showPayment(_input, context) {
    const terms = offeredTerms(context.session);
    const order = context.objects.unscopedOrder(terms.service, terms.order);
    const mayAsk = context.receivedAt < context.session.createUntil;
    const asked = mayAsk ? await askedOf(context.session, context) : undefined;
    return jsonText(await order.paymentText(terms, currentLogScope(), asked));
  },

  /**
   * GET /v1/payment/live: a WebSocket that sends the payment on open and on every change. The Worker closes the WebSocket
   * with code 4401 when the session expires, and answers `ping` with `pong`, so that a page can check the connection.
   * Browsers cannot set headers on a WebSocket, so the page sends the session as the second subprotocol. The Worker's
   * answer names only the first subprotocol.
   */
  async watchPayment(_input, context, request) {
    if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket')
      throw fieldError('invalid_request', '', 'This endpoint requires a WebSocket.', 426);
    const [protocol, token = ''] = (request.headers.get('sec-websocket-protocol') ?? '')
      .split(',')
      .map((offered) => offered.trim());
    if (protocol !== SUBPROTOCOL) throw new ApiError('unauthorized');
    const session = await requireSession(request, context, {token});
    const {readUntil} = session;
    const terms = offeredTerms(session);
    addToLogScope({service: terms.service, order: terms.order});
    await limitReads(context);
    await limitRequests('sockets', context.subnet, context);
    const opened = await context.objects.order(terms.service, terms.order).fetch('https://order/', {
      headers: {
        upgrade: 'websocket',
        [SOCKET_OPENING_HEADER]: encodeURIComponent(JSON.stringify({terms, readUntil} satisfies SocketOpening)),
      },
    });
    if (opened.status === 429) throw new ApiError('rate_limited', {retryAfterSeconds: SOCKET_RETRY_SECONDS});
    return new Response(null, {
      status: 101,
      webSocket: opened.webSocket ?? null,
      headers: {'sec-websocket-protocol': SUBPROTOCOL},
    });
  },
} satisfies Partial<BrowserHandlers>;

/** The session's terms with its offer. */
export function offeredTerms({terms, offer}: Pick<PaymentSession, 'terms' | 'offer'>): OrderTerms {
  return {...terms, offer: storedName(offer, terms.shared === true)};
}

const SUBPROTOCOL = 'vezne.v1';
const SOCKET_RETRY_SECONDS = 60;

interface EnsureCodeOptions {
  /** The Turnstile token, if the page sent one. */
  readonly human: string | undefined;
  /** The shopper, if the code is for the platform's bank page. An order has the same code there and in the elements. */
  readonly hosted?: HostedShopper | null;
  /** What the page says of the order. */
  readonly page?: PageFactsInput | undefined;
  /** Who buys, if the page sent it. */
  readonly buyer?: Buyer | undefined;
}

/**
 * Returns the code of the session's order. If the order has no code yet, and the session may still create a code, the
 * code is created. In both cases the Worker calls the order's Durable Object once.
 * @throws {ApiError} `misconfigured` without `PHS_URL`, `session_expired` if the session may no longer create a code,
 * `buyer_required` if the order asks who buys, `order_paid` if the shopper would go to the platform's bank page with nothing left to pay, and errors of the order
 * limits and of the platform.
 */
export async function ensureOrderCode(
  session: Pick<PaymentSession, 'terms' | 'offer' | 'createUntil' | 'asks' | 'origin'>,
  {human, hosted = null, buyer: sent, page}: EnsureCodeOptions,
  request: Request,
  context: RouteContext,
): Promise<KnownCode> {
  requirePhs(context);
  const terms = offeredTerms(session);
  const mayCreate = Date.now() < session.createUntil;
  const result = await context.objects.order(terms.service, terms.order).orderCode(terms, {
    mayCreate,
    caller: orderCaller(session, human, request, context),
    hosted,
    told: mayCreate ? await toldInSession(session, page, context) : undefined,
    buyer: await buyerRequest(session, sent, context),
  });
  return requireCode(result);
}

/** @throws {ApiError} `misconfigured` without `PHS_URL`. */
export function requirePhs({config}: RouteContext): void {
  if (config.phsUrl === null) throw misconfigured('PHS_URL');
}

/** Throws the error of an order that has no code; see `ensureOrderCode`. */
export async function requireCode<R extends OrderCodeResult>(result: R): Promise<Extract<R, {readonly code: string}>> {
  if ('absent' in result) throw new ApiError('session_expired');
  if ('foreign' in result) throw new ApiError('order_exists');
  await requireAccepted(result);
  return result as Extract<R, {readonly code: string}>;
}

interface Refusals extends BuyerRefusal {
  readonly paid: true;
  readonly cancelled: true;
  readonly refused: ErrorCode;
  readonly limited: {readonly retryAfterSeconds: number};
  readonly failure: PlatformFailure;
}
type Accepted<R> = R extends {readonly [N in keyof Refusals]: Pick<Refusals, N>}[keyof Refusals] ? never : R;

/**
 * Throws the error of what an object refused, or the platform.
 * @param operation - The operation of the platform whose refusals have codes of their own.
 */
export async function requireAccepted<R extends object>(result: R, operation?: OperationName): Promise<Accepted<R>> {
  const {paid, cancelled, buyer, refused, limited, failure} = result as Partial<Refusals>;
  if (paid) throw new ApiError('order_paid');
  if (cancelled) throw new ApiError('order_cancelled');
  if (buyer) throw buyerError({buyer});
  if (refused) throw new ApiError(refused);
  if (limited) throw new ApiError('rate_limited', limited);
  if (failure) throw await toPageError(failure, operation);
  return result as Accepted<R>;
}

/**
 * The caller whose new orders are limited: a page with a session from an offer, because anyone can open such a session.
 * Null for a session that the merchant's server created, because such a session is trusted.
 */
export function orderCaller(
  {offer}: Pick<PaymentSession, 'offer'>,
  human: string | undefined,
  request: Request,
  {config, subnet}: RouteContext,
  opensSession = false,
): OrderCaller | null {
  if (offer === undefined) return null;
  const {addressUnpaidOrdersPerDay, serviceOrdersPerMinute, addressSessionsPerMinute} = config.limits;
  return {
    subnet,
    limits: {addressUnpaidOrdersPerDay, serviceOrdersPerMinute},
    sessionsPerMinute: opensSession ? addressSessionsPerMinute : null,
    checkHuman: humanCheckOf(request, {human, action: ORDER_ACTION}, config.turnstile),
  };
}
