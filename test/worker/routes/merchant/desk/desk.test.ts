/** Tests who reaches the desk's data: signing in and out, the cookie, and what other pages of the same origin get. */

import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import type {Scope} from '../../../../../worker/contract/merchant/scopes.ts';
import {handle} from '../../../../../worker/router.ts';
import {advance, HOUR, MINUTE, SECOND} from '../../../support/clock.ts';
import {CLASSES} from '../../../support/durable-objects.ts';
import {logLines} from '../../../support/log-lines.ts';
import {ask, KEY, newOrder, read, WORKER} from '../support/merchant-server.ts';

const OTHER_PAGE = '<meta name="vezne-desk" content="__VEZNE_DESK__">';
const assets = {
  fetch: () => Promise.resolve(new Response(OTHER_PAGE, {headers: {etag: '"1"', 'x-frame-options': 'DENY'}})),
};
const SERVICES = {DEMO: {micropaymentId: 1}, OTHER: {micropaymentId: 2}};

/** One isolate; other bindings are those of another. */
const isolate = {...env, ASSETS: assets, SERVICES} as unknown as Env;

interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly bindings?: object;
}

function open(path: string, {method = 'GET', headers = {}, body, bindings}: Asked = {}): Promise<Response> {
  const request = new Request(`${WORKER}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body !== undefined && {body}),
  });
  return handle(request, bindings ? ({...isolate, ...bindings} as unknown as Env) : isolate);
}

const makeKey = async (scopes: Scope[], services?: string[]) =>
  read('createKey', {name: 'desk', scopes, ...(services && {services})}, {bindings: {SERVICES}});

const FORM = {'content-type': 'application/x-www-form-urlencoded'};

const signIn = (key: string, {headers = {}, ...more}: Asked = {}) =>
  open('/desk/api/sign-in', {
    method: 'POST',
    headers: {...FORM, origin: WORKER, ...headers},
    body: String(new URLSearchParams({key})),
    ...more,
  });

/** The cookie of an answer, as a browser sends it. */
const cookieOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '';

interface Data {
  readonly token: string;
  readonly key: string;
  readonly services: readonly string[];
  readonly limited: boolean;
}

/** What the document says of the person who opens it; null if it says nothing. */
async function openDocument(cookie: string, dest = 'document'): Promise<Data | null> {
  const answer = await open('/desk/', {headers: {cookie, 'sec-fetch-dest': dest}});
  expect(answer.status).toBe(200);
  const [, content = ''] = /content="(.*)">$/.exec(await answer.text()) ?? [];
  return JSON.parse(decodeURIComponent(content)) as Data | null;
}

async function person(key: string): Promise<{cookie: string; 'vezne-desk': string}> {
  const cookie = cookieOf(await signIn(key));
  return {cookie, 'vezne-desk': (await openDocument(cookie))?.token ?? ''};
}

const statusOf = async (path: string, headers: Record<string, string>, more: Asked = {}) =>
  (await open(path, {headers, ...more})).status;

const QUOTAS = '/desk/api/quotas';

test('a key that may read becomes a cookie, with which the desk reads what the merchant API says', async () => {
  const {key, id} = await makeKey(['read', 'money']);
  const answer = await signIn(` ${key} `);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/desk/']);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('set-cookie')).toMatch(
    /^vezne_desk=key_\w{12}\.\d+\.\w{16}\.\w{32}; Path=\/desk; Max-Age=28800; HttpOnly; Secure; SameSite=Strict$/,
  );
  expect(answer.headers.get('set-cookie')).not.toContain(key);
  const cookie = cookieOf(answer);
  const data = await openDocument(cookie);
  expect(data).toMatchObject({key: id, services: ['DEMO', 'OTHER'], limited: false});
  const headers = {cookie, 'vezne-desk': data?.token ?? ''};
  const order = newOrder();
  await read('createOrderCode', {service: 'DEMO', order, amount: '149.90'}, {bindings: {SERVICES}});
  for (const path of [`orders?service=DEMO&order=${order}`, `orders/timeline?service=DEMO&order=${order}`]) {
    const shown = await open(`/desk/api/${path}`, {headers});
    expect(await shown.json(), path).toEqual((await ask(`/merchant/v1/${path}`, {bindings: {SERVICES}})).body);
  }
  const doctor = await open('/desk/api/doctor', {headers});
  expect(await doctor.json()).toMatchObject({healthy: expect.any(Boolean) as boolean});
});

function expectRefused(answer: Response, code: string): void {
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/desk/?problem=${code}`]);
  expect(cookieOf(answer)).toBe('vezne_desk=');
}

