/** GET /health. */

import {evictDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test, vi} from 'vitest';
import {version} from '../../../package.json';
import {contextOf} from '../../../worker/context.ts';
import {Health} from '../../../worker/contract/browser/answers.ts';
import {Objects} from '../../../worker/objects.ts';
import type {Platform} from '../../../worker/objects/platform/platform.ts';
import type {TokenProblems} from '../../../worker/objects/platform/token.ts';
import {handle} from '../../../worker/router.ts';
import {advance, MINUTE, SECOND, wireTime} from '../support/clock.ts';
import {everythingStored, platformObject} from '../support/durable-objects.ts';
import {notice} from '../support/events.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import {logLines} from '../support/log-lines.ts';
import {ask, askAsPage, openSession, ORIGIN, read, WORKER} from '../support/page.ts';
import {expectProblem, PROBLEMS} from '../support/problems.ts';
import {calls, control, setLine, setFault} from '../support/sandbox.ts';
import {failureOf} from '../support/stub-transport.ts';
import {TURNSTILE} from '../support/turnstile.ts';
import {deliver, freshReceiver, outboxObject, receiverUrl, setReceiver} from '../support/webhook-receiver.ts';

freshWorker();
freshReceiver();

/** The webhook of `WEBHOOK_URL`, before any event. */
const UNTRIED = {
  id: 'wh_configured',
  enabled: true,
  last_success_at: null,
  last_failure_at: null,
  last_status: null,
  last_fault: null,
  waiting: 0,
};

/** The answer of a Worker with one problem. */
const degraded = (problem: string, webhook: object = UNTRIED) => ({
  status: 'degraded',
  version,
  bindings: [],
  webhooks: [webhook],
  problems: [problem],
  notices: [],
});

/** The answer of a Worker without problems. */
const OK = {status: 'ok', version, bindings: [], webhooks: [UNTRIED], problems: [], notices: []};

const health = async (bindings?: Record<string, unknown>, status = 200) =>
  read(await ask('/health', bindings ? {bindings} : {}), Health, status);

test('a healthy Worker reports ok without calling the platform', async () => {
  const answer = await ask('/health', {headers: {origin: 'https://anyone.example'}});
  expect(read(answer, Health)).toEqual(OK);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(await calls()).toEqual([]);
});

test('a binding of wrangler.toml that is missing is named, and no session is opened', async () => {
  for (const name of ['ASSETS', 'ADDRESS_RATE', 'READ_RATE']) {
    const bindings = {[name]: undefined};
    expect(await health(bindings, 503)).toMatchObject({status: 'misconfigured', bindings: [name]});
    expectProblem(await askAsPage('POST', '/v1/sessions', {bindings, body: {offer: 'gold'}}), PROBLEMS.misconfigured);
  }
});

test('missing and invalid bindings are named without their values', async () => {
  const answer = await ask('/health', {
    bindings: {
      MERCHANT_KEY: undefined,
      PHS_URL: 'https://hush.example',
      LIMITS: '{"address_sessions_per_minute": "hush"}',
    },
  });
  expect(answer.status).toBe(503);
  expect(answer.body).toMatchObject({status: 'misconfigured', version});
  expect(new Set(Health.parse(answer.body).bindings)).toEqual(
    new Set([
      'PHS_URL',
      'MERCHANT_KEY',
      'LIMITS.address_sessions_per_minute',
      'MERCHANT_PRIVATE_KEY',
      'SERVICE_PRIVATE_KEYS',
      'LANDING_AUTHORIZATION',
      'PAYMENT_PAGE_SECRET',
      'SESSION_SECRET',
      'MERCHANT_API_KEY',
      'ALLOWED_ORIGINS',
    ]),
  );
  expect(answer.text).not.toContain('hush');
  expect(logLines('request')).toMatchObject([{level: 'error', route: '/health', status: 503}]);
});

