/** GET /v1/banks, GET /v1/banks/{id}/logo and the `Platform` object behind them. */

import {abortAllDurableObjects, evictDurableObject, runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, inject, test, vi} from 'vitest';
import {BankList, OrderCode} from '../../../../worker/contract/browser/answers.ts';
import type {BankListSnapshot} from '../../../../worker/objects/platform/banks.ts';
import {handle} from '../../../../worker/router.ts';
import {fetchLogo} from '../../../../worker/routes/browser/banks.ts';
import {advance, DAY, MINUTE, SECOND} from '../../support/clock.ts';
import {platformObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {type Answer, ask, askAsPage, openSession, read, WORKER} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, callsDuring, control, countCalls, setLine, setFault} from '../../support/sandbox.ts';

freshWorker();

const LIST = '/bank/getAll';
const list = (): Promise<Answer> => ask('/v1/banks');
const isStale = (answer: Answer): boolean => read(answer, BankList).stale;

test('the bank list contains the accounts that a shopper may pay into', async () => {
  const answer = await list();
  const {banks, stale} = read(answer, BankList);
  expect(stale).toBe(false);
  expect(banks.map(({code}) => code)).toEqual([
    'ziraat',
    'halkbank',
    'vakifbank',
    'teb',
    'akbank',
    'garanti',
    'isbank',
    'yapikredi',
    'ing',
    'qnb',
    'denizbank',
    'kuveytturk',
  ]);
  expect(banks[6]).toEqual({
    id: '7',
    code: 'isbank',
    name: 'İş Bankası',
    account_holder: 'Örnek Ödeme Hizmetleri A.Ş.',
    iban: 'TR970006401098000020451836',
    branch_no: '1098',
    account_no: '20451836',
    currency: 'TRY',
    logo: `${WORKER}/v1/banks/7/logo`,
    bank_no: '00064',
    updated_at: '2026-10-01T09:00:00+03:00',
  });
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60');
});

test('pages offer each account in lira by its id, also two of one bank, and none in another currency', async () => {
  await control('readings', {bank_accounts: 'several'});
  const {banks} = read(await list(), BankList);
  expect(banks).toHaveLength(13);
  expect(banks.filter(({code}) => code === 'garanti').map(({id, name, iban}) => [id, name, iban.slice(-8)])).toEqual([
    ['14', 'Garanti BBVA …5319', '62975319'],
    ['6', 'Garanti BBVA …5301', '62975301'],
  ]);
  const {token} = await openSession();
  const accountOf = async (bank: string) =>
    read(await askAsPage('POST', '/v1/order-code', {token, body: {bank}}), OrderCode).account?.id;
  expect(await Promise.all(['6', '14', '13', 'garanti'].map(accountOf))).toEqual(['6', '14', undefined, '14']);
  await askAsPage('POST', '/v1/payment-notices', {token, body: {bank: '6', notice: {}}});
  expect((await calls('/paymentNotification/create')).map(({params}) => params['bank'])).toEqual(['garanti']);
});

test('a bank has the link to its app that the operator configured', async () => {
  const BANK_APPS = {garanti: 'https://app.garanti.example/transfer'};
  const {banks} = read(await ask('/v1/banks', {bindings: {BANK_APPS}}), BankList);
  expect(banks.flatMap(({code, app_url}) => (app_url ? [[code, app_url]] : []))).toEqual(Object.entries(BANK_APPS));
});

