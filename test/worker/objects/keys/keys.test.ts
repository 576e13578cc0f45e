/**
 * Tests API keys: what a key may do, that a revoked or invented key can do nothing, and that the log and commands name
 * the key of a write.
 */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import type {MerchantRow} from '../../../../worker/contract/endpoint.ts';
import {type EndpointName, endpoints} from '../../../../worker/contract/merchant/endpoints.ts';
import {type Scope, scopeCode, SCOPES} from '../../../../worker/contract/merchant/scopes.ts';
import {Objects} from '../../../../worker/objects.ts';
import {makeKey} from '../../../../worker/objects/keys/key-text.ts';
import {ask, call, expectProblem, KEY, newKey, newOrder, read} from '../../routes/merchant/support/merchant-server.ts';
import {platformCalls} from '../../routes/merchant/support/platform-calls.ts';
import {DAY, SECOND} from '../../support/clock.ts';
import {countObjectCalls, everythingStored} from '../../support/durable-objects.ts';
import {logLines} from '../../support/log-lines.ts';
import {pay} from '../../support/sandbox.ts';

const names = Object.keys(endpoints) as EndpointName[];
const row = (name: EndpointName): MerchantRow => endpoints[name];
const as = (key: string) => ({headers: {authorization: `Bearer ${key}`}});
const createKey = (...scopes: Scope[]) => read('createKey', {name: 'till', scopes});
const listBanks = (key: string, isolate?: Env) => call('listBanks', {}, {...as(key), ...(isolate && {isolate})});
/** Another isolate, which has no list of keys yet. */
const otherIsolate = (bindings: Record<string, unknown> = {}): Env => ({...env, ...bindings});

/** Endpoints by the scope that they need. The list was written by hand and does not have every endpoint. */
const EXPECTED: Readonly<Record<Scope | 'root', readonly EndpointName[]>> = {
  sessions: [
    'createSession',
    'createOrderCode',
    'createHostedOrderCode',
    'createPaymentNotice',
    'createVendorForm',
    'createPaymentPage',
    'generatePin',
    'requestSubscription',
    'getNumber',
    'addActivity',
  ],
  offers: ['putOffer', 'getOffer', 'listOffers', 'deleteOffer'],
  read: [
    'findOrderCode',
    'getOrder',
    'getTransaction',
    'searchTransactions',
    'getPaymentNotice',
    'getRefund',
    'listRefunds',
    'listBanks',
    'getSubscription',
    'searchSubscriptions',
    'getCharge',
    'searchCharges',
    'searchMessages',
    'listEvents',
    'listDeadEvents',
    'showQuotas',
    'listCommands',
    'examine',
  ],
  money: [
    'updateOrderCode',
    'completeOrder',
    'createRefund',
    'cancelSubscription',
    'resetTestNumber',
    'refundCharge',
    'cancelLandingSubscription',
  ],
  webhooks: ['resendEvent'],
  root: ['createKey', 'listKeys', 'revokeKey'],
};

test('each endpoint in `EXPECTED` needs the scope under which it is listed', () => {
  for (const [scope, expected] of Object.entries(EXPECTED))
    for (const name of expected) expect([name, row(name).scope]).toEqual([name, scope]);
});

test('only reads need the scope `read`, and only the root key may create, list and revoke keys', () => {
  for (const name of names) {
    if (row(name).scope === 'read') expect([name, row(name).write]).toEqual([name, undefined]);
    expect([name, row(name).scope === 'root']).toEqual([name, EXPECTED.root.includes(name)]);
  }
});

test('each endpoint refuses a key that lacks only the scope of this endpoint, and does nothing', async () => {
  const keys = new Map<string, string>();
  for (const missing of [...SCOPES, 'root'])
    keys.set(missing, (await createKey(...SCOPES.filter((scope) => scope !== missing))).key);
  const listed = await read('listKeys', {});
  for (const name of names) {
    const {
      scope,
      docs: {example},
    } = row(name);
    const key = keys.get(scope) ?? '';
    const calls = await countObjectCalls(async () =>
      expectProblem(await call(name, example.input as object, as(key)), scopeCode(scope)),
    );
    // The Worker reads the list of keys, and records the first use of a key on a day.
    expect(Object.keys(calls).filter((method) => !/^ApiKeys\.(usable|recordUse)$/.test(method))).toEqual([]);
  }
  expect(await platformCalls()).toEqual([]);
  expect((await read('listKeys', {})).items.map(({id}) => id)).toEqual(listed.items.map(({id}) => id));
});

