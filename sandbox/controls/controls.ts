/** The list of all controls, and the answers to the requests that call them. */

import type {Context} from '../context.ts';
import {makeBusyDay} from './busy-day.ts';
import {ControlError, type Control} from './control-input.ts';
import {endDay} from './day-end.ts';
import {
  cancelElsewhere,
  listActivities,
  listSms,
  listSubscriptions,
  makeNumberToken,
  makeSubscription,
  renewNow,
  setChargeStatus,
  setLimits,
  setSubscriptionStatus,
} from './mobile.ts';
import {
  approveNotice,
  assignTransfer,
  listNotices,
  setNoticeStatus,
  listOrders,
  listTransfers,
  makeTransfer,
  setTransferStatus,
  listVendors,
} from './payments.ts';
import {
  allowAddress,
  chooseReadings,
  listCalls,
  listHeldCalls,
  advanceClock,
  listNotifications,
  planFault,
  reset,
  expireTokens,
} from './platform-state.ts';

const post = (path: string, handle: Control['handle'], summary: string, example?: object): Control => ({
  method: 'POST',
  path: `/_sandbox/${path}`,
  summary,
  handle,
  ...(example && {example}),
});
const get = (path: string, handle: Control['handle'], summary: string): Control => ({
  method: 'GET',
  path: `/_sandbox/${path}`,
  summary,
  handle,
});

export const CONTROLS: readonly Control[] = [
  post(
    'reset',
    reset,
    'deletes every record and resets the clock, then advances it and issues a token: ' +
      '{advance_seconds?, issue_token?} → {token?}',
  ),
  post(
    'transfers',
    makeTransfer,
    'simulates a transfer: {order_code | description, bank, amount, sender?, at?, count?} → {transaction_id, matched}',
    {description: '123456789012', bank: 'ziraat', amount: '149.90'},
  ),
  post(
    'busy-day',
    makeBusyDay,
    'pays orders without money in every way, one in twelve without its order, and open payment pages: ' +
      '{from, to, part?, parts?} → {orders, transfers, unmatched, charges}',
    {from: '2026-11-21 09:00:00', to: '2026-11-21 18:00:00'},
  ),
  get('transfers', listTransfers, 'lists transfers, newest first: ?order_code=&limit='),
  post(
    'transfers/{id}/status',
    setTransferStatus,
    'sets the status of a transaction: {status: 1 | 2 | 3 | 5 | 6 | 8}',
    {status: 5},
  ),
  post(
    'transfers/{id}/assign',
    assignTransfer,
    'assigns a transfer to an order, also if it has another: {order_code}',
    {order_code: '123456789012'},
  ),
  get('orders', listOrders, 'lists orders and the money that arrived for them, newest first: ?limit='),
  get('notices', listNotices, 'lists payment notices, newest first: ?limit='),
  post('notices/{code}/approve', approveNotice, 'assigns a transaction to a payment notice: {transaction_id}', {
    transaction_id: 1,
  }),
  post('notices/{code}/status', setNoticeStatus, 'sets the status of a payment notice: {status: -1 | 0 | 1}', {
    status: -1,
  }),
  post(
    'day-end',
    endDay,
    'settles the open refunds and notifies the merchant: {notify: get | post | batch | get-batch, ' +
      'outcomes?: {refund_id: -1 | 2 | 3 | 4 | 6}, again?} → {settled, notifications}',
    {notify: 'post'},
  ),
  get(
    'notifications',
    listNotifications,
    "lists the notifications to the merchant and the merchant's answers, newest last",
  ),
  get('sms', listSms, 'lists text messages, oldest first: ?msisdn=&limit='),
  post(
    'number-tokens',
    makeNumberToken,
    'issues a number token, as a mobile network does: {msisdn, operator?} → {number_token}',
    {msisdn: '5321234567'},
  ),
  post('subscriptions', makeSubscription, 'subscribes a number: {msisdn, operator?, product?} → {subscription_id}', {
    msisdn: '5321234567',
  }),
  get(
    'subscriptions',
    listSubscriptions,
    'lists the cycles of subscriptions with their charges, newest first: ?msisdn=&limit=',
  ),
  post(
    'subscriptions/{id}/status',
    setSubscriptionStatus,
    'sets the status of a subscription: {status: unknown | active | retry | cancelled | suspend | rejected}',
    {status: 'suspend'},
  ),
  post('subscriptions/{id}/cancel', cancelElsewhere, 'cancels a subscription, as a subscriber does by SMS: {source?}', {
    source: 'sms',
  }),
  post('subscriptions/{id}/renew', renewNow, 'begins the next cycle of a subscription now → {subscription_id}'),
  post(
    'charges/{id}/status',
    setChargeStatus,
    'sets the status of a charge: {status: 1 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | -5 | -8 | -18}',
    {status: 4},
  ),
  get('activities', listActivities, 'lists the activities that landing pages reported, newest first: ?limit='),
  post(
    'limits',
    setLimits,
    'overrides the limits of mobile billing: {limits: null | {"subscription/detail": {day, second}, …}}',
    {limits: null},
  ),
  get('vendors', listVendors, 'lists vendors and the state of their registration, newest first: ?limit='),
  post('address', allowAddress, "sets whether the platform accepts calls from the merchant's IP address: {allowed}", {
    allowed: true,
  }),
  post(
    'readings',
    chooseReadings,
    'chooses how the platform reads what the contract leaves open: {end_date?: "exclusive" | "inclusive", …} → all readings',
  ),
  get('openapi.json', describeControls, 'describes the controls in OpenAPI; the demo shows them with forms'),
  post('tokens/expire', expireTokens, 'makes every token invalid'),
  post('clock', advanceClock, 'advances the clock: {advance_seconds}', {advance_seconds: 3600}),
  post(
    'faults',
    planFault,
    'makes an operation fail: {operation, kind: delay | hold | 500-html | malformed | empty | huge | redirect | status, ' +
      'status?, delay_ms?, rate? | times?, after?}; {operation?, kind: clear} or {} deletes faults and releases what they hold',
    {operation: '/phs/transaction/search', kind: '500-html', times: 1},
  ),
  get('faults', listHeldCalls, 'lists the calls that a fault holds → {held: [path]}'),
  get('calls', listCalls, 'lists the calls to the platform, newest last'),
];

