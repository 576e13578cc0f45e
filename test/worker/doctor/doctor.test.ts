/** Tests that the doctor explains what is wrong with a configuration without revealing a secret. */

import {evictDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../worker/context.ts';
import {type CheckName, CHECKS} from '../../../worker/contract/checks.ts';
import {explainFailure} from '../../../worker/doctor/explain.ts';
import {book, NO_DETAILS} from '../../../worker/objects/archive/booking.ts';
import {ask, call, expectProblem, newOrder, read} from '../routes/merchant/support/merchant-server.ts';
import {advance, DAY, MINUTE} from '../support/clock.ts';
import {breakOrder, orderObject, runSweep} from '../support/durable-objects.ts';
import {control, countCalls, pay, setLine, setFault} from '../support/sandbox.ts';

const examine = (bindings?: Record<string, unknown>) => read('examine', {}, bindings && {bindings});
type Findings = Partial<Record<CheckName, [state: string, action: string | null]>>;

async function findings(bindings?: Record<string, unknown>): Promise<Findings> {
  const {checks, healthy} = await examine(bindings);
  expect(healthy).toBe(checks.every(({state}) => state !== 'failed'));
  expect(checks.map(({name}) => name)).toEqual(CHECKS);
  for (const {message} of checks) expect(message).toMatch(/^[A-Z\d].*[.)]$/);
  return Object.fromEntries(checks.map(({name, state, action}) => [name, [state, action]]));
}

const clock = async (bindings?: Record<string, unknown>) =>
  (await examine(bindings)).checks.find(({name}) => name === 'clock')?.message;
/** The doctor's finding for a call that the Worker did not send because of this limit, or an open circuit. */
const explainUnsent = (limit?: 'second' | 'day') =>
  explainFailure({
    check: 'micropayment',
    failure: {outcome: 'unsent', retryAfterMs: 1000, ...(limit && {limit})},
    egress: 'direct',
  });
/** A failed check whose advice contains the name of a binding. */
const failedWith = (binding: string) => ['failed', expect.stringContaining(binding) as string];

const HMAC_RECIPE =
  'hmac-sha256(merchantId "|" serviceId "|" referenceCode "|" item "|" price "|" successUrl "|" failureUrl) base64';

test('all checks of a correct configuration pass', async () => {
  // Other files share this isolate, which reports the refusals that they caused when a request ends.
  for (let request = 0; request < 2; request += 1) await ask('/health');
  await advance(6 * MINUTE);
  const {checks, healthy} = await examine();
  expect(healthy).toBe(true);
  for (const {name, state, action} of checks) expect([name, state, action]).toEqual([name, 'ok', null]);
  expect(checks[0]?.message).toBe('Complete.');
});

test.each([
  [{payment_page_types: 'numbers'}, {}, ['ok', null]],
  [{payment_page_types: 'text'}, {PAYMENT_PAGE_TYPES: 'text'}, ['ok', null]],
  [{payment_page_types: 'text'}, {}, failedWith('PAYMENT_PAGE_TYPES')],
  [{payment_page_key: 'hmac'}, {PAYMENT_PAGE_KEY: HMAC_RECIPE}, ['ok', null]],
  [{payment_page_key: 'hmac'}, {}, failedWith('PAYMENT_PAGE_KEY')],
])(
  'under the sandbox’s reading %j, the doctor says whether payment pages open with %j, and no money moves',
  async (reading, bindings, found) => {
    await control('limits', {limits: null});
    await control('readings', reading);
    expect((await findings(bindings)).payment_page).toEqual(found);
    expect((await read('searchCharges', {service: 'DEMO'})).items).toEqual([]);
  },
);

test('the doctor names a time that the Worker cannot read, and no amount that it can', async () => {
  await control('readings', {bank_times: 'zero', amounts: 'seventeen_digits'});
  await pay({amount: '29.90', description: 'lamba'});
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'services')).toMatchObject({
    state: 'warning',
    message: expect.stringMatching(
      / The Worker cannot read these values: transaction_date "0000-00-00 00:00:00"\.$/,
    ) as string,
  });
});