test('a key may do what its scope allows, and nothing else', async () => {
  const order = {service: 'DEMO', order: newOrder(), amount: '149.90'};
  const {key: till} = await createKey('sessions');
  const {key: support} = await createKey('read');
  expect((await call('createOrderCode', order, as(till))).status).toBe(201);
  expect((await call('findOrderCode', {service: 'DEMO', order: order.order}, as(support))).status).toBe(200);
  expectProblem(await call('findOrderCode', {service: 'DEMO', order: order.order}, as(till)), 'read_scope_missing');
  expectProblem(await call('createOrderCode', order, as(support)), 'sessions_scope_missing');
});

test('a wrong scope is refused before the input and the idempotency key are read', async () => {
  const {key} = await createKey('read');
  const {headers} = as(key);
  expectProblem(await ask('/merchant/v1/refunds', {method: 'POST', headers, body: '{'}), 'money_scope_missing');
});

test('the text of a key is shown once, is absent from the list, and is stored only as a digest', async () => {
  const created = await createKey('read', 'money');
  expect(created).toEqual({
    id: expect.stringMatching(/^key_[0-9A-Z]{12}$/) as string,
    name: 'till',
    scopes: ['read', 'money'],
    created_at: expect.stringMatching(/T12:00:00\+03:00$/) as string,
    last_used_on: null,
    revoked_at: null,
    services: null,
    key: expect.stringMatching(/^vezne_sk_[0-9A-Z]{44}[0-9a-f]{8}$/) as string,
  });
  const {key, ...record} = created;
  expect(await read('listKeys', {})).toEqual({items: [record], next_cursor: null, total: 1});
  await listBanks(key);
  const used = {...record, last_used_on: record.created_at.slice(0, 10)};
  await expect.poll(async () => (await read('listKeys', {})).items).toEqual([used]);
  const secret = key.slice('vezne_sk_'.length + 12, -8);
  expect(await everythingStored()).not.toContain(secret);
  expect(
    logLines()
      .map((line) => JSON.stringify(line))
      .join(),
  ).not.toContain(secret);
});

const lastUse = async () => (await read('listKeys', {})).items[0]?.last_used_on ?? '';

test('the day of the last use is written once a day', async () => {
  const {key} = await createKey('read');
  const use = () => countObjectCalls(async () => void (await listBanks(key)));
  await use();
  await expect.poll(lastUse).not.toBe('');
  const first = await lastUse();
  expect(await use()).not.toHaveProperty('ApiKeys.recordUse');
  vi.setSystemTime(Date.now() + DAY);
  await use();
  await expect.poll(async () => Date.parse(await lastUse()) - Date.parse(first)).toBe(DAY);
});

test('the isolate that revokes a key refuses it immediately; all others refuse it within 30 seconds', async () => {
  const {key, id} = await createKey('read');
  const elsewhere = otherIsolate();
  expect((await listBanks(key, elsewhere)).status).toBe(200);
  const revoked = await read('revokeKey', {id});
  expect(revoked).toMatchObject({id, revoked_at: expect.stringMatching(/T12:00:00\+03:00$/) as string});
  expectProblem(await listBanks(key), 'unauthorized');
  vi.setSystemTime(Date.now() + 30 * SECOND);
  expectProblem(await listBanks(key, elsewhere), 'unauthorized');
  expect(await read('revokeKey', {id})).toEqual(revoked);
  expect((await read('listKeys', {})).items).toEqual([revoked]);
  expectProblem(await call('revokeKey', {id: 'key_0123456789AB'}), 'not_found');
});

test('an isolate reads the list of keys again in the background before the list is too old', async () => {
  const {key, id} = await createKey('read');
  const elsewhere = otherIsolate();
  await listBanks(key, elsewhere);
  await contextOf(env).objects.apiKeys().revoke(id);
  vi.setSystemTime(Date.now() + 21 * SECOND);
  expect((await listBanks(key, elsewhere)).status).toBe(200);
  await expect.poll(async () => (await listBanks(key, elsewhere)).status).toBe(401);
});