function describeControls(): object {
  const paths: Record<string, Record<string, object>> = {};
  const text = {type: 'string'};
  for (const {method, path, summary, example = {}} of CONTROLS) {
    const parts = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: text,
    }));
    const filters = [...summary.matchAll(/[?&](\w+)=/g)].map(([, name]) => ({name, in: 'query', schema: text}));
    const body = {content: {'application/json': {schema: {type: 'object'}, example}}};
    (paths[path] ??= {})[method.toLowerCase()] = {
      operationId: `${method}${path.replace('/_sandbox', '').replaceAll(/\W+/g, '-')}`,
      tags: [path.split('/')[2]],
      summary,
      parameters: [...parts, ...filters],
      ...(method === 'POST' && {requestBody: body}),
      responses: {200: {description: 'Done.'}, 422: {description: 'The input is wrong.'}},
    };
  }
  const description = 'The sandbox plays the payment platform. Whatever the platform would do, you do here.';
  return {openapi: '3.1.0', info: {title: 'Controls of the sandbox', version: '1', description}, paths};
}

/** Answers a request under /_sandbox with JSON. Pages on loopback origins may call the controls, and so may servers. */
export async function answerControl(request: Request, context: Context): Promise<Response> {
  if (isForeign(request)) return fail(403, 'Only pages on a loopback origin may use the controls.');
  if (request.method === 'OPTIONS') return answerPreflight(request);
  return allowLoopback(request, await runControl(request, context));
}

/**
 * The hosts whose pages may use the controls: only those of the developer's own machine, such as the host of the demo.
 * If all hosts were allowed, any page in the developer's browser could pay orders and read calls.
 */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Returns true if the request comes from a page on another machine. A request from a server has no `Origin` and is
 * allowed.
 */
function isForeign(request: Request): boolean {
  const origin = request.headers.get('origin');
  return origin !== null && !(URL.canParse(origin) && LOOPBACK_HOSTS.has(new URL(origin).hostname));
}

/** Lets the calling page read the response. */
function allowLoopback(request: Request, response: Response): Response {
  const origin = request.headers.get('origin');
  response.headers.append('vary', 'origin');
  if (origin !== null) response.headers.set('access-control-allow-origin', origin);
  return response;
}

function answerPreflight(request: Request): Response {
  const headers = {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': '600',
  };
  return allowLoopback(request, new Response(null, {status: 204, headers}));
}

async function runControl(request: Request, context: Context): Promise<Response> {
  const {pathname, searchParams: query} = new URL(request.url);
  const controls = CONTROLS.filter(({path}) => matchPath(path, pathname));
  const control = controls.find(({method}) => method === request.method);
  if (controls.length === 0) return fail(404, `There is no control ${pathname}.`);
  if (!control) return fail(405, `${pathname} accepts only ${controls.map(({method}) => method).join(' and ')}.`);
  try {
    const parts = matchPath(control.path, pathname);
    const part = (name: string): string => parts?.get(name) ?? '';
    return Response.json(await control.handle({body: await readBody(request), query, part}, context));
  } catch (error) {
    if (error instanceof ControlError) return fail(422, error.message);
    throw error;
  }
}

/**
 * Matches a path against a pattern. Returns the text that the path has for each part in braces; undefined if the path
 * does not match.
 */
function matchPath(pattern: string, path: string): Map<string, string> | undefined {
  const names = pattern.split('/');
  const texts = path.split('/');
  const matches =
    names.length === texts.length && names.every((name, index) => name.startsWith('{') || name === texts[index]);
  return matches ? new Map(names.map((name, index) => [name.replace(/[{}]/g, ''), texts[index] ?? ''])) : undefined;
}

/** Parses the body as JSON, whatever its content type is. An empty body becomes `{}`. */
async function readBody(request: Request): Promise<unknown> {
  const text = await request.text();
  if (text.trim() === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new ControlError('The body is not JSON.');
  }
}

function fail(status: number, error: string): Response {
  return Response.json({error}, {status});
}
