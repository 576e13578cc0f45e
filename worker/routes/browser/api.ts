/** The routes of the browser API: each endpoint of the contract with its handler. */

import {
  type BrowserEndpoint,
  type BrowserEndpointName,
  browserEndpoints,
  type LimitedRequests,
} from '../../contract/browser/endpoints.ts';
import {json, readJson} from '../../http/body.ts';
import {clientSubnet} from '../../http/client-ip.ts';
import {addToLogScope} from '../../lib/log-scope.ts';
import {limitReads, limitRequests, limitSessions, limitSite} from '../rate-limit.ts';
import type {Route, RouteContext} from '../route.ts';
import {recordActivity} from './activities.ts';
import {showBankLogo, showBanks} from './banks.ts';
import {type BrowserContext, type BrowserHandlers, requireCreatingSession, requireSession} from './handler.ts';
import {createHandoff, previewHandoff, redeemHandoff} from './handoffs.ts';
import {createHostedPayment, openPaymentNotice, openPaymentPage, showNoticePrefill} from './hosted-pages.ts';
import {endSubscription, showSubscription} from './managed-subscription.ts';
import {openOrderCode} from './orders.ts';
import {showPayment, watchPayment} from './payment.ts';
import {sendPin} from './pins.ts';
import {previewRefund, sendRefundContact} from './refund-contacts.ts';
import {openSession, showSession} from './sessions.ts';
import {showNumber, createSubscription} from './subscriptions.ts';
import {openVendorForm, returnVendor} from './vendor-forms.ts';

const handlers: BrowserHandlers = {
  openSession,
  showSession,
  showBanks,
  showBankLogo,
  openOrderCode,
  showPayment,
  watchPayment,
  createHandoff,
  previewHandoff,
  redeemHandoff,
  openVendorForm,
  returnVendor,
  recordActivity,
  createHostedPayment,
  openPaymentNotice,
  showNoticePrefill,
  openPaymentPage,
  previewRefund,
  sendRefundContact,
  sendPin,
  createSubscription,
  showNumber,
  showSubscription,
  endSubscription,
};

type AnyHandler = (input: unknown, context: BrowserContext, request: Request) => Promise<unknown>;

export const browserRoutes: readonly Route[] = (Object.keys(handlers) as BrowserEndpointName[]).map((name) => {
  const row: BrowserEndpoint = browserEndpoints[name];
  const handle = handlers[name] as AnyHandler;
  return {
    method: row.method,
    path: row.path,
    noHead: row.noHead,
    access: row.access,
    isPersonal: row.session !== null,
    handle: (request, context) => serve(row, handle, request, context),
  };
});

/**
 * Checks session, limits and body, and calls the handler. The router has already checked the origin. Every request that
 * has or opens a session for an order counts towards the limit of `limitReads`, and every POST towards that of
 * `limitSite`. The endpoint's own limit is checked before the body is read or, if the endpoint counts only valid
 * requests, after it.
 */
async function serve(
  row: BrowserEndpoint,
  handle: AnyHandler,
  request: Request,
  context: RouteContext,
): Promise<Response> {
  const receivedAt = Date.now();
  const {limit, countsValidOnly = false} = row;
  // A body that carries the session or names an offer is read before the session can be checked.
  const early =
    row.mayOpenSession && row.input && !request.headers.has('authorization')
      ? ((await readJson(request, row.input(), row)) as {readonly session?: string; readonly offer?: string})
      : null;
  const session = early?.offer === undefined ? await readSession(row, request, context, early?.session) : null;
  if (session?.kind === 'payment') addToLogScope({service: session.terms.service, order: session.terms.order});
  if (session !== null || early) await limitReads(request, context);
  if (row.method === 'POST') await limitSite(request, context);
  if (limit && !countsValidOnly) await limitAddress(limit, request, context);
  const input = early ?? (row.input ? await readJson(request, row.input(), row) : null);
  if (limit && countsValidOnly) await limitAddress(limit, request, context);
  const answer = await handle(input, {...context, session, receivedAt}, request);
  return row.raw ? (answer as Response) : json(answer, {status: row.status});
}

function readSession(
  {session}: BrowserEndpoint,
  request: Request,
  context: RouteContext,
  token: string | undefined,
): Promise<BrowserContext['session']> | null {
  if (session === null) return null;
  return session === 'creating'
    ? requireCreatingSession(request, context)
    : requireSession(request, context, {kind: session, ...(token !== undefined && {token})});
}

function limitAddress(limit: LimitedRequests, request: Request, context: RouteContext): Promise<void> {
  return limit === 'sessions' ? limitSessions(request, context) : limitRequests(limit, clientSubnet(request), context);
}