test('nobody signs in with another key, or from a page of another origin', async () => {
  for (const key of ['', 'wrong', `${KEY}x`, 'x'.repeat(600)]) expectRefused(await signIn(key), 'unauthorized');
  const {key: writer} = await makeKey(['sessions', 'money']);
  expectRefused(await signIn(writer), 'read_scope_missing');
  const {key} = await makeKey(['read']);
  for (const origin of ['https://elsewhere.example', 'null', 'http://localhost:5173']) {
    const answer = await signIn(key, {headers: {origin}});
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
  }
  const answer = await open('/desk/api/sign-in', {method: 'POST', headers: FORM, body: `key=${key}`});
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
  expect((await open(`/desk/api/sign-in?key=${key}`)).status).toBe(401);
});

test('the root key opens the desk of the sandbox only', async () => {
  expect((await openDocument((await person(KEY)).cookie))?.key).toBe('root');
  const remote = {
    PHS_URL: 'https://platform.example/phs',
    MICROPAYMENT_URL: undefined,
    PAYMENT_PAGE_URL: undefined,
    LANDING_URL: undefined,
    ALLOWED_ORIGINS: 'https://shop.example',
    RETURN_URLS: undefined,
    MERCHANT_KEY: 'a-key-of-a-real-platform',
    MERCHANT_PRIVATE_KEY: undefined,
    SERVICE_PRIVATE_KEYS: undefined,
    LANDING_AUTHORIZATION: undefined,
    PAYMENT_PAGE_SECRET: undefined,
    SESSION_SECRET: 'a-secret-of-a-real-worker-that-is-long',
    MERCHANT_API_KEY: 'a-root-key-of-a-real-worker',
    WEBHOOK_URL: undefined,
    WEBHOOK_SECRET: undefined,
    OFFERS: undefined,
  };
  expect((await open('/desk/', {bindings: remote})).status).toBe(404);
  const on = {...remote, DESK: 'on'};
  expect((await open('/desk/', {bindings: on})).status).toBe(200);
  const answer = await signIn('a-root-key-of-a-real-worker', {bindings: on});
  expect([answer.headers.get('location'), cookieOf(answer)]).toEqual(['/desk/?problem=unauthorized', 'vezne_desk=']);
});

test('a request needs the cookie and the token of the same session', async () => {
  const {key} = await makeKey(['read']);
  const [own, other] = [await person(key), await person(key)];
  expect(await statusOf(QUOTAS, own)).toBe(200);
  const [id, end, random, signature] = own.cookie.split('.');
  for (const headers of [
    {},
    {cookie: own.cookie},
    {'vezne-desk': own['vezne-desk']},
    {...own, 'vezne-desk': ''},
    {...own, 'vezne-desk': other['vezne-desk']},
    {...own, cookie: other.cookie},
    {...own, cookie: `vezne_desk=root.${end}.${random}.${signature}`},
    {...own, cookie: `${id}.${Number(end) + 1}.${random}.${signature}`},
    {...own, cookie: `${id}.${end}.${random}.${'0'.repeat(32)}`},
    {...own, cookie: `other=1; x${own.cookie}`},
    {authorization: `Bearer ${key}`},
    {authorization: `Bearer ${KEY}`},
  ])
    expect(await statusOf(QUOTAS, headers as Record<string, string>), JSON.stringify(headers)).toBe(401);
  expect(await statusOf(QUOTAS, {...own, cookie: `other=1; ${own.cookie}; last=2`})).toBe(200);
  // A cookie is no API key.
  const asKey = {authorization: `Bearer ${own.cookie.slice('vezne_desk='.length)}`, cookie: own.cookie};
  expect(await statusOf('/merchant/v1/quotas', asKey)).toBe(401);
});