test.each([
  [{}, 'A search may span ten days, with or without an end date.'],
  [{missing_end_date: 'one_day'}, 'A search without an end date ends early; the Worker always sends an end date.'],
  [{search_days: 'one'}, 'It refuses a search that spans ten days, so the Worker searches single days.'],
  [{latest_end_date: 'tomorrow'}, 'It refuses a search that spans ten days, so the Worker searches single days.'],
  [{search_days: 'clipped'}, 'It shortens a search that spans ten days, so the Worker searches single days.'],
  [
    {search_days: 'clipped', end_date: 'inclusive'},
    'It shortens a search that spans ten days, so the Worker searches single days.',
  ],
])('the doctor says how many days a search may span, under the sandbox’s reading %j', async (reading, found) => {
  await pay({description: 'rent'});
  await control('readings', reading);
  const {checks} = await examine();
  const message = `The platform knows DEMO. ${found}`;
  expect(checks.find(({name}) => name === 'services')).toMatchObject({state: 'ok', message});
});

test.each(['valid', 'ended'])(
  'after an examination by the doctor, the Worker needs no further token (older tokens are %s)',
  async (older_tokens) => {
    await control('readings', {older_tokens});
    const {order_code} = await read('createOrderCode', {service: 'DEMO', order: newOrder(), amount: '149.90'});
    const id = await pay({order_code});
    const issued = await countCalls('/getToken');
    await examine();
    expect(await read('getTransaction', {id})).toMatchObject({id});
    expect(await countCalls('/getToken')).toBe(issued + 1);
  },
);

test('if only subscriptions are configured, the doctor finds nothing wrong, and /health is ok', async () => {
  const bindings = {PHS_URL: undefined, MERCHANT_KEY: undefined, MERCHANT_IP: undefined};
  const {checks, healthy} = await examine(bindings);
  expect(healthy).toBe(true);
  expect(checks.map(({name, state}) => [name, state])).toEqual([
    ['configuration', 'ok'],
    ['egress', 'ok'],
    ['token', 'skipped'],
    ['services', 'skipped'],
    ['banks', 'skipped'],
    ['landing', 'ok'],
    ['micropayment', 'ok'],
    ['payment_page', 'ok'],
    ['webhooks', 'ok'],
    ['books', 'ok'],
    ['clock', 'ok'],
    ['limits', 'ok'],
    ['keys', 'ok'],
  ]);
  expect(checks[0]?.message).toContain('Complete, but without orders and transfers (PHS_URL, MERCHANT_KEY).');
  expect((await ask('/health', {bindings})).body).toMatchObject({status: 'ok'});
  const order = {service: 'DEMO', order: newOrder(), amount: '149.90'};
  expectProblem(await call('createOrderCode', order, {bindings}), 'not_configured');
});

test.each([
  [6, '1 more not checked, to save calls.'],
  [7, '2 more not checked, to save calls.'],
])('with %i services, the doctor names the five that it checked and the number of the others', async (count, rest) => {
  const codes = Array.from({length: count}, (_, index) => `S${index}`);
  const SERVICES = Object.fromEntries(codes.map((code) => [code, {micropaymentId: 1}]));
  await control('limits', {limits: null});
  const {SERVICE_PRIVATE_KEYS: keys} = env as unknown as Record<string, string>;
  const {DEMO} = JSON.parse(keys ?? '') as {DEMO: string};
  const SERVICE_PRIVATE_KEYS = Object.fromEntries(codes.map((code) => [code, DEMO]));
  const {checks} = await examine({PHS_URL: undefined, MERCHANT_KEY: undefined, SERVICES, SERVICE_PRIVATE_KEYS});
  expect(checks.find(({name}) => name === 'micropayment')).toMatchObject({
    state: 'ok',
    message: `Mobile billing knows S0, S1, S2, S3, S4; ${rest} Charges can be searched by the time of their last change.`,
  });
});

test.each([
  [{search_time: 'iso'}, 'Charges can be searched by the time of their last change.'],
  [{charge_changes: 'failed'}, 'A search of charges refuses the time of their last change, so the Worker reads'],
  [{charge_changes: 'ignored'}, 'A search of charges ignores the time of their last change, so the Worker reads'],
])('with the reading %j, the doctor says how charges are found', async (reading, sentence) => {
  await control('readings', reading);
  await control('limits', {limits: null});
  await control('subscriptions', {msisdn: '5321234567'});
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'micropayment')?.message).toContain(sentence);
});

