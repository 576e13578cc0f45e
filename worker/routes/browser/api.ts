/** The routes of the browser API: each endpoint of the contract with its handler. */

import {browserEndpoints} from '../../contract/browser/endpoints.ts';
import type {LimitedRequests, PageEndpoint} from '../../contract/endpoint.ts';
import {readJson} from '../../http/body.ts';
import {addToLogScope} from '../../lib/log-scope.ts';
import {routesOf, type Served, toResponse} from '../endpoints.ts';
import {limitReads, limitRequests, limitSessions, limitSite} from '../rate-limit.ts';
import type {RouteContext} from '../route.ts';
import {activityHandlers} from './activities.ts';
import {bankHandlers} from './banks.ts';
import {type BrowserContext, type BrowserHandlers, requireCreatingSession, requireSession} from './handler.ts';
import {handoffHandlers} from './handoffs.ts';
import {hostedPageHandlers} from './hosted-pages.ts';
import {managedSubscriptionHandlers} from './managed-subscription.ts';
import {orderHandlers} from './orders.ts';
import {paymentHandlers} from './payment.ts';
import {pinHandlers} from './pins.ts';
import {refundContactHandlers} from './refund-contacts.ts';
import {sessionHandlers} from './sessions.ts';
import {subscriptionHandlers} from './subscriptions.ts';
import {vendorFormHandlers} from './vendor-forms.ts';

const handlers: BrowserHandlers = {
  ...sessionHandlers,
  ...bankHandlers,
  ...orderHandlers,
  ...paymentHandlers,
  ...handoffHandlers,
  ...vendorFormHandlers,
  ...activityHandlers,
  ...hostedPageHandlers,
  ...refundContactHandlers,
  ...pinHandlers,
  ...subscriptionHandlers,
  ...managedSubscriptionHandlers,
};

export const browserRoutes = routesOf<PageEndpoint, BrowserContext>(browserEndpoints, handlers, 'page', serve);

/**
 * Checks session, limits and body, and calls the handler. The router has already checked the origin. Every request that
 * has or opens a session for an order counts towards the limit of `limitReads`, and every POST towards that of
 * `limitSite`. The endpoint's own limit is checked before the body is read or, if the endpoint counts only valid
 * requests, after it.
 */
async function serve(
  {row, handle}: Served<PageEndpoint, BrowserContext>,
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
  if (session !== null || early) await limitReads(context);
  if (row.method === 'POST') await limitSite(context);
  if (limit && !countsValidOnly) await limitAddress(limit, context);
  const input = early ?? (row.input ? await readJson(request, row.input(), row) : null);
  if (limit && countsValidOnly) await limitAddress(limit, context);
  return toResponse(await handle(input, {...context, session, receivedAt}, request), row);
}

function readSession(
  {session}: PageEndpoint,
  request: Request,
  context: RouteContext,
  token: string | undefined,
): Promise<BrowserContext['session']> | null {
  if (session === undefined) return null;
  return session === 'creating'
    ? requireCreatingSession(request, context)
    : requireSession(request, context, {kind: session, ...(token !== undefined && {token})});
}

function limitAddress(limit: LimitedRequests, context: RouteContext): Promise<void> {
  return limit === 'sessions' ? limitSessions(context) : limitRequests(limit, context.subnet, context);
}