test.for([
  [
    'ERR_007',
    'The platform refuses our key. Check MERCHANT_ID, MERCHANT_KEY and MERCHANT_IP, which is part of the key.',
  ],
  [
    'ERR_002',
    'The platform does not know the IP address of our calls. They must come from the address that is registered there.',
  ],
  ['ERR_020', 'The platform issues no token. The log event `token_refused` shows its status.'],
] as const)(
  'if the platform refuses a token with %s, /health says what to do until a token is issued',
  async ([status, problem]) => {
    await control('tokens/expire');
    await setFault({operation: '/getToken', kind: 'status', status});
    const {token} = await openSession();
    const refused = await askAsPage('POST', '/v1/order-code', {token});
    expectProblem(refused, PROBLEMS.temporarily_unavailable);
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(await health({}, 503)).toEqual(degraded(problem));
    await setFault({operation: '/getToken', kind: 'clear'});
    await advance(3 * SECOND);
    expect((await askAsPage('POST', '/v1/order-code', {token})).status).toBe(200);
    expect(await health()).toEqual(OK);
  },
);

test('an unreachable platform is reported after one failed token request, until a token is issued', async () => {
  const current = await platformObject().currentToken();
  const oldToken = 'token' in current ? current.token : '';
  await setLine('refused');
  expect(await platformObject().renewToken(oldToken)).toEqual({retryAfterMs: 5 * SECOND});
  await setLine('open');
  await evictDurableObject(platformObject());
  expect(await health({}, 503)).toEqual(
    degraded('The platform cannot be reached for a token, so no orders can be created. The doctor says why.'),
  );
  await advance(3 * SECOND);
  expect(await platformObject().renewToken(oldToken)).toEqual({token: expect.any(String) as string});
  expect(await health()).toEqual(OK);
});

/** The bindings of another isolate: new memory, the same Durable Objects. */
const newIsolate = () => ({...env});

test('if one isolate notices an outage, other isolates report it until the first one notices its end', async () => {
  const {token} = await openSession();
  await askAsPage('POST', '/v1/order-code', {token});
  await setFault({operation: '/transaction/search', kind: '500-html'});
  const {platform} = contextOf(newIsolate());
  for (let call = 0; call < 10; call += 1)
    await failureOf(platform.call('transactionSearch', {code: 'DEMO', length: 1}));
  const problem = 'The platform keeps failing, and the Worker tries it again. The doctor says why.';
  await expect.poll(() => platformObject().notices()).toMatchObject({troubles: [{kind: 'circuit_open'}]});
  await evictDurableObject(platformObject());
  expect(await health()).toEqual(degraded(problem));
  await setFault({operation: '/transaction/search', kind: 'clear'});
  await advance(15 * SECOND);
  await platform.call('transactionSearch', {code: 'DEMO', length: 1});
  await expect.poll(() => platformObject().notices()).toMatchObject({troubles: []});
  expect(await health()).toMatchObject({status: 'ok'});
});

test('if the platform refuses the IP address of any call, /health says so for five minutes', async () => {
  await setFault({operation: '/bank/getAll', kind: 'status', status: 'ERR_002', times: 1});
  await ask('/v1/banks');
  await expect
    .poll(async () => (await platformObject().notices()).troubles)
    .toMatchObject([{kind: 'address_refused', interface: 'phs', operation: 'bankGetAll'}]);
  expect(await health({}, 503)).toEqual(
    degraded(
      'The platform does not know the IP address of our calls. They must come from the address that is registered there.',
    ),
  );
  await advance(5 * MINUTE);
  expect(await health()).toMatchObject({status: 'ok'});
});

test('a monitor may read the status of /health with HEAD', async () => {
  const [head, get] = [await ask('/health', {method: 'HEAD'}), await ask('/health')];
  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
    200,
    '',
    get.headers.get('content-type'),
  ]);
  expect((await ask('/health', {method: 'HEAD', bindings: {MERCHANT_KEY: undefined}})).status).toBe(503);
});

