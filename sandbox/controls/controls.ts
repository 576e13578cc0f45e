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

export const CONTROLS: readonly Control[] = [
  {method: 'POST', path: '/_sandbox/reset', summary: 'deletes every record and resets the clock', handle: reset},
  {
    method: 'POST',
    path: '/_sandbox/transfers',
    summary: 'simulates a transfer: {order_code | description, bank, amount, sender?, at?} → {transaction_id, matched}',
    example: {description: '123456789012', bank: 'ziraat', amount: '149.90'},
    handle: makeTransfer,
  },
  {
    method: 'POST',
    path: '/_sandbox/busy-day',
    summary:
      'pays orders without money in every way, one in twelve without its order, and open payment pages: ' +
      '{from, to, part?, parts?} → {orders, transfers, unmatched, charges}',
    example: {from: '2026-11-21 09:00:00', to: '2026-11-21 18:00:00'},
    handle: makeBusyDay,
  },
  {
    method: 'GET',
    path: '/_sandbox/transfers',
    summary: 'lists transfers, newest first: ?order_code=&limit=',
    handle: listTransfers,
  },
  {
    method: 'POST',
    path: '/_sandbox/transfers/{id}/status',
    summary: 'sets the status of a transaction: {status: 1 | 2 | 3 | 5 | 6 | 8}',
    example: {status: 5},
    handle: setTransferStatus,
  },
  {
    method: 'POST',
    path: '/_sandbox/transfers/{id}/assign',
    summary: 'assigns a transfer to an order, also if it has another: {order_code}',
    example: {order_code: '123456789012'},
    handle: assignTransfer,
  },
  {
    method: 'GET',
    path: '/_sandbox/orders',
    summary: 'lists orders and the money that arrived for them, newest first: ?limit=',
    handle: listOrders,
  },
  {
    method: 'GET',
    path: '/_sandbox/notices',
    summary: 'lists payment notices, newest first: ?limit=',
    handle: listNotices,
  },
  {
    method: 'POST',
    path: '/_sandbox/notices/{code}/approve',
    summary: 'assigns a transaction to a payment notice: {transaction_id}',
    example: {transaction_id: 1},
    handle: approveNotice,
  },
  {
    method: 'POST',
    path: '/_sandbox/notices/{code}/status',
    summary: 'sets the status of a payment notice: {status: -1 | 0 | 1}',
    example: {status: -1},
    handle: setNoticeStatus,
  },
  {
    method: 'POST',
    path: '/_sandbox/day-end',
    summary:
      'settles the open refunds and notifies the merchant: {notify: get | post | batch | get-batch, ' +
      'outcomes?: {refund_id: -1 | 2 | 3 | 4 | 6}, again?} → {settled, notifications}',
    example: {notify: 'post'},
    handle: endDay,
  },
  {
    method: 'GET',
    path: '/_sandbox/notifications',
    summary: "lists the notifications to the merchant and the merchant's answers, newest last",
    handle: listNotifications,
  },
  {
    method: 'GET',
    path: '/_sandbox/sms',
    summary: 'lists text messages, oldest first: ?msisdn=&limit=',
    handle: listSms,
  },
  {
    method: 'POST',
    path: '/_sandbox/number-tokens',
    summary: 'issues a number token, as a mobile network does: {msisdn, operator?} → {number_token}',
    example: {msisdn: '5321234567'},
    handle: makeNumberToken,
  },
  {
    method: 'POST',
    path: '/_sandbox/subscriptions',
    summary: 'subscribes a number: {msisdn, operator?, product?} → {subscription_id}',
    example: {msisdn: '5321234567'},
    handle: makeSubscription,
  },
  {
    method: 'GET',
    path: '/_sandbox/subscriptions',
    summary: 'lists the cycles of subscriptions with their charges, newest first: ?msisdn=&limit=',
    handle: listSubscriptions,
  },
  {
    method: 'POST',
    path: '/_sandbox/subscriptions/{id}/status',
    summary: 'sets the status of a subscription: {status: unknown | active | retry | cancelled | suspend | rejected}',
    example: {status: 'suspend'},
    handle: setSubscriptionStatus,
  },
  {
    method: 'POST',
    path: '/_sandbox/subscriptions/{id}/cancel',
    summary: 'cancels a subscription, as a subscriber does by SMS: {source?}',
    example: {source: 'sms'},
    handle: cancelElsewhere,
  },
  {
    method: 'POST',
    path: '/_sandbox/subscriptions/{id}/renew',
    summary: 'begins the next cycle of a subscription now → {subscription_id}',
    handle: renewNow,
  },
  {
    method: 'POST',
    path: '/_sandbox/charges/{id}/status',
    summary: 'sets the status of a charge: {status: 1 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | -5 | -8 | -18}',
    example: {status: 4},
    handle: setChargeStatus,
  },
  {
    method: 'GET',
    path: '/_sandbox/activities',
    summary: 'lists the activities that landing pages reported, newest first: ?limit=',
    handle: listActivities,
  },
  {
    method: 'POST',
    path: '/_sandbox/limits',
    summary: 'overrides the limits of mobile billing: {limits: null | {"subscription/detail": {day, second}, …}}',
    example: {limits: null},
    handle: setLimits,
  },
  {
    method: 'GET',
    path: '/_sandbox/vendors',
    summary: 'lists vendors and the state of their registration, newest first: ?limit=',
    handle: listVendors,
  },
  {
    method: 'POST',
    path: '/_sandbox/address',
    summary: "sets whether the platform accepts calls from the merchant's IP address: {allowed}",
    example: {allowed: true},
    handle: allowAddress,
  },
  {
    method: 'POST',
    path: '/_sandbox/readings',
    summary:
      'chooses how the platform reads what the contract leaves open: {end_date?: "exclusive" | "inclusive", …} → all readings',
    handle: chooseReadings,
  },
  {
    method: 'GET',
    path: '/_sandbox/openapi.json',
    summary: 'describes the controls in OpenAPI; the demo shows them with forms',
    handle: describeControls,
  },
  {method: 'POST', path: '/_sandbox/tokens/expire', summary: 'makes every token invalid', handle: expireTokens},
  {
    method: 'POST',
    path: '/_sandbox/clock',
    summary: 'advances the clock: {advance_seconds}',
    example: {advance_seconds: 3600},
    handle: advanceClock,
  },
  {
    method: 'POST',
    path: '/_sandbox/faults',
    summary:
      'makes an operation fail: {operation, kind: delay | hold | 500-html | malformed | empty | huge | redirect | status, ' +
      'status?, delay_ms?, rate? | times?, after?}; {operation?, kind: clear} or {} deletes faults and releases what they hold',
    example: {operation: '/phs/transaction/search', kind: '500-html', times: 1},
    handle: planFault,
  },
  {
    method: 'GET',
    path: '/_sandbox/faults',
    summary: 'lists the calls that a fault holds → {held: [path]}',
    handle: listHeldCalls,
  },
  {method: 'GET', path: '/_sandbox/calls', summary: 'lists the calls to the platform, newest last', handle: listCalls},
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