test('a new key is accepted by every isolate within two seconds', async () => {
  const elsewhere = otherIsolate();
  await listBanks((await createKey('read')).key, elsewhere);
  const {key} = await createKey('read');
  expectProblem(await listBanks(key, elsewhere), 'unauthorized');
  vi.setSystemTime(Date.now() + 2 * SECOND + 1);
  expect((await listBanks(key, elsewhere)).status).toBe(200);
});

/** Texts that an attacker might try. None of them is a complete valid key. */
async function guesses(): Promise<string[]> {
  const {key, id} = await createKey('read', 'money');
  const {text: invented} = await makeKey();
  const secret = key.slice(21, -8);
  return [
    `vezne_sk_${id.slice(4)}`,
    key.slice(0, -1),
    `${key}0`,
    key.toLowerCase(),
    key.replace('vezne_sk_', 'vezne_pk_'),
    // The id of one key with the secret of another key.
    `vezne_sk_${id.slice(4)}${invented.slice(21)}`,
    `${invented.slice(0, 21)}${secret}${key.slice(-8)}`,
    // The right secret with a wrong checksum.
    `${key.slice(0, -8)}00000000`,
    'vezne_sk_' + 'x'.repeat(5000),
    id,
  ];
}

test('a text without the format or the checksum of a key is refused without a call to an object', async () => {
  const texts = await guesses();
  const isolate = otherIsolate({ADDRESS_RATE: {limit: () => Promise.reject(new Error('not asked'))}});
  const calls = await countObjectCalls(async () => {
    for (const text of texts) expectProblem(await listBanks(text, isolate), 'unauthorized');
  });
  expect(calls).toEqual({});
});

test('a hundred guesses in two seconds cause one call to the object, and later guesses are limited', async () => {
  const counted: string[] = [];
  const limit = ({key}: {key: string}) => Promise.resolve({success: counted.push(key) <= 1});
  const isolate = otherIsolate({ADDRESS_RATE: {limit}});
  const guess = async () => listBanks((await makeKey()).text, isolate);
  const calls = await countObjectCalls(async () => {
    for (let guessed = 0; guessed < 100; guessed += 1) expectProblem(await guess(), 'unauthorized');
  });
  expect(calls).toEqual({'ApiKeys.usable': 1});
  expect(counted).toEqual(['api keys unknown']);
  vi.setSystemTime(Date.now() + 3 * SECOND);
  const refused = await guess();
  expectProblem(refused, 'rate_limited');
  expect(refused.headers.get('retry-after')).toBe('60');
  expect(logLines('request').at(-1)).not.toHaveProperty('asked_by');
});

test('while an address guesses, the root key and the valid keys that the isolate knows still work', async () => {
  const {key} = await createKey('read');
  let allowed = true;
  const isolate = otherIsolate({ADDRESS_RATE: {limit: () => Promise.resolve({success: allowed})}});
  await listBanks(key, isolate);
  allowed = false;
  vi.setSystemTime(Date.now() + 5 * SECOND);
  expectProblem(await listBanks((await makeKey()).text, isolate), 'rate_limited');
  expect((await listBanks(key, isolate)).status).toBe(200);
  expect((await listBanks(KEY, isolate)).status).toBe(200);
});

test('guesses leave nothing in storage', async () => {
  await listBanks((await makeKey()).text, otherIsolate());
  const stored = await runInDurableObject(contextOf(env).objects.apiKeys(), (_object, {storage}) =>
    storage.sql
      .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
      .toArray(),
  );
  expect(stored).toEqual([]);
});

test('while the keys cannot be read, a key is refused as temporarily unavailable, and the root key works', async () => {
  const {key} = await createKey('read');
  const isolate = otherIsolate();
  vi.spyOn(Objects.prototype, 'apiKeys').mockImplementation(() => {
    throw new Error('hush');
  });
  const refused = await listBanks(key, isolate);
  expectProblem(refused, 'temporarily_unavailable');
  expect(refused.headers.get('retry-after')).toBe('1');
  expect((await listBanks(KEY, isolate)).status).toBe(200);
});