/** Replaces the `Platform` object, and returns the spy of its method. */
function fakeToken(answer: () => Promise<TokenProblems>) {
  const reads = vi.fn(answer);
  const fake = {tokenProblems: reads, notices: () => Promise.resolve({troubles: [], refusals: []})};
  vi.spyOn(Objects.prototype, 'platform').mockReturnValue(fake as unknown as DurableObjectStub<Platform>);
  return reads;
}

const readHealth = async (bindings: object) =>
  Health.parse(await (await handle(new Request(`${WORKER}/health`), bindings as Env)).json());

test('any number of requests calls the `Platform` object at most once in three seconds', async () => {
  const reads = fakeToken(() => Promise.resolve({refusal: 'ERR_007', isUnreachable: false}));
  const bindings = {...env};
  for (let count = 0; count < 20; count += 1) expect(await readHealth(bindings)).toMatchObject({status: 'degraded'});
  expect(reads).toHaveBeenCalledTimes(1);
  await advance(3 * SECOND);
  await readHealth(bindings);
  expect(reads).toHaveBeenCalledTimes(2);
});

test('if the `Platform` object does not answer, /health reports this as a problem', async () => {
  fakeToken(() => Promise.reject(new Error('hush')));
  const problem =
    'A Durable Object that knows whether the platform works does not answer. Try again. If the problem persists, check Cloudflare’s status and the log.';
  expect(await readHealth({...env})).toEqual(degraded(problem));
  expect(logLines('internal_error')).toMatchObject([{level: 'warn', route: '/health'}]);
});

test('/health refuses methods other than GET and HEAD', async () => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await ask('/health', {method});
    expectProblem(answer, PROBLEMS.method_not_allowed);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  }
});

test('a webhook that fails is reported with its state and without its URL, until it accepts an event', async () => {
  await setReceiver({refused: 1, status: 500});
  await outboxObject().append(['S-1', 'S-2', 'S-3'].map((order) => notice(order)));
  await deliver();
  const state = {...UNTRIED, last_failure_at: wireTime(), last_status: 500, waiting: 3};
  const answer = await ask('/health', {});
  expect(read(answer, Health, 503)).toEqual(
    degraded('Events do not reach the webhook wh_configured. The doctor says why.', state),
  );
  expect(answer.text).not.toContain(new URL(receiverUrl('/')).port);
  await setReceiver({});
  await advance(MINUTE);
  await deliver();
  expect(await health()).toEqual({
    status: 'ok',
    version,
    bindings: [],
    webhooks: [{...state, last_success_at: wireTime(), waiting: 0}],
    problems: [],
    notices: [],
  });
});

/** An isolate with a limit of one session a minute. Requests with the same returned object reach the same isolate. */
const isolate = () => ({...env, LIMITS: {address_sessions_per_minute: 1}}) as unknown as Env;
const openFrom = (address: string, worker: Env) =>
  handle(
    new Request(`${WORKER}/v1/sessions`, {
      method: 'POST',
      headers: {origin: ORIGIN, 'content-type': 'application/json', 'cf-connecting-ip': address},
      body: JSON.stringify({offer: 'gold'}),
    }),
    worker,
  );
const healthOf = async (worker: Env) =>
  Health.parse(await (await handle(new Request(`${WORKER}/health`), worker)).json());