test('the doctor says why no payment page can be opened', async () => {
  const {checks} = await examine({MICROPAYMENT_URL: undefined});
  expect(checks[0]).toMatchObject({
    state: 'failed',
    message:
      'Pages cannot sell this. PAYMENT_PAGE_SECRET: Payment pages need MICROPAYMENT_URL, which shows their money.',
  });
});

test('if no transaction is dated today, the doctor says that it cannot compare searches', async () => {
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'services')?.message).toBe(
    'The platform knows DEMO. No transaction is dated today, so the doctor cannot say how many days a search shows.',
  );
});

test('the doctor compares the Worker’s clock with the time in the platform’s answers', async () => {
  expect(await clock()).toBe('The clocks of the platform and the Worker agree within a minute.');
  await control('clock', {advance_seconds: 600});
  expect(await clock()).toMatch(/^The platform’s clock is (59\d|60\d) seconds ahead of the Worker’s\.$/);
  vi.setSystemTime(Date.now() + 1_200_000);
  expect(await clock()).toMatch(/^The platform’s clock is (59\d|60\d) seconds behind the Worker’s\.$/);
  expect(await clock({MICROPAYMENT_URL: undefined})).toBe('The platform’s answers contain no time.');
});

test('for an HTML error page, the doctor says that the platform is broken, not that a URL is wrong', async () => {
  await setFault({operation: '/bank/getAll', kind: '500-html', times: 3});
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'banks')).toEqual({
    name: 'banks',
    state: 'failed',
    message: 'The platform or a proxy answers with an internal error (HTTP 500).',
    action: 'If the error lasts, ask the platform. If it was never reached before, check PHS_URL.',
  });
});

test('for an unexpected status of the landing interface, the doctor warns about the authorization', async () => {
  await setFault({operation: '/landing/get-msisdn', kind: 'status', status: '025', times: 3});
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'landing')).toMatchObject({
    state: 'warning',
    message: 'The landing interface answers with status 025, which does not show whether it accepts our authorization.',
  });
});

test('the doctor reports a used-up limit as a warning, and an open circuit as a failure', () => {
  expect(explainUnsent('second')).toEqual({
    state: 'warning',
    message: 'Not checked: the calls that the platform allows per second are used up.',
    action: 'Run the doctor again in a moment.',
  });
  expect(explainUnsent('day')).toEqual({
    state: 'warning',
    message: 'Not checked: the calls that the platform allows per day are used up.',
    action: 'GET /merchant/v1/quotas says when more calls are available.',
  });
  expect(explainUnsent()).toMatchObject({
    state: 'failed',
    message: 'The platform fails, so the Worker does not call it for now.',
  });
});

test('the doctor refuses a request with fields', async () => {
  expectProblem(await ask('/merchant/v1/doctor?x=1'), 'invalid_request', {
    fields: [{path: 'x', message: 'This field is not accepted.'}],
  });
});

test('with a wrong MERCHANT_KEY, the check of the token fails, and the services are not checked', async () => {
  expect(await findings({MERCHANT_KEY: 'sandbox-wrong-key'})).toMatchObject({
    token: failedWith('MERCHANT_IP'),
    services: ['skipped', null],
    banks: ['ok', null],
  });
});

test('for a wrong MERCHANT_IP, the doctor explains why the platform reports a wrong key', async () => {
  const {checks} = await examine({MERCHANT_IP: '198.51.100.9'});
  expect(checks.find(({name}) => name === 'token')).toEqual({
    name: 'token',
    state: 'failed',
    message: 'The platform refuses the key made from MERCHANT_ID, MERCHANT_IP and MERCHANT_KEY. (ERR_007)',
    action:
      'Check all three. MERCHANT_IP must be the IP address registered at the platform: the platform reports any ' +
      'other address as a wrong key.',
  });
});

test('if the platform refuses the IP address of the Worker’s calls, the doctor names EGRESS', async () => {
  await control('address', {allowed: false});
  const found = await findings();
  expect(
    Object.values(found).filter(([state, action]) => state === 'failed' && action?.includes('EGRESS')).length,
  ).toBeGreaterThanOrEqual(2);
  await control('address', {allowed: true});
});

