/** GET /checkout.js and GET /subscribe.js. */

import {runInDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, test} from 'vitest';
import {version} from '../../../package.json';
import {BankList} from '../../../worker/contract/browser/answers.ts';
import type {CheckoutPageData, PageData, SubscribePageData} from '../../../worker/contract/browser/page-data.ts';
import {ELEMENT_SCRIPTS} from '../../../worker/contract/readers/element-scripts.ts';
import type {BankListSnapshot} from '../../../worker/objects/platform/banks.ts';
import {handle} from '../../../worker/router.ts';
import {advance, MINUTE, SECOND} from '../support/clock.ts';
import {platformObject, countObjectCalls} from '../support/durable-objects.ts';
import {freshWorker} from '../support/fresh-worker.ts';
import {logLines} from '../support/log-lines.ts';
import {type Answer, ask, askAsPage, CLUB, CLUB_LINKS, ORIGIN, read, WORKER} from '../support/page.ts';
import {expectProblem, PROBLEMS} from '../support/problems.ts';
import {calls, callsDuring, countCalls, setFault, setLine} from '../support/sandbox.ts';
import {TURNSTILE} from '../support/turnstile.ts';

freshWorker();

const LIST = '/bank/getAll';
const BEFORE = '/* elements */ export const data = ';
const AFTER = ';\nexport const last = true;\n';

/** A binding `ASSETS` that serves this template in place of the built templates, and records the paths. */
const withTemplate = (template = `${BEFORE}"__VEZNE_PAGE_DATA__"${AFTER}`) => {
  const paths: string[] = [];
  const fetch = (url: string) => {
    paths.push(new URL(url).pathname);
    return Promise.resolve(new Response(template));
  };
  return {ASSETS: {fetch}, paths};
};
const assets = withTemplate();
const load = (path: string, bindings: object = {}, headers: Record<string, string> = {}): Promise<Answer> =>
  ask(path, {bindings: {ASSETS: assets.ASSETS, ...bindings}, headers});

/** Returns the data in a script, and checks that the script is the template with the data in the placeholder. */
function dataOf<T extends PageData>({status, text}: Answer): T {
  expect(status).toBe(200);
  const end = text.lastIndexOf(AFTER);
  expect([text.slice(0, BEFORE.length), end > 0]).toEqual([BEFORE, true]);
  // With a platform on this machine, a check for developers follows.
  expect(text.slice(end + AFTER.length)).toMatch(/^(?:\nimport\('\.\/check\.js'\);)?$/);
  return JSON.parse(text.slice(BEFORE.length, end)) as T;
}
const checkoutData = async (...request: Parameters<typeof load>) => dataOf<CheckoutPageData>(await load(...request));
const subscribeData = async (...request: Parameters<typeof load>) => dataOf<SubscribePageData>(await load(...request));

/**
 * Changes the list that the `Platform` object has stored, and advances the clock so far that the isolate reads it again.
 */
async function changeBanks(change: (banks: BankListSnapshot['banks']) => BankListSnapshot['banks']): Promise<void> {
  const {banks} = (await platformObject().currentBanks()) as BankListSnapshot;
  await runInDurableObject(platformObject(), (_object, {storage}) =>
    storage.kv.put('banks', {banks: change(banks), at: Date.now()}),
  );
  await advance(5 * SECOND);
}

