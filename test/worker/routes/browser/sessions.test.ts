/** POST /v1/sessions and GET /v1/session. */

import {env} from 'cloudflare:workers';
import {expect, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {NewPaymentSession} from '../../../../worker/contract/browser/answers.ts';
import {Objects} from '../../../../worker/objects.ts';
import {DAY, MINUTE, SECOND, advance, wireTime} from '../../support/clock.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {
  CLUB,
  CLUB_LINKS,
  type RequestOptions,
  askAsPage,
  newAddress,
  openMerchantSession,
  openOrder,
  openSession,
  openSubscription,
  ORIGIN,
  read,
  SELLER,
} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls} from '../../support/sandbox.ts';

freshWorker();

const create = (address = newAddress(), more: RequestOptions = {}) =>
  askAsPage('POST', '/v1/sessions', {...more, body: {offer: 'gold'}, headers: {'cf-connecting-ip': address}});

test('a session has the price and the deadline of its offer', async () => {
  const answer = await create();
  const {token, order, ...rest} = read(answer, NewPaymentSession, 201);
  expect(rest).toEqual({
    kind: 'payment',
    title: {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'},
    amount: '149.90',
    currency: 'TRY',
    create_until: wireTime(Date.now() + 30 * MINUTE),
    read_until: wireTime(Date.now() + 7 * DAY),
    hours: 72,
    human_check: null,
  });
  expect(order).toMatch(/^VZ[0-9A-HJKMNP-TV-Z]{16}$/);
  expect(token.split('.')).toHaveLength(3);
  expect(Object.fromEntries(answer.headers)).toEqual({
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    vary: 'Origin',
    'access-control-allow-origin': ORIGIN,
    'access-control-expose-headers': 'x-request-id, retry-after, vezne-read',
    'x-request-id': answer.headers.get('x-request-id'),
  });
});

/** The configuration of the offer `club`. */
const {human_check: _check, one_click: _oneClick, currency: _currency, ...offerOfClub} = CLUB;
const CLUB_OFFER = {...offerOfClub, product: 77};

test('a subscription session shows its price, period and terms', async () => {
  const {token, ...rest} = await openSubscription();
  expect(rest).toEqual({...CLUB, ...CLUB_LINKS, seller: SELLER, create_until: wireTime(Date.now() + 30 * MINUTE)});
  const shown = await askAsPage('GET', '/v1/session', {token});
  expect([shown.status, shown.body]).toEqual([200, rest]);
  expect(await openSubscription({ONE_CLICK: 'on'})).toMatchObject({one_click: true});
});

const LINKS = {
  terms_url: 'https://shop.example/terms',
  privacy_url: 'https://shop.example/privacy',
  manage_url: 'https://shop.example/account',
};
const OWN_SELLER = {name: 'Ada Seramik', support_url: 'https://shop.example/help'};

test('a subscription session has the links and the seller of its offer, or those that the merchant’s server set', async () => {
  const club = {...CLUB_OFFER, ...LINKS, seller: OWN_SELLER};
  const {token, ...rest} = await openSubscription({OFFERS: {club}});
  expect(rest).toMatchObject({...LINKS, seller: OWN_SELLER});
  const shown = await askAsPage('GET', '/v1/session', {token, bindings: {OFFERS: {club}}});
  expect(shown.body).toEqual(rest);
  const {terms_url} = LINKS;
  const made = await openMerchantSession({...CLUB_OFFER, origin: ORIGIN, terms_url, seller: SELLER});
  const {body} = await askAsPage('GET', '/v1/session', {token: made.token});
  expect(body).toMatchObject({title: CLUB.title, terms_url, seller: SELLER});
  expect(body).not.toHaveProperty('privacy_url');
});

test('a subscription session of the merchant’s server shows the title and terms that the server set', async () => {
  const {objects, sessions} = contextOf(env);
  const [title, terms] = [
    {tr: 'Bülten', en: 'Newsletter'},
    {tr: 'Aylık', en: 'Monthly'},
  ];
  const expiresAt = Date.now() + 30 * MINUTE;
  await objects.details('made-up-name').saveDetails({kind: 'subscription', title, terms}, expiresAt);
  const session = {
    kind: 'subscription',
    origin: ORIGIN,
    product: 78,
    price: 2990,
    period: 'monthly',
    operators: [{id: 2, name: 'Dört'}],
    texts: 'a digest',
    expiresAt,
  } as const;
  const token = await sessions.sign({...session, details: 'made-up-name'});
  expect((await askAsPage('GET', '/v1/session', {token})).body).toEqual({
    ...CLUB,
    title,
    terms,
    price: '29.90',
    period: 'monthly',
    operators: [{id: 2, name: 'Dört'}],
    create_until: wireTime(expiresAt),
  });
  expectProblem(
    await askAsPage('GET', '/v1/session', {token: await sessions.sign({...session, details: 'another-name'})}),
    PROBLEMS.session_expired,
  );
});

test('a session of a removed offer gets unknown_offer', async () => {
  const {token} = await openSubscription();
  expectProblem(await askAsPage('GET', '/v1/session', {token, bindings: {OFFERS: {}}}), PROBLEMS.unknown_offer);
});

test('every session has its own order', async () => {
  const orders = await Promise.all(Array.from({length: 20}, async () => (await openSession()).order));
  expect(new Set(orders).size).toBe(20);
});

test('opening a session does not call the platform', async () => {
  await create();
  expect(await calls()).toEqual([]);
});

test('a session for an unknown offer is refused', async () => {
  for (const [offer, problem] of [
    ['silver', PROBLEMS.unknown_offer],
    ['__proto__', PROBLEMS.unknown_offer],
    ['Gold', PROBLEMS.unknown_offer],
  ] as const) {
    expectProblem(await askAsPage('POST', '/v1/sessions', {body: {offer}}), problem);
  }
});

test('a wrong body is refused, and the problem names the field', async () => {
  for (const [body, path] of [
    [{}, 'offer'],
    [{offer: ''}, 'offer'],
    [{offer: 7}, 'offer'],
    [{offer: null}, 'offer'],
    [{offer: ['gold']}, 'offer'],
    [{offer: 'x'.repeat(81)}, 'offer'],
    [{offer: 'gold', amount: '0.01'}, 'amount'],
    [{offer: 'gold', order: 'S-1'}, 'order'],
    [{offer: 'gold', origin: 'https://evil.example'}, 'origin'],
  ] as readonly [body: unknown, path: string][]) {
    const answer = await askAsPage('POST', '/v1/sessions', {body});
    expect(answer.body).toEqual({
      type: '/problems/invalid_request',
      title: PROBLEMS.invalid_request.title,
      status: 422,
      code: 'invalid_request',
      retryable: false,
      request_id: answer.headers.get('x-request-id'),
      fields: [{path, message: expect.any(String) as string}],
    });
  }
});

const LIMIT = {LIMITS: {address_sessions_per_minute: 5}};

test('an address opens exactly its limit of sessions per minute, even with concurrent requests', async () => {
  const address = newAddress();
  const openOne = () => create(address, {bindings: LIMIT});
  const answers = await Promise.all(Array.from({length: 20}, openOne));
  expect(answers.filter(({status}) => status === 201)).toHaveLength(5);
  const refused = answers.filter(({status}) => status !== 201);
  expect(refused).toHaveLength(15);
  for (const answer of refused) {
    expectProblem(answer, PROBLEMS.rate_limited);
    expect(answer.headers.get('retry-after')).toBe('60');
  }
  await advance(MINUTE - SECOND);
  expect((await openOne()).headers.get('retry-after')).toBe('1');
  await advance(SECOND);
  expect((await openOne()).status).toBe(201);
});

test('each address has its own limit', async () => {
  const address = newAddress();
  for (let count = 0; count < 6; count += 1) await create(address, {bindings: LIMIT});
  expect((await create(newAddress(), {bindings: LIMIT})).status).toBe(201);
});

test('all addresses of an IPv6 /64 count as one', async () => {
  const answers = await Promise.all(
    Array.from({length: 10}, (_, index) => create(`2001:db8:1:2::${index + 1}`, {bindings: LIMIT})),
  );
  expect(answers.filter(({status}) => status === 201)).toHaveLength(5);
  expect((await create('2001:db8:1:3::1', {bindings: LIMIT})).status).toBe(201);
});

test('the rate-limit binding refuses only while an address may open no more sessions than it counts', async () => {
  for (const [path, limit, status] of [
    ['/v1/sessions', 300, 429],
    ['/v1/sessions', 301, 201],
    ['/v1/sessions', null, 201],
    ['/v1/activities', 300, 429],
    ['/v1/activities', null, 202],
  ] as const) {
    const activity = {offer: 'club', event_id: 'flood-0001', type: 'subscribe_clicked', tracking_id: 't-flood'};
    const bindings = {
      LIMITS: {address_sessions_per_minute: limit},
      ADDRESS_RATE: {limit: () => Promise.resolve({success: false})},
    };
    const body = path === '/v1/activities' ? activity : {offer: 'gold'};
    expect((await askAsPage('POST', path, {body, bindings})).status).toBe(status);
  }
});

test.for(['/v1/sessions', '/v1/order-code', '/v1/pins', '/v1/payment-notices'])(
  'a flood of %s from one IPv6 /48 is refused without waking a guard, also if an address may open more sessions',
  async (path) => {
    const {token} = await (path === '/v1/pins' ? openSubscription() : openOrder());
    const READ_RATE = {limit: ({key}: {key: string}) => Promise.resolve({success: key !== 'site 2001:db8:7::/48'})};
    const bindings = {READ_RATE, LIMITS: {address_sessions_per_minute: 1_000}};
    const guard = vi.spyOn(Objects.prototype, 'guard');
    const from = (address: string) =>
      askAsPage('POST', path, {token, bindings, headers: {'cf-connecting-ip': address}});
    expectProblem(await from('2001:db8:7:8::9'), PROBLEMS.rate_limited);
    expect(guard).not.toHaveBeenCalled();
    for (const other of ['2001:db8:9::1', newAddress()]) expect((await from(other)).status).not.toBe(429);
  },
);

test('the rate-limit binding refuses a flood without waking a Durable Object', async () => {
  const keys: string[] = [];
  const bindings = {
    ADDRESS_RATE: {limit: ({key}: {key: string}) => Promise.resolve({success: keys.push(key) < 0})},
  };
  const guard = vi.spyOn(Objects.prototype, 'guard');
  const answer = await create('2001:db8:7:8::9', {bindings});
  expectProblem(answer, PROBLEMS.rate_limited);
  expect(answer.headers.get('retry-after')).toBe('60');
  expect(keys).toEqual(['2001:db8:7:8::/64']);
  expect(guard).not.toHaveBeenCalled();
});