describe('the notices of /health', () => {
  test('for five minutes, a notice says which limit refused how many requests, but names no IP address', async () => {
    const worker = isolate();
    const notices = async () => (await advance(3 * SECOND), (await healthOf(worker)).notices);
    for (let request = 0; request < 4; request += 1) await openFrom('198.51.100.201', worker);
    await expect
      // The isolate sends its counts within half a minute.
      .poll(notices, {interval: 20})
      .toEqual(['In the last five minutes, the limit address_sessions_per_minute refused at least 3 requests.']);
    expect((await healthOf(worker)).status).toBe('ok');
    expect(await everythingStored()).not.toContain('198.51.100');
    await advance(5 * MINUTE);
    expect(await notices()).toEqual([]);
  });

  test('if no human check is set up, a notice names the offers whose shoppers would need one', async () => {
    const live = {
      PHS_URL: 'https://platform.example/phs',
      MERCHANT_KEY: 'merchant-key-of-ours',
      MERCHANT_PRIVATE_KEY: undefined,
      SERVICE_PRIVATE_KEYS: undefined,
      LANDING_AUTHORIZATION: 'landing-authorization-of-ours',
      PAYMENT_PAGE_SECRET: undefined,
      MERCHANT_API_KEY: undefined,
      SESSION_SECRET: 'a-session-secret-of-ours-0123456789',
      ALLOWED_ORIGINS: 'https://shop.example',
    };
    const noticesOf = async (more: object) => (await health({...live, ...more})).notices;
    expect(await noticesOf({})).toEqual([
      'No human check is set up for gold, brief, club, trial: above a limit, the Worker refuses every shopper instead of asking for the check.',
    ]);
    expect(await noticesOf(TURNSTILE)).toEqual([]);
    const noPins = {address_pins_per_hour: null, prefix_pins_per_hour: null, confirm_rate_percent: null};
    expect(await noticesOf({LIMITS: noPins})).toMatchObject([expect.stringContaining('gold, brief:')]);
  });
});

test('if an offer is wrong, only this offer is left out, and /health names it', async () => {
  const lamp = {kind: 'payment', service: 'DEMO', amount: '149,90', title: {tr: 'Lamba', en: 'Lamp'}};
  const club = {kind: 'subscription', product: 77};
  const bindings = {OFFERS_2: {lamp, club_2: club}};
  expect(await health(bindings, 503)).toMatchObject({
    status: 'degraded',
    bindings: [],
    problems: ['Pages cannot sell lamp, club_2, because the configuration is wrong. The doctor says what to correct.'],
  });
  const open = (offer: string) => askAsPage('POST', '/v1/sessions', {bindings, body: {offer}});
  expect((await open('gold')).status).toBe(201);
  expectProblem(await open('lamp'), PROBLEMS.misconfigured);
  expectProblem(await open('none'), PROBLEMS.unknown_offer);
  expect(logLines('misconfigured')).toMatchObject([{level: 'error', names: ['OFFERS.lamp']}]);
});

test('if nothing would show the money of payment pages, /health says so, and no page opens', async () => {
  const {token} = await openSession();
  for (const bindings of [{MICROPAYMENT_URL: undefined}, {SERVICES: {DEMO: {}}}]) {
    expect(await health(bindings, 503)).toMatchObject({
      problems: [expect.stringContaining('Pages cannot sell anything on payment pages, because') as string],
    });
    expectProblem(await askAsPage('POST', '/v1/payment-pages', {token, bindings}), PROBLEMS.misconfigured);
  }
});

test('if charges of an open payment page are not read for a quarter of an hour, /health rings', async () => {
  const {token} = await openSession();
  expect((await askAsPage('POST', '/v1/payment-pages', {token})).status).toBe(200);
  expect((await health({})).status).toBe('ok');
  await advance(16 * MINUTE);
  expect(await health({}, 503)).toMatchObject({
    problems: [
      'The service DEMO was last searched for charges 16 minutes ago. The log event `charges_unread` says why.',
    ],
  });
});

test('a page can still read its payment after the configuration of its offer has become wrong', async () => {
  const {token} = await openSession();
  const bindings = {OFFERS: '{'};
  expect((await askAsPage('GET', '/v1/payment', {token, bindings})).status).toBe(200);
  expectProblem(await askAsPage('POST', '/v1/sessions', {bindings, body: {offer: 'gold'}}), PROBLEMS.misconfigured);
  expect(await health(bindings, 503)).toMatchObject({
    status: 'degraded',
    problems: [
      'Pages cannot sell all offers of OFFERS, because the configuration is wrong. The doctor says what to correct.',
    ],
  });
});
