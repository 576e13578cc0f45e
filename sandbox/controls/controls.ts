import type {Context} from '../context.ts';
import {ControlError, type Control} from './control-input.ts';
import {allowLoopback, answerPreflight, isForeign} from './cross-origin.ts';
import {endDay} from './day-end.ts';
import {
  listActivities,
  listSms,
  listSubscriptions,
  makeNumberToken,
  makeSubscription,
  setChargeStatus,
  setLimits,
  setSubscriptionStatus,
  showFunnel,
} from './mobile.ts';
import {
  approveNotice,
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
  listCalls,
  advanceClock,
  listNotifications,
  planFault,
  reset,
  expireTokens,
} from './platform-state.ts';

export const CONTROLS: readonly Control[] = [
  {method: 'POST', path: '/_sandbox/reset', summary: 'forgets everything', handle: reset},
  {
    method: 'POST',
    path: '/_sandbox/transfers',
    summary: 'a customer pays: {order_code | description, bank, amount, sender?, at?} → {transaction_id, matched}',
    handle: makeTransfer,
  },
  {
    method: 'GET',
    path: '/_sandbox/transfers',
    summary: 'transfers, newest first; ?order_code= and ?limit= choose',
    handle: listTransfers,
  },
  {
    method: 'POST',
    path: '/_sandbox/transfers/{id}/status',
    summary: 'gives a transaction another status: {status: 1 | 2 | 3 | 5 | 6 | 8}',
    handle: setTransferStatus,
  },
  {
    method: 'GET',
    path: '/_sandbox/orders',
    summary: 'orders and what arrived for them, newest first; ?limit= chooses',
    handle: listOrders,
  },
  {
    method: 'GET',
    path: '/_sandbox/notices',
    summary: 'payment notices, newest first; ?limit= chooses',
    handle: listNotices,
  },
  {
    method: 'POST',
    path: '/_sandbox/notices/{code}/approve',
    summary: 'finds the money a payment notice is about: {transaction_id}',
    handle: approveNotice,
  },
  {
    method: 'POST',
    path: '/_sandbox/notices/{code}/status',
    summary: 'gives a payment notice another status: {status: -1 | 0 | 1}',
    handle: setNoticeStatus,
  },
  {
    method: 'POST',
    path: '/_sandbox/day-end',
    summary:
      'settles the open refunds and tells the merchant: {notify: get | post | batch, ' +
      'outcomes?: {refund_id: -1 | 2 | 3 | 4 | 6}, again?} → {settled, notifications}',
    handle: endDay,
  },
  {
    method: 'GET',
    path: '/_sandbox/notifications',
    summary: 'what the merchant was told and answered, newest last',
    handle: listNotifications,
  },
  {
    method: 'GET',
    path: '/_sandbox/sms',
    summary: 'text messages, oldest first; ?msisdn= and ?limit= choose',
    handle: listSms,
  },
  {
    method: 'POST',
    path: '/_sandbox/number-tokens',
    summary: 'a network names a number: {msisdn, operator?} → {number_token}',
    handle: makeNumberToken,
  },
  {
    method: 'POST',
    path: '/_sandbox/subscriptions',
    summary: 'somebody subscribes: {msisdn, operator?, product?} → {subscription_id}',
    handle: makeSubscription,
  },
  {
    method: 'GET',
    path: '/_sandbox/subscriptions',
    summary: 'subscriptions, each cycle with its charges, newest first; ?msisdn= and ?limit= choose',
    handle: listSubscriptions,
  },
  {
    method: 'POST',
    path: '/_sandbox/subscriptions/{id}/status',
    summary: 'gives a subscription another status: {status: unknown | active | retry | cancelled | suspend | rejected}',
    handle: setSubscriptionStatus,
  },
  {
    method: 'POST',
    path: '/_sandbox/charges/{id}/status',
    summary: 'gives a charge another status: {status: 1 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | -5 | -8 | -18}',
    handle: setChargeStatus,
  },
  {
    method: 'GET',
    path: '/_sandbox/activities',
    summary: 'what landing pages reported, newest first; ?limit= chooses',
    handle: listActivities,
  },
  {
    method: 'GET',
    path: '/_sandbox/funnel',
    summary: 'activities by type, and subscriptions that began, each once',
    handle: showFunnel,
  },
  {
    method: 'POST',
    path: '/_sandbox/limits',
    summary: 'other limits of mobile billing: {limits: null | {"subscription/detail": {day, second}, …}}',
    handle: setLimits,
  },
  {
    method: 'GET',
    path: '/_sandbox/vendors',
    summary: 'vendors and how far they are, newest first; ?limit= chooses',
    handle: listVendors,
  },
  {
    method: 'POST',
    path: '/_sandbox/address',
    summary: "says whether the platform takes calls from the merchant's network address: {allowed}",
    handle: allowAddress,
  },
  {method: 'POST', path: '/_sandbox/tokens/expire', summary: 'ends every token', handle: expireTokens},
  {method: 'POST', path: '/_sandbox/clock', summary: 'moves the clock on: {advance_seconds}', handle: advanceClock},
  {
    method: 'POST',
    path: '/_sandbox/faults',
    summary:
      'lets an operation fail: {operation, kind: delay | 500-html | malformed | empty | huge | redirect | status, ' +
      'status?, delay_ms?, rate? | times?, after?}; {operation?, kind: clear} or {} ends that',
    handle: planFault,
  },
  {method: 'GET', path: '/_sandbox/calls', summary: 'what the platform was asked, newest last', handle: listCalls},
];