const GOLD = {
  id: 'gold',
  title: {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'},
  amount: '149.90',
  currency: 'TRY',
};

test('checkout.js has the current bank list and the offer’s public title and amount', async () => {
  const answer = await load('/checkout.js?offer=gold');
  const banks = read(await ask('/v1/banks'), BankList);
  expect(banks.banks).toHaveLength(12);
  expect(dataOf(answer)).toEqual({banks, offer: GOLD});
  const {'x-request-id': _id, ...headers} = Object.fromEntries(answer.headers);
  expect(headers).toEqual({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=60, stale-while-revalidate=300',
    etag: expect.stringMatching(/^"[0-9a-f]{32}"$/) as string,
    vary: 'Origin',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(assets.paths[0]).toBe(`/vezne/${version}/single/checkout.js`);
});

test('subscribe.js has the public terms of an offer, without the seller', async () => {
  const answer = await load('/subscribe.js?offer=club', TURNSTILE);
  expect(dataOf(answer)).toEqual({
    offer: {
      id: 'club',
      ...CLUB,
      ...CLUB_LINKS,
      human_check: {sitekey: TURNSTILE.TURNSTILE_SITEKEY, action: 'pin'},
    },
  });
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300');
  expect(await countCalls(LIST)).toBe(0);
});

test('a page whose origin is not allowed gets the scripts without data, and asks for them again each time', async () => {
  for (const [path, data] of [
    ['/checkout.js?offer=gold', {banks: null, offer: null}],
    ['/subscribe.js?offer=club', {offer: null}],
  ] as const) {
    const answer = await load(path, {}, {origin: 'https://stranger.example'});
    expect(dataOf(answer)).toEqual(data);
    expect(answer.headers.get('cache-control')).toBe('public, no-cache');
    expect(answer.headers.get('vary')).toBe('Origin');
    expect(dataOf(await load(path, {}, {origin: ORIGIN})).offer).not.toBeNull();
  }
});

test('the deployed templates are served to anyone, from the Worker’s own static files', async () => {
  for (const script of ['checkout', 'subscribe']) {
    const response = await handle(new Request(`${WORKER}/${script}.js`), env);
    const text = await response.text();
    expect([response.status, text.includes('__VEZNE_PAGE_DATA__')]).toEqual([200, false]);
    const template = await (await env.ASSETS.fetch(`${WORKER}/vezne/${version}/single/${script}.js`)).text();
    const [before = '', after = '', ...others] = template.split('"__VEZNE_PAGE_DATA__"');
    expect(others).toEqual([]);
    const end = text.lastIndexOf(after);
    expect([text.startsWith(before), end > 0]).toEqual([true, true]);
    const data = JSON.parse(text.slice(before.length, end)) as PageData;
    expect(data.offer).toBeNull();
  }
});

describe('an offer that the script cannot sell', () => {
  const HOSTILE = [
    '',
    'none',
    'club',
    'brief2',
    '__proto__',
    'constructor',
    '"__VEZNE_PAGE_DATA__"',
    '</script><script>alert(1)</script>',
    '";alert(1);"',
    '\u2028alert(1)',
    '%E0%A4%A',
    'x'.repeat(8_000),
  ];

  test('whatever the offer in its URL, the script has no offer and no text from the URL', async () => {
    for (const name of HOSTILE) {
      const plain = await load('/checkout.js');
      const answer = await load(`/checkout.js?offer=${name.startsWith('%') ? name : encodeURIComponent(name)}`);
      expect([answer.text, answer.headers.get('etag')]).toEqual([plain.text, plain.headers.get('etag')]);
      expect(dataOf<CheckoutPageData>(answer).offer).toBeNull();
    }
  });

  test('whatever the offer in its URL, subscribe.js has no offer and no text from the URL', async () => {
    for (const name of HOSTILE.map((each) => (each === 'club' ? 'gold' : each))) {
      const answer = await load(`/subscribe.js?offer=${encodeURIComponent(name)}&offer=club`);
      expect(answer.text).toBe((await load('/subscribe.js')).text);
      expect(dataOf(answer)).toEqual({offer: null});
    }
  });

  test('an offer with a wrong configuration is left out, and the log names the offer', async () => {
    const bindings = {OFFERS: {gold: {kind: 'payment', service: 'DEMO', amount: 'free', title: GOLD.title}}};
    expect((await checkoutData('/checkout.js?offer=gold', bindings)).offer).toBeNull();
    expect(logLines('misconfigured')).toMatchObject([{level: 'error', names: ['OFFERS.gold']}]);
  });

  test('all unknown offers get the same script, so an attacker cannot make the Worker keep many scripts', async () => {
    const etags = await Promise.all(
      Array.from({length: 50}, async (_none, index) =>
        (await load(`/checkout.js?offer=x${index}`)).headers.get('etag'),
      ),
    );
    expect(new Set(etags).size).toBe(1);
  });
});

describe('texts of an offer that could break a script', () => {
  test('a title arrives unchanged, and the script has no character that ends a script element', async () => {
    for (const title of ['</script><script>', '<!--<script>', '"__VEZNE_PAGE_DATA__"', '$&$1$`', '\\"\n\u{1F511}']) {
      const bindings = {OFFERS: {odd: {kind: 'payment', service: 'DEMO', amount: '1', title: {tr: title, en: title}}}};
      const {text, ...answer} = await load('/checkout.js?offer=odd', bindings);
      expect(dataOf<CheckoutPageData>({...answer, text}).offer).toEqual({
        id: 'odd',
        title: {tr: title, en: title},
        amount: '1.00',
        currency: 'TRY',
      });
      expect(text).not.toMatch(/[<\u2028\u2029]/);
    }
  });
});

test('a script does not wait for the platform while the last list is younger than ten minutes', async () => {
  const before = await checkoutData('/checkout.js?offer=gold');
  await setLine('silent');
  await advance(9 * MINUTE);
  const finishedCalls = logLines('platform_call').length;
  const answer = await load('/checkout.js?offer=gold');
  expect(dataOf(answer)).toEqual(before);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300');
  expect(logLines('platform_call')).toHaveLength(finishedCalls);
  await setLine('open');
});

describe('the platform is down', () => {
  test('the script has the last list, marked stale, and a browser must revalidate the script each time', async () => {
    const before = await checkoutData('/checkout.js?offer=gold');
    await setLine('refused');
    await advance(11 * MINUTE);
    const answer = await load('/checkout.js?offer=gold');
    expect(dataOf(answer)).toEqual({...before, banks: {...before.banks, stale: true}});
    expect(answer.headers.get('cache-control')).toBe('public, no-cache');
    await setLine('open');
    await advance(5 * SECOND);
    expect(await checkoutData('/checkout.js?offer=gold')).toEqual(before);
  });

  test('without an older list, the script has the offer but no list', async () => {
    await setLine('refused');
    const answer = await load('/checkout.js?offer=gold');
    expect(dataOf(answer)).toEqual({banks: null, offer: GOLD});
    expect(answer.headers.get('cache-control')).toBe('public, no-cache');
    await setLine('open');
    await advance(5 * SECOND);
    expect((await checkoutData('/checkout.js?offer=gold')).banks?.banks).toHaveLength(12);
  });

  test('subscribe.js does not depend on the platform', async () => {
    await setLine('refused');
    expect((await subscribeData('/subscribe.js?offer=club')).offer?.price).toBe('12.00');
    expect(await calls()).toEqual([]);
  });

  test('without a current list, a flood of requests calls the `Platform` object once in five seconds', async () => {
    await setFault({operation: LIST, kind: '500-html'});
    const bindings = {...env, ASSETS: assets.ASSETS};
    const request = () => handle(new Request(`${WORKER}/checkout.js`), bindings as Env);
    const counts = await countObjectCalls(async () => {
      for (let stranger = 0; stranger < 20; stranger += 1) await request();
    });
    expect(counts['Platform.latestBanks']).toBe(1);
    await advance(5 * SECOND);
    expect((await countObjectCalls(request))['Platform.latestBanks']).toBe(1);
  });
});

test('an empty bank list of the platform is an empty list in the script', async () => {
  await changeBanks(() => []);
  expect((await checkoutData('/checkout.js')).banks).toMatchObject({banks: [], stale: false});
});

const etagOf = async (path: string, bindings = {}) => (await load(path, bindings)).headers.get('etag') ?? '';

describe('revalidation', () => {
  test('a browser that sends the ETag, weak or in a list, or * gets 304 without a body', async () => {
    for (const [, header] of [
      ['the same ETag', (etag) => etag],
      ['the weak ETag that Cloudflare makes of the ETag', (etag) => `W/${etag}`],
      ['a list of ETags', (etag) => `"x", W/"y",${etag}`],
      ['*', () => '*'],
    ] as readonly [story: string, header: (etag: string) => string][]) {
      const etag = await etagOf('/checkout.js?offer=gold');
      const answer = await load('/checkout.js?offer=gold', {}, {'if-none-match': header(etag)});
      expect([answer.status, answer.text, answer.headers.get('etag'), answer.headers.get('content-type')]).toEqual([
        304,
        '',
        etag,
        null,
      ]);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=60, stale-while-revalidate=300');
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('the ETag stays while nothing changes, and changes with the list, the offer and the template', async () => {
    const first = await etagOf('/checkout.js?offer=gold');
    await advance(2 * MINUTE);
    expect(await etagOf('/checkout.js?offer=gold')).toBe(first);
    const known = await load('/checkout.js?offer=brief', {}, {'if-none-match': first});
    expect(known.status).toBe(200);
    const renamed = {OFFERS: {gold: {kind: 'payment', service: 'DEMO', amount: '150', title: GOLD.title}}};
    const others = [
      known.headers.get('etag'),
      await etagOf('/checkout.js'),
      await etagOf('/checkout.js?offer=gold', renamed),
      await etagOf('/checkout.js?offer=gold', {ASSETS: withTemplate('new "__VEZNE_PAGE_DATA__"').ASSETS}),
    ];
    await changeBanks((banks) => banks.slice(1));
    others.push(await etagOf('/checkout.js?offer=gold'));
    expect(new Set([first, ...others]).size).toBe(6);
  });
});

const withoutId = ({headers}: Answer) => [...headers].filter(([name]) => name !== 'x-request-id');

test('HEAD has the headers of GET and no body, and other methods are refused', async () => {
  const get = await load('/checkout.js?offer=gold');
  const head = await ask('/checkout.js?offer=gold', {method: 'HEAD', bindings: {ASSETS: assets.ASSETS}});
  expect([head.status, head.text, withoutId(head)]).toEqual([200, '', withoutId(get)]);
  for (const method of ['POST', 'PUT', 'OPTIONS']) {
    const answer = await ask('/checkout.js', {method, headers: {origin: ORIGIN}});
    expectProblem(answer, PROBLEMS.method_not_allowed);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
  }
});

test('requests with many unknown offers call neither the platform nor an object again', async () => {
  const bindings = {...env, ASSETS: assets.ASSETS} as Env;
  const request = (index: number) => handle(new Request(`${WORKER}/checkout.js?offer=x${index}`), bindings);
  await request(0);
  const counts = await countObjectCalls(async () => {
    expect(
      await callsDuring(LIST, () => Promise.all(Array.from({length: 200}, (_none, index) => request(index)))),
    ).toBe(0);
  });
  expect(Object.keys(counts).filter((name) => name !== 'Platform.currentToken')).toEqual([]);
});

describe('a wrong deployment', () => {
  test('with a wrong configuration the script has neither banks nor an offer', async () => {
    const bindings = {MERCHANT_KEY: '', ALLOWED_ORIGINS: ''};
    expect(await checkoutData('/checkout.js?offer=gold', bindings)).toEqual({banks: null, offer: null});
    expect(await subscribeData('/subscribe.js?offer=club', bindings)).toEqual({offer: null});
    expect(logLines('misconfigured')).toHaveLength(2);
  });

  test.for<[story: string, binding: unknown]>([
    ['without the file', {fetch: () => Promise.resolve(new Response('Not found', {status: 404}))}],
    ['with a file without the placeholder of the data', withTemplate('export {}').ASSETS],
    ['with a file that has two placeholders', withTemplate('["__VEZNE_PAGE_DATA__","__VEZNE_PAGE_DATA__"]').ASSETS],
  ])('%s, the answer is misconfigured, and the log names the binding', async ([, ASSETS]) => {
    expectProblem(await load('/checkout.js', {ASSETS}), PROBLEMS.misconfigured);
    expect(logLines('misconfigured')).toMatchObject([{level: 'error', names: ['ASSETS']}]);
  });

  test('an offer whose interface is not configured cannot be bought, in a script as in a session', async () => {
    const bindings = {PHS_URL: undefined, MERCHANT_KEY: undefined, MERCHANT_IP: undefined};
    expect((await subscribeData('/subscribe.js?offer=club', bindings)).offer?.id).toBe('club');
    // The payment page can sell the offer without the interface of orders.
    expect((await checkoutData('/checkout.js?offer=gold', bindings)).offer).toEqual(GOLD);
    const noPage = {...bindings, PAYMENT_PAGE_SECRET: undefined};
    expect((await checkoutData('/checkout.js?offer=gold', noPage)).offer).toBeNull();
    const noLanding = {LANDING_AUTHORIZATION: undefined};
    expect((await subscribeData('/subscribe.js?offer=club', noLanding)).offer).toBeNull();
    const session = await askAsPage('POST', '/v1/sessions', {bindings: noPage, body: {offer: 'gold'}});
    expectProblem(session, PROBLEMS.misconfigured);
    expect(logLines('misconfigured').map(({names}) => names)).toEqual([
      ['OFFERS.gold'],
      ['OFFERS.club'],
      ['OFFERS.gold'],
    ]);
  });
});

test('a script tag that is not a module gets a script that says so, and no cache keeps it for a module', async () => {
  const dest = {'sec-fetch-dest': 'script'};
  for (const path of ['/checkout.js', '/subscribe.js?offer=club']) {
    const answer = await load(path, {}, {...dest, 'sec-fetch-mode': 'no-cors'});
    expect([answer.status, answer.text]).toEqual([200, `console.error('Vezne: the script tag lacks type="module".');`]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  expect((await load('/checkout.js', {}, {...dest, 'sec-fetch-mode': 'cors'})).text).toContain(AFTER);
});

test('only with a platform on this machine, a script looks for misspelt elements, and the list has every element', async () => {
  expect((await load('/checkout.js')).text).toContain("import('./check.js')");
  const live = {PHS_URL: 'https://platform.example/phs', ALLOWED_ORIGINS: 'https://shop.example'};
  expect((await load('/checkout.js', live)).text).not.toContain('check.js');
  const files = Object.keys(import.meta.glob('../../../widgets/**/vezne-*.ts'));
  // Parts of elements, which no page contains by itself.
  const parts =
    /^vezne-(?:element|result|human-check|pin-entry|payment-outcome|incoming|handoff|seller-contacts|buyer)$/;
  const named = files
    .map((file) => /vezne-[\w-]+(?=\.ts$)/.exec(file)?.[0] ?? '')
    .filter((tag) => tag !== '' && !parts.test(tag));
  expect(Object.keys(ELEMENT_SCRIPTS).toSorted()).toEqual(expect.arrayContaining(named));
});