test('a thousand concurrent requests with a cold cache cost one platform call', async () => {
  // The test calls the handler directly, because the checks in `ask` would take longer than the requests.
  const responses = await Promise.all(Array.from({length: 1000}, () => handle(new Request(`${WORKER}/v1/banks`), env)));
  expect(new Set(responses.map(({status}) => status))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
  expect(await countCalls(LIST)).toBe(1);
});

test('the bank list is fetched again after a minute, and not before', async () => {
  await list();
  await advance(MINUTE - 6 * SECOND);
  expect(await callsDuring(LIST, list)).toBe(0);
  await advance(6 * SECOND);
  await list();
  await expect.poll(() => countCalls(LIST)).toBe(2);
});

test('a page immediately gets a list that is a few minutes old, and a later page gets the refreshed list', async () => {
  await list();
  await runInDurableObject(platformObject(), (_object, {storage}) => {
    const {banks, at} = storage.kv.get<{banks: unknown[]; at: number}>('banks') ?? {banks: [], at: 0};
    storage.kv.put('banks', {banks: banks.slice(1), at});
  });
  await advance(9 * MINUTE);
  await setLine('silent');
  const {banks, stale} = read(await list(), BankList);
  expect([banks.length, stale]).toEqual([11, false]);
  await setLine('open');
  await evictDurableObject(platformObject());
  await advance(5 * SECOND);
  await list();
  await expect.poll(() => platformObject().freshBanks()).toMatchObject({stale: false});
  await advance(5 * SECOND);
  expect(read(await list(), BankList).banks).toHaveLength(12);
});

test('after the clock was set back, the list is fetched again', async () => {
  await list();
  await runInDurableObject(platformObject(), (_object, {storage}) =>
    storage.kv.put('banks', {banks: [], at: Date.now() + DAY}),
  );
  await advance(5 * SECOND);
  expect(read(await list(), BankList).banks).toHaveLength(12);
});

test('while the platform is down the last list is served and marked stale', async () => {
  const before = read(await list(), BankList);
  await setLine('refused');
  await advance(11 * MINUTE);
  const during = await list();
  expect(read(during, BankList)).toMatchObject({banks: before.banks, stale: true});
  expect(during.headers.get('cache-control')).toBe('no-store');
  expect(logLines('bank_list_stale')).toMatchObject([{level: 'warn', event: 'bank_list_stale'}]);
  await setLine('open');
  expect(isStale(await list())).toBe(true);
  await advance(5 * SECOND);
  expect(isStale(await list())).toBe(false);
});

test('a failing platform is not called for every shopper', async () => {
  await list();
  await setFault({operation: LIST, kind: '500-html'});
  const before = logLines('bank_list_stale').length;
  await advance(11 * MINUTE);
  await list();
  // On a busy machine, the page has its answer while the platform is still asked.
  await expect.poll(() => logLines('bank_list_stale').length).toBeGreaterThan(before);
  expect(await callsDuring(LIST, () => Promise.all(Array.from({length: 20}, list)))).toBe(0);
});

test('if an older list exists, a shopper gets it before a slow platform has answered', async () => {
  await list();
  await advance(11 * MINUTE);
  await setLine('silent');
  const finishedCalls = logLines('platform_call').length;
  expect(isStale(await list())).toBe(true);
  expect(logLines('platform_call')).toHaveLength(finishedCalls);
});

test('the bank list survives an eviction and a crash of its object without a new fetch', async () => {
  await list();
  await advance(30 * SECOND);
  await evictDurableObject(platformObject());
  expect(await callsDuring(LIST, async () => expect(isStale(await list())).toBe(false))).toBe(0);
  await advance(10 * SECOND);
  await abortAllDurableObjects();
  expect(await callsDuring(LIST, async () => expect(isStale(await list())).toBe(false))).toBe(0);
});

test('if there is no earlier list, a page gets an error while the platform is down', async () => {
  await setLine('refused');
  const answer = await list();
  expectProblem(answer, PROBLEMS.temporarily_unavailable);
  expect(answer.headers.get('retry-after')).toBe('5');
  await setLine('open');
  await advance(5 * SECOND);
  expect(isStale(await list())).toBe(false);
});

/** Deletes a bank's logo from the edge cache. */
const deleteCachedLogo = (id: number) => caches.default.delete(`${WORKER}/v1/banks/${id}/logo`);
const fetchLogoRoute = (id: number) => ask(`/v1/banks/${id}/logo`);

describe('logos', () => {
  test('a logo is fetched from the platform’s host once for all shoppers', async () => {
    await deleteCachedLogo(6);
    const {text} = await fetchLogoRoute(6);
    await setLine('refused');
    for (let shopper = 0; shopper < 3; shopper += 1) {
      const answer = await fetchLogoRoute(6);
      expect([answer.status, answer.text, answer.headers.get('cache-control')]).toEqual([
        200,
        text,
        'public, max-age=86400',
      ]);
    }
    expect(logLines('logo_failed')).toMatchObject([]);
  });

  test('a logo that cannot be fetched is not tried again for every shopper', async () => {
    await deleteCachedLogo(7);
    await list();
    await setLine('refused');
    for (let shopper = 0; shopper < 3; shopper += 1) expectProblem(await fetchLogoRoute(7), PROBLEMS.not_found);
    expect(logLines('logo_failed')).toMatchObject([
      {level: 'warn', event: 'logo_failed', operation: 'bankLogo', fault: 'connection'},
    ]);
    await setLine('open');
    await deleteCachedLogo(7);
    expect((await fetchLogoRoute(7)).status).toBe(200);
  });

  test('a request for the logo of an unknown bank causes no cache lookup', async () => {
    const match = vi.spyOn(caches.default, 'match');
    expectProblem(await ask('/v1/banks/99/logo'), PROBLEMS.not_found);
    expect(match).not.toHaveBeenCalled();
  });

  test.for<[story: string, bytes: number, fault: string | null]>([
    ['a logo of 64 kB is accepted', 65_536, null],
    ['a logo of more than 64 kB is refused without reading all of it', 65_537, 'size'],
  ])('%s', async ([, bytes, fault]) => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = Math.min(16_384, bytes - sent);
        sent += chunk;
        if (chunk > 0) controller.enqueue(new Uint8Array(chunk));
        else if (fault === null) controller.close();
        // The body that is too large never ends, so reading all of it would time out.
        else controller.enqueue(new Uint8Array(16_384));
      },
    });
    vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(body, {headers: {'content-type': 'image/png'}}));
    const fetched = await fetchLogo('https://cdn.example/x.png', 'https://platform.example/phs');
    expect(fetched?.bytes.byteLength ?? null).toBe(fault === null ? bytes : null);
    expect(logLines('logo_failed').map((line) => line['fault'])).toEqual(fault === null ? [] : [fault]);
  });

  test('a logo comes from the Worker’s own origin, with a policy that disables scripts', async () => {
    const answer = await ask('/v1/banks/6/logo');
    const {'x-request-id': _id, ...headers} = Object.fromEntries(answer.headers);
    expect(headers).toEqual({
      'content-type': 'image/svg+xml',
      'cache-control': 'public, max-age=86400',
      'cross-origin-resource-policy': 'cross-origin',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
      vary: 'Origin',
    });
    expect(answer.text).toMatch(/^<svg /);
  });

  test('a logo is found by a bank id with unusual characters', async () => {
    const {
      banks: [first],
    } = (await platformObject().currentBanks()) as BankListSnapshot;
    const id = 'A/1 ü?';
    await runInDurableObject(platformObject(), (_object, {storage}) =>
      storage.kv.put('banks', {banks: [{...first, id}], at: Date.now()}),
    );
    const {banks} = read(await list(), BankList);
    expect(banks[0]?.logo).toBe(`${WORKER}/v1/banks/A%2F1%20%C3%BC%3F/logo`);
    expect((await ask(new URL(banks[0]?.logo ?? '').pathname)).text).toMatch(/^<svg /);
  });

  test('there is no logo for a bank id that the list does not have', async () => {
    for (const id of ['99', 'garanti', '..', '6%2F..', '%E0%A4%A', '%00', '-1']) {
      expectProblem(await ask(`/v1/banks/${id}/logo`), PROBLEMS.not_found);
    }
  });

  test('a logo is fetched only from the platform’s host, and over https', async () => {
    for (const address of [
      'http://169.254.169.254/latest/meta-data',
      'http://localhost:1/x',
      'https://localhost:1/x',
      'https://127.0.0.1/x',
      'https://[::1]/x',
      'http://other.example/x.svg',
      'file:///etc/passwd',
      'data:image/svg+xml,<svg/>',
      'javascript:1',
      '/logos/garanti.svg',
      '',
      'null',
    ]) {
      expect(await fetchLogo(address, 'https://platform.example/phs')).toBeNull();
    }
  });

  test('an HTML page, JSON and a missing file are not accepted as a logo', async () => {
    for (const [, path] of [
      ['an HTML page', '/'],
      ['JSON', '/_sandbox/calls'],
      ['a missing file', '/logos/none.svg'],
    ] as readonly [story: string, path: string][]) {
      const platform = inject('platformUrl');
      expect(await fetchLogo(`${platform}${path}`, `${platform}/phs`)).toBeNull();
    }
  });
});