/** Answers a request under /_sandbox: JSON, for servers and for pages on loopback origins. */
export async function answerControl(request: Request, context: Context): Promise<Response> {
  if (isForeign(request)) return fail(403, 'Only pages on a loopback origin may use the controls.');
  if (request.method === 'OPTIONS') return answerPreflight(request);
  return allowLoopback(request, await runControl(request, context));
}

async function runControl(request: Request, context: Context): Promise<Response> {
  const {pathname, searchParams: query} = new URL(request.url);
  const controls = CONTROLS.filter(({path}) => matchPath(path, pathname));
  const control = controls.find(({method}) => method === request.method);
  if (controls.length === 0) return fail(404, `There is no control ${pathname}.`);
  if (!control) return fail(405, `${pathname} takes ${controls.map(({method}) => method).join(' and ')}.`);
  try {
    const parts = matchPath(control.path, pathname);
    const part = (name: string): string => parts?.get(name) ?? '';
    return Response.json(await control.handle({body: await readBody(request), query, part}, context));
  } catch (error) {
    if (error instanceof ControlError) return fail(422, error.message);
    throw error;
  }
}

/** What stands where the pattern has braces; undefined where the path is another. */
function matchPath(pattern: string, path: string): Map<string, string> | undefined {
  const names = pattern.split('/');
  const texts = path.split('/');
  const alike =
    names.length === texts.length && names.every((name, index) => name.startsWith('{') || name === texts[index]);
  return alike ? new Map(names.map((name, index) => [name.replace(/[{}]/g, ''), texts[index] ?? ''])) : undefined;
}

/** No body at all is an empty one, whatever the content type says. */
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

/** GET /: what this is and how it is steered. */
export function answerFrontPage(): Response {
  return new Response(FRONT_PAGE, {headers: {'content-type': 'text/html; charset=utf-8'}});
}

const FRONT_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Vezne sandbox</title>
<style>
  :root { color-scheme: light dark; }
  body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
  dd { margin-inline-start: 1.5rem; }
  dt { margin-top: 1rem; font-family: ui-monospace, monospace; }
</style>
<main>
<h1>Vezne sandbox</h1>
<p>The payment platform as its specification describes it, for development and tests. No bank, no money.
Its interfaces begin at <code>/phs</code>, <code>/micropayment</code>, <code>/pay</code> and <code>/landing</code>; it is steered with JSON at the controls below.
What brings which status about stands in <code>docs/sandbox.md</code>.</p>
<dl>
${CONTROLS.map(({method, path, summary}) => `<dt>${method} ${path}</dt><dd>${summary}</dd>`).join('\n')}
</dl>
</main>
</html>
`;