test('the doctor names a service that the platform does not know', async () => {
  const OFFERS = {gold: {kind: 'payment', service: 'NONE', amount: '1.00', title: {tr: 'a', en: 'b'}}};
  const {checks} = await examine({SERVICES: {NONE: {micropaymentId: 99}}, SERVICE_PRIVATE_KEYS: undefined, OFFERS});
  expect(checks.find(({name}) => name === 'services')).toMatchObject({
    state: 'failed',
    message: 'The platform does not know the service NONE. (ERR_005)',
    action: 'Check its code in SERVICES.',
  });
  expect(checks.find(({name}) => name === 'micropayment')).toMatchObject({
    state: 'failed',
    action: expect.stringContaining('micropaymentId') as string,
  });
});

test('with a wrong LANDING_AUTHORIZATION, only the landing check fails', async () => {
  expect(await findings({LANDING_AUTHORIZATION: 'sandbox-wrong-authorization'})).toMatchObject({
    landing: failedWith('LANDING_AUTHORIZATION'),
    token: ['ok', null],
  });
});

test('the checks of interfaces that are not set up are skipped, and offers that need one of them are named', async () => {
  const {checks} = await examine({LANDING_URL: undefined});
  expect(checks[0]?.message).toBe(
    'Pages cannot sell this. OFFERS.club: A subscription needs LANDING_URL and LANDING_AUTHORIZATION. ' +
      'OFFERS.trial: A subscription needs LANDING_URL and LANDING_AUTHORIZATION.',
  );
  const OFFERS = {};
  const none = {MICROPAYMENT_URL: undefined, PAYMENT_PAGE_SECRET: undefined, LANDING_URL: undefined};
  expect(await findings({OFFERS, ...none})).toMatchObject({
    configuration: ['ok', null],
    landing: ['skipped', null],
    micropayment: ['skipped', null],
  });
});

test('the doctor warns about a service without a mobile billing id', async () => {
  expect(await findings({SERVICES: {DEMO: {micropaymentId: 1}, MORE: {}}})).toMatchObject({
    configuration: ['warning', expect.stringContaining('micropaymentId') as string],
  });
});

test('when the platform is down, each failed check names the URL to check', async () => {
  await setLine('refused');
  const found = await findings();
  await setLine('open');
  expect(found).toMatchObject({
    token: failedWith('PHS_URL'),
    banks: failedWith('PHS_URL'),
    landing: failedWith('LANDING_URL'),
    micropayment: failedWith('MICROPAYMENT_URL'),
    services: ['skipped', null],
  });
});

test('a check fails if the platform’s reply is unreadable', async () => {
  await setFault({operation: '/bank/getAll', kind: 'malformed', times: 3});
  expect(await findings()).toMatchObject({banks: failedWith('PHS_URL')});
});

test('the doctor does not follow redirects', async () => {
  await setFault({operation: '/bank/getAll', kind: 'redirect', times: 3});
  const {checks} = await examine();
  expect(checks.find(({name}) => name === 'banks')?.message).toContain('never followed');
});

const limits = async (bindings?: Record<string, unknown>) =>
  (await examine(bindings)).checks.find(({name}) => name === 'limits');

test('the doctor says which limits refuse shoppers, and which offers lack a human check', async () => {
  expect(await limits()).toMatchObject({state: 'ok', action: null});
  const counts = {'vezne_limit_refusals_total{limit="service_orders_per_minute"}': 12};
  const limited = {kind: 'calls_limited', interface: 'phs', operation: '', present: true} as const;
  await contextOf(env)
    .objects.platform()
    .recordReport({counts, troubles: [limited]});
  expect(await limits()).toEqual({
    name: 'limits',
    state: 'warning',
    message:
      'The platform says that it is called too often, so shoppers may have to wait. Lower phs_calls in ' +
      'QUOTAS, or ask the platform for more. ' +
      'In the last five minutes, the limit service_orders_per_minute refused at least 12 requests.',
    action: 'Somebody sends too many requests, or a limit in LIMITS is too low: docs/operations.md.',
  });
  const live = await limits({MERCHANT_KEY: 'a-merchant-key-of-ours'});
  expect(live?.message).toContain('No human check is set up for gold, brief, club');
  expect(live?.action).toContain('TURNSTILE_SITEKEY');
});