test('no script of another page of this origin gets the token, and no answer allows another origin', async () => {
  const {key} = await makeKey(['read']);
  const {cookie, 'vezne-desk': token} = await person(key);
  for (const dest of ['empty', 'iframe', 'frame', 'script', 'object', 'embed', ''])
    expect(await openDocument(cookie, dest), dest).toBe(null);
  for (const path of ['/desk/', QUOTAS]) {
    const headers = {cookie, 'vezne-desk': token, origin: 'http://localhost:5173', 'sec-fetch-dest': 'document'};
    const answer = await open(path, {headers});
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  const document = await open('/desk', {headers: {cookie, 'sec-fetch-dest': 'document'}});
  expect(document.headers.get('x-frame-options')).toBe('DENY');
  expect(document.headers.get('etag')).toBe(null);
  expect(document.headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('a session ends after eight hours, with its key, and on the server when somebody signs out', async () => {
  const [first, second] = [await makeKey(['read']), await makeKey(['read'])];
  const late = await person(first.key);
  await advance(8 * HOUR - MINUTE);
  expect(await statusOf(QUOTAS, late)).toBe(200);
  await advance(MINUTE);
  expect(await statusOf(QUOTAS, late)).toBe(401);

  const [ended, stays, revoked] = [await person(first.key), await person(first.key), await person(second.key)];
  const answer = await open('/desk/api/sign-out', {method: 'POST', headers: ended});
  expect([answer.status, answer.headers.get('set-cookie')]).toEqual([
    303,
    'vezne_desk=; Path=/desk; Max-Age=0; HttpOnly; Secure; SameSite=Strict',
  ]);
  await read('revokeKey', {id: second.id});
  expect(await statusOf(QUOTAS, ended)).toBe(401);
  expect(await statusOf(QUOTAS, stays)).toBe(200);
  // Every isolate learns of a revoked key within half a minute, and a new one at once.
  expect(await statusOf(QUOTAS, revoked, {bindings: {}})).toBe(401);
  await advance(30 * SECOND);
  expect(await statusOf(QUOTAS, revoked)).toBe(401);
  expect(await statusOf(QUOTAS, ended, {bindings: {}})).toBe(401);
  expect(await statusOf(QUOTAS, stays, {bindings: {}})).toBe(200);
});

test('a key of one service sees nothing of another, and no key changes anything', async () => {
  const {key} = await makeKey(['read', 'money', 'sessions'], ['DEMO']);
  const headers = await person(key);
  expect(await openDocument(headers.cookie)).toMatchObject({services: ['DEMO'], limited: true});
  const askDesk = async (path: string, more: Asked = {}) => {
    const answer = await open(`/desk/api/${path}`, {headers, ...more});
    return {status: answer.status, code: ((await answer.json()) as {code?: string}).code};
  };
  for (const query of ['days/2026-11-20?', 'bookings?', 'work?kind=late&', 'orders?order=S-1&'])
    expect(await askDesk(`${query}service=OTHER`), query).toEqual({status: 404, code: 'unknown_service'});
  expect(await askDesk('doctor')).toEqual({status: 403, code: 'all_services_required'});
  expect(await askDesk('keys')).toEqual({status: 403, code: 'root_key_required'});
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
    expect(await askDesk('refunds', {method, body: '{}'}), method).toEqual({status: 405, code: 'method_not_allowed'});
  expect(await askDesk('sign-out')).toMatchObject({status: 404});
});

test('with DESK off, there is no desk, and other paths below it do not exist', async () => {
  for (const path of ['/desk', '/desk/', QUOTAS, '/desk/api/sign-in'])
    expect(await statusOf(path, {}, {bindings: {DESK: 'off'}}), path).toBe(404);
  for (const path of ['/desk/other', '/desk/api', '/desk/api/']) expect(await statusOf(path, {}), path).toBe(404);
});

test('a cookie of the same name that somebody else has set keeps nobody out, and a longer value is no cookie', async () => {
  const headers = await person((await makeKey(['read'])).key);
  const {cookie} = headers;
  expect(await statusOf(QUOTAS, {...headers, cookie: `vezne_desk=a.9.b.c; ${cookie}`})).toBe(200);
  expect(await statusOf(QUOTAS, {...headers, cookie: `${cookie}.more`})).toBe(401);
});

test('without a root key, which switches the merchant API off, sessions of the desk end too', async () => {
  const headers = await person((await makeKey(['read'])).key);
  expect(await statusOf(QUOTAS, headers)).toBe(200);
  expect(await statusOf(QUOTAS, headers, {bindings: {MERCHANT_API_KEY: undefined}})).toBe(401);
});

test('the browser is signed out although the end of the session cannot be stored', async () => {
  const headers = await person((await makeKey(['read'])).key);
  vi.spyOn(CLASSES.Record.prototype, 'saveDetails').mockRejectedValue(new Error('away'));
  const answer = await open('/desk/api/sign-out', {method: 'POST', headers});
  expect([answer.status, cookieOf(answer)]).toEqual([303, 'vezne_desk=']);
  expect(logLines('record_failed')).toHaveLength(3);
  expect(await statusOf(QUOTAS, headers)).toBe(401);
});

test('the log says who signed in, and why somebody could not', async () => {
  const {key, id} = await makeKey(['read']);
  await signIn(key);
  await signIn('wrong');
  expect(logLines('request').filter(({route}) => route === '/desk/api/*')).toMatchObject([
    {status: 303, asked_by: id},
    {status: 303, code: 'unauthorized'},
  ]);
});