test('without MERCHANT_API_KEY the merchant API is off for all keys', async () => {
  const {key} = await createKey('read');
  expectProblem(await listBanks(key, otherIsolate({MERCHANT_API_KEY: undefined})), 'unauthorized');
});

test('with an invalid configuration, the doctor accepts the root key only', async () => {
  const {key} = await createKey('read');
  const bindings = {MERCHANT_ID: 'x'};
  expectProblem(await call('examine', {}, {...as(key), bindings}), 'unauthorized');
  expect((await call('examine', {}, {bindings})).status).toBe(200);
  expect((await call('examine', {}, as(key))).status).toBe(200);
  expectProblem(await call('examine', {}, as((await createKey('money')).key)), 'read_scope_missing');
});

test('there may be a hundred keys; a further key is refused until one of them is revoked', async () => {
  const apiKeys = contextOf(env).objects.apiKeys();
  const [first] = await Promise.all(
    Array.from({length: 100}, async () =>
      apiKeys.create(await makeKey(), {name: 'till', scopes: ['read'], services: null}),
    ),
  );
  expectProblem(await call('createKey', {name: 'till', scopes: ['read']}), 'key_limit_reached');
  await read('revokeKey', {id: first?.id ?? ''});
  expect((await createKey('read')).scopes).toEqual(['read']);
});

test('a revoked key is listed for 400 days', async () => {
  const {id} = await createKey('read');
  await read('revokeKey', {id});
  vi.setSystemTime(Date.now() + 400 * DAY);
  const next = await createKey('read');
  expect((await read('listKeys', {})).items.map((item) => item.id)).toEqual([next.id]);
});

test('a new key must have at least one scope; unknown and repeated scopes are refused', async () => {
  for (const scopes of [[], ['everything'], ['read', 'read'], ['root']])
    expect((await call('createKey', {name: 'till', scopes})).status).toBe(422);
});

test('commands, the ledger and the log say which key asked for a write', async () => {
  const {key, id} = await createKey('money', 'sessions');
  const order = {service: 'DEMO', order: newOrder(), amount: '149.90'};
  const {order_code} = await read('createOrderCode', order, as(key));
  await pay({order_code});
  const contact = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
  const idempotencyKey = newKey();
  expect((await call('createRefund', {...order, contact}, {...as(key), key: idempotencyKey})).status).toBe(201);
  expect(logLines('request').at(-1)).toMatchObject({route: '/merchant/v1/refunds', status: 201, asked_by: id});
  expect((await read('listCommands', {})).items).toMatchObject([{operation: 'createRefund', asked_by: id}]);
  expect(logLines('request').at(-1)).toMatchObject({route: '/merchant/v1/commands', asked_by: 'root'});
  const entry = await runInDurableObject(
    await contextOf(env).objects.ledger('money', idempotencyKey),
    (_object, {storage}) => storage.kv.get('kept'),
  );
  expect(entry).toMatchObject({what: {askedBy: id}});
  const events = await read('listEvents', {});
  expect(JSON.stringify(events)).not.toContain(id);
});

test('a write that is repeated with the same idempotency key but a newer API key is not done again', async () => {
  const [before, after] = [await createKey('money', 'sessions'), await createKey('money', 'sessions')];
  const order = {service: 'DEMO', order: newOrder(), amount: '149.90'};
  const key = newKey();
  const first = await call('createOrderCode', order, {...as(before.key), key});
  const again = await call('createOrderCode', order, {...as(after.key), key});
  expect([again.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([201, first.text, 'true']);
  expect(await platformCalls('/orderToReference/create')).toHaveLength(1);
});

const finding = async () => (await read('examine', {})).checks.find(({name}) => name === 'keys');

test('the doctor names keys that were not used for 90 days', async () => {
  const {id} = await createKey('read');
  expect(await finding()).toMatchObject({state: 'ok', action: null});
  vi.setSystemTime(Date.now() + 92 * DAY);
  expect(await finding()).toMatchObject({state: 'warning', message: expect.stringContaining(`till (${id})`) as string});
  await read('revokeKey', {id});
  expect(await finding()).toMatchObject({
    state: 'ok',
    message: expect.stringContaining('docs/deploy.md says how to give each server a key of its own') as string,
  });
});