test('the doctor describes an unreadable configuration only if the root key is right, long and secret', async () => {
  const {checks, healthy} = await examine({MERCHANT_ID: 'x', OFFERS: '{'});
  expect(healthy).toBe(false);
  expect(checks[0]).toEqual({
    name: 'configuration',
    state: 'failed',
    message: 'MERCHANT_ID: Expected digits. OFFERS: This is neither a table nor JSON.',
    action: 'Correct these settings, and deploy. docs/deploy.md describes each of them.',
  });
  expect(checks.slice(1).every(({state}) => state === 'skipped')).toBe(true);
  expectProblem(
    await ask('/merchant/v1/doctor', {headers: {authorization: 'Bearer wrong'}, bindings: {MERCHANT_ID: 'x'}}),
    'unauthorized',
  );
  expectProblem(
    await ask('/merchant/v1/doctor', {
      headers: {authorization: 'Bearer short'},
      bindings: {MERCHANT_ID: 'x', MERCHANT_API_KEY: 'short'},
    }),
    'unauthorized',
  );
  const publicKey = (env as unknown as Record<string, string>)['MERCHANT_API_KEY'] ?? '';
  expectProblem(
    await ask('/merchant/v1/doctor', {
      headers: {authorization: `Bearer ${publicKey}`},
      bindings: {PHS_URL: 'https://platform.example/phs'},
    }),
    'unauthorized',
  );
});

test.for<[mistake: string, bindings: Record<string, unknown>, message: string]>([
  [
    'an origin with a slash at the end',
    {ALLOWED_ORIGINS: 'http://localhost:5173 https://shop.example/'},
    'ALLOWED_ORIGINS: Expected origins such as https://shop.example, without a slash at the end and separated by ' +
      'spaces, not "https://shop.example/".',
  ],
  [
    'a limit that is not a number',
    {LIMITS: '{"address_pins_per_hour": "hush"}'},
    'LIMITS.address_pins_per_hour: Expected a number.',
  ],
  [
    'a private key instead of a service code',
    {SERVICE_PRIVATE_KEYS: {hush: 'DEMO'}, SERVICES: {DEMO: {hush: 1}}},
    'SERVICES: This field is not accepted.',
  ],
])('the doctor says where %s is, without showing a secret', async ([, bindings, message]) => {
  const {checks} = await examine(bindings);
  expect(checks[0]).toEqual({
    name: 'configuration',
    state: 'failed',
    message,
    action: 'Correct these settings, and deploy. docs/deploy.md describes each of them.',
  });
});

test('the doctor names wrong offers, and checks everything else', async () => {
  const lamp = {kind: 'payment', service: 'SHOP', amount: '149,90', title: {tr: 'a', en: 'b'}};
  const OFFERS_2 = {lamp, chair: {...lamp, service: 'DEMO'}};
  const {checks, healthy} = await examine({OFFERS_2});
  expect(healthy).toBe(false);
  expect(checks[0]).toEqual({
    name: 'configuration',
    state: 'failed',
    message:
      'Pages cannot sell this. ' +
      'OFFERS_2.lamp.amount: Expected decimal text with at most two places, such as "149.90". ' +
      'OFFERS_2.chair.amount: Expected decimal text with at most two places, such as "149.90".',
    action: 'Correct this in the configuration, and deploy it. Everything else can be sold.',
  });
  expect(checks.slice(1).map(({state}) => state)).not.toContain('failed');
});

const books = async () => (await examine()).checks.find(({name}) => name === 'books');

test('the doctor says that the books lag while money cannot be handed over, and that money came after its day had closed', async () => {
  const order = newOrder();
  const {order_code} = await read('createOrderCode', {service: 'DEMO', order, amount: '149.90'});
  await breakOrder(order);
  await pay({order_code});
  await runSweep();
  expect(await books()).toMatchObject({
    state: 'warning',
    message: 'The books of DEMO lag. Transfers and refunds that wait: 1.',
  });
  await evictDurableObject(orderObject(order));
  await advance(MINUTE);
  await runSweep();
  const money = {...NO_DETAILS, id: 'out', order, amount: 100, transaction: 'T-1', at: Date.now() - 3 * DAY};
  await book(contextOf(env).objects, 'DEMO', [{...money, type: 'money.withdrawn'}]);
  expect(await books()).toMatchObject({
    state: 'warning',
    message: 'Money and refunds of DEMO that came after their day had closed, in rows: 1.',
  });
});
