/** The page of an offer, `/p/<name>`. */

import {runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {describe, expect, inject, test} from 'vitest';
import {NewPaymentSession, PlacedOrder} from '../../../../worker/contract/browser/answers.ts';
import {contrast, parseColor, tintOf} from '../../../../worker/contract/readers/contrast.ts';
import {handle} from '../../../../worker/router.ts';
import {accentColors, icon} from '../../../../worker/routes/pages/theme.ts';
import {advance, MINUTE} from '../../support/clock.ts';
import {amendOrder, orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {ask, askAsPage, newAddress, nextAddress, putOffer, read, SELLER, WORKER} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {calls, control} from '../../support/sandbox.ts';
import {TURNSTILE} from '../../support/turnstile.ts';

freshWorker();

interface OpenOptions extends RequestInit {
  readonly headers?: Record<string, string>;
  readonly bindings?: object;
}

async function open(path: string, {headers, bindings, ...init}: OpenOptions = {}) {
  const request = new Request(WORKER + path, {
    headers: {'cf-connecting-ip': nextAddress(), ...headers},
    redirect: 'manual',
    ...init,
  });
  const response = await handle(request, {...env, ...bindings});
  return {status: response.status, headers: response.headers, text: await response.text()};
}

const GOLD = {kind: 'payment', service: 'DEMO', amount: '149.90', title: {tr: 'Lamba', en: 'Lamp'}, seller: SELLER};

const formOf = (text: string) =>
  new URLSearchParams(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
const submit = (body: URLSearchParams | string, options: OpenOptions = {}) =>
  open('/p/gold?lang=en', {method: 'POST', body, ...options, headers: {origin: WORKER, ...options.headers}});

describe('The page', () => {
  test('says without a script who sells what at which price, and how to reach the seller', async () => {
    const {status, text} = await open('/p/gold');
    expect(status).toBe(200);
    for (const part of [
      '<h1>Fener Atölyesi</h1>',
      '<h2>Ahşap masa lambası</h2><p class="sum">₺149,90</p>',
      '<a href="tel:08500000000">0850 000 00 00</a>',
      '<a href="mailto:destek@fener.example">destek@fener.example</a>',
      '<meta property="og:title" content="Ahşap masa lambası · ₺149,90">',
      '<script type="module" src="/checkout.js?offer=gold"></script>',
      '<vezne-checkout offer="gold">',
      `${WORKER}/p/gold`,
      '<img class="qr" alt="Bu sayfanın karekodu" src="data:image/svg+xml,',
    ])
      expect(text).toContain(part);
  });

  test('of a subscription has its form and no way to the bank page', async () => {
    const {text} = await open('/p/club?lang=en');
    expect(text).toContain('<script type="module" src="/subscribe.js?offer=club"></script>');
    expect(text).toContain('<vezne-pin-subscribe offer="club">');
    expect(text).toContain('<p class="sum">₺12.00 a week</p>');
    expect(text).not.toContain('<form');
  });

  test('has no inline code or style, and may not be kept, indexed, framed, or named to other sites', async () => {
    const {headers, text} = await open('/p/gold', {bindings: TURNSTILE});
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]* src=")/);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self' https://challenges.cloudflare.com; style-src 'self'; img-src 'self' data:; " +
        "connect-src 'self' wss://pay.example; frame-src https://challenges.cloudflare.com; base-uri 'none'; " +
        `form-action 'self' ${inject('platformUrl').replace(/\/$/, '')}; frame-ancestors 'none'; ` +
        "require-trusted-types-for 'script'; trusted-types vezne-transfer vezne-human",
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('escapes every text of the offer', async () => {
    const hostile = `"><script>alert('1')</script>&`;
    const OFFERS = {
      [hostile]: {...GOLD, title: {tr: hostile, en: hostile}, seller: {...SELLER, name: hostile}},
    };
    const {status, text} = await open(`/p/${encodeURIComponent(hostile)}`, {bindings: {OFFERS}});
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script>|alert\('/);
    expect(text).toContain('&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;');
  });

  test('names a period by its word, and one without a word as the offer has it', async () => {
    const CLUB = {
      kind: 'subscription',
      product: 77,
      price: '12.00',
      title: {tr: 'Kulüp', en: 'Club'},
      terms: {tr: 'Haftalık.', en: 'Weekly.'},
      operators: [{id: 1, name: 'Telemavi'}],
    };
    const shownOf = async (period: string) => {
      const {text} = await open('/p/club?lang=en', {bindings: {OFFERS: {club: {...CLUB, period}}}});
      return /<p class="sum">([^<]*)</.exec(text)?.[1];
    };
    expect(await shownOf('monthly')).toBe('₺12.00 a month');
    for (const period of ['once', 'constructor', 'toString', '__proto__', 'hasOwnProperty'])
      expect(await shownOf(period)).toBe(`₺12.00 / ${period}`);
  });

  test('is in the language of the query, or else of the browser', async () => {
    for (const [query, languages, expected] of [
      ['', undefined, 'tr'],
      ['', 'en-GB,en;q=0.9', 'en'],
      ['', 'tr-TR,tr;q=0.9,en;q=0.8', 'tr'],
      ['', 'de-DE,tr;q=0.5', 'tr'],
      ['', 'de-DE', 'en'],
      ['', 'tr;q=0, en', 'en'],
      ['', `${'x'.repeat(200)}, tr`, 'en'],
      ['?lang=en', 'tr', 'en'],
      ['?lang=tr', 'en', 'tr'],
      ['?lang=xx', 'en', 'en'],
      [`?lang=${'x'.repeat(8_000)}`, 'tr', 'tr'],
    ] as const) {
      const {status, headers, text} = await open(`/p/gold${query}`, {
        headers: {...(languages !== undefined && {'accept-language': languages})},
      });
      expect([status, headers.get('content-language'), /<html lang="(..)"/.exec(text)?.[1]]).toEqual([
        200,
        expected,
        expected,
      ]);
    }
  });

  test('can be asked for with HEAD, which some chats do', async () => {
    const {status, headers, text} = await open('/p/gold', {method: 'HEAD'});
    expect([status, headers.get('content-type'), text]).toEqual([200, 'text/html; charset=utf-8', '']);
  });

  test('is not named in the log', async () => {
    await open('/p/gold');
    await open('/p/secret-name');
    expect(logLines('request').map(({route}) => route)).toEqual(['/p/{name}', '/p/{name}']);
    expect(JSON.stringify(logLines())).not.toContain('secret-name');
  });
});

const makeBill = async (more: object = {}) => {
  const name = await putOffer('rug', {amount: '2450.00', uses: 'one', ...more});
  return {name, path: `/p/${name}`};
};

const orderCode = async (offer: string, shown_amount = '2450.00') =>
  read(
    await askAsPage('POST', '/v1/order-code', {
      body: {offer, attempt: crypto.randomUUID(), shown_amount},
      headers: {origin: WORKER},
    }),
    PlacedOrder,
  ).order_code;

describe('A bill', () => {
  test('has the address that the merchant API tells, in the colors of the offer, until its time', async () => {
    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const {path, name} = await makeBill({expires_at, theme: {accent: '#FFCC00', scheme: 'dark'}});
    const {status, text} = await open(`${path}?lang=en`);
    expect(status).toBe(200);
    expect(text).toContain('<html lang="en" data-scheme="dark">');
    expect(text).toContain('<link rel="stylesheet" href="/theme/ffcc00.css">');
    expect(text).toContain(`<vezne-checkout offer="${name}">`);
    expect(text).toMatch(/Pay until \d+ \w+ \d{4} at \d\d:\d\d/);
    expect((await open('/p/rug')).status).toBe(404);
    expect((await open(`/p/rug.${'A'.repeat(22)}`)).status).toBe(404);
    expect(JSON.stringify(logLines())).not.toContain(name.slice(4));
  });

  test('is one order on every device, also without a script, and a paid bill says so instead of its form', async () => {
    const {path, name} = await makeBill({order: 'S-8'});
    const [first, second] = [await orderCode(name), await orderCode(name)];
    expect(second).toBe(first);
    const {status, headers} = await open(path, {
      method: 'POST',
      body: formOf((await open(path)).text),
      headers: {origin: WORKER},
    });
    // Only codes that were made for the bank page lead there.
    expect([status, headers.get('location')]).toEqual([PROBLEMS.bank_page_unavailable.status, null]);
    await runDurableObjectAlarm(orderObject('S-8'));
    await control('transfers', {description: first, bank: 'ziraat', amount: '2450.00'});
    await runSweep();
    const {text} = await open(path);
    expect(text).toMatch(/<h2>Bu fatura ödendi<\/h2><p><b>[^<]+ · ₺2\.450,00</);
    expect(text).not.toContain('<form');
    expect(text).toContain(`<template><vezne-checkout offer="${name}">`);
    expect(text).not.toMatch(/class="share"/);
  });

  test('has the amount of its order, and says when that is cancelled', async () => {
    const {path} = await makeBill({order: 'S-7'});
    const first = await open(path);
    const pay = (body: URLSearchParams) => open(path, {method: 'POST', body, headers: {origin: WORKER}});
    const form = formOf(first.text);
    expect([(await pay(form)).status, (await pay(form)).status]).toEqual([303, 303]);
    await amendOrder('S-7', 20_000);
    expect((await open(path)).text).toContain('₺200,00');
    expect((await pay(form)).status).toBe(409);
    await orderObject('S-7').cancel();
    expect((await open(path)).text).toContain('<h2>Bu fatura iptal edildi</h2>');
    expect((await pay(form)).text).toContain('Bu fatura iptal edildi');
  });

  test('that has expired says so, with the seller', async () => {
    const {path} = await makeBill({expires_at: new Date(Date.now() + 60_000).toISOString()});
    await advance(2 * MINUTE);
    const {status, text} = await open(path);
    expect(status).toBe(PROBLEMS.offer_expired.status);
    expect(text).toContain('<h2>Bu bağlantının süresi doldu</h2>');
    expect(text).toContain('0850 000 00 00');
  });
});

describe('A problem is a page in both languages that says nothing of an offer', () => {
  test('for an unknown name', async () => {
    for (const name of ['nothing', '%E0%A4%A', '%00', '..%2f..%2fv1', `${'a'.repeat(3_000)}`, '%3Cscript%3E', 'GOLD']) {
      const {status, headers, text} = await open(`/p/${name}`);
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(text).toContain('<section class="notice" lang="tr"><h2>Bu bağlantı geçerli değil</h2>');
      expect(text).toContain('<section class="notice" lang="en"><h2>This link is not valid</h2>');
      expect(text).not.toMatch(/<script|Fener/);
      expect(headers.get('content-security-policy')).toContain("form-action 'none'");
    }
  });

  test('for a method other than GET, HEAD and POST', async () => {
    for (const method of ['PUT', 'DELETE', 'OPTIONS']) {
      const {status, headers} = await open('/p/gold', {method});
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
    }
  });

  test('for an offer or a Worker whose configuration is wrong', async () => {
    for (const bindings of [{OFFERS: {gold: {...GOLD, amount: '0'}}}, {MERCHANT_ID: ''}]) {
      const {status, text} = await open('/p/gold', {bindings});
      expect(status).toBe(PROBLEMS.misconfigured.status);
      expect(text).toContain('The seller cannot take payments now');
    }
  });
});

describe('Pages of the Worker itself', () => {
  test('may open sessions, and nobody else may who is not in ALLOWED_ORIGINS', async () => {
    const body = {offer: 'gold'};
    const {token} = read(
      await askAsPage('POST', '/v1/sessions', {body, headers: {origin: WORKER}}),
      NewPaymentSession,
      201,
    );
    const answer = await askAsPage('GET', '/v1/payment', {token, headers: {origin: WORKER}});
    expect(answer.status).toBe(200);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    for (const origin of ['https://pay.example.evil.example', 'http://pay.example', 'https://pay.example:8443'])
      expectProblem(await askAsPage('POST', '/v1/sessions', {body, headers: {origin}}), PROBLEMS.origin_not_allowed);
    expectProblem(await askAsPage('GET', '/v1/payment', {token}), PROBLEMS.origin_not_allowed);
    const preflight = await ask('/v1/sessions', {method: 'OPTIONS', headers: {origin: WORKER}});
    expectProblem(preflight, PROBLEMS.origin_not_allowed);
  });
});

describe('Without a script', () => {
  test('the form leads to the platform’s bank page, and the same form always to the same order', async () => {
    const form = formOf((await open('/p/gold')).text);
    const first = await submit(form);
    expect([first.status, first.headers.get('referrer-policy')]).toEqual([303, 'no-referrer']);
    const url = new URL(first.headers.get('location') ?? '');
    expect(url.pathname).toMatch(/\/phs\/banks\/\w+$/);
    expect(url.searchParams.get('backUrl')).toBe(`${WORKER}/p/gold?lang=en`);
    const returned = url.searchParams.get('redirect') ?? '';
    const bindings = {RETURN_URLS: `${WORKER}/thanks`};
    expect((await submit(form, {bindings})).headers.get('location')).toBe(url.href);
    expect((await open(returned.slice(WORKER.length))).text).toContain('do not pay again');
    expect((await submit(form)).headers.get('location')).toBe(url.href);
    const other = await submit(formOf((await open('/p/gold')).text));
    expect(other.headers.get('location')).not.toBe(url.href);
    expect(await calls('/orderToReference/direct')).toHaveLength(2);
  });

  test('a form with an outdated price is shown again with the new one, and orders nothing', async () => {
    const form = formOf((await open('/p/gold')).text);
    const OFFERS = {gold: {...GOLD, amount: '159.90'}};
    const {status, text} = await submit(form, {bindings: {OFFERS}});
    expect(status).toBe(409);
    expect(text).toContain('The price has changed');
    expect(formOf(text).get('amount')).toBe('159.90');
    expect(await calls('/orderToReference/direct')).toEqual([]);
  });

  test('a form of another site, a damaged form and a large form order nothing', async () => {
    const form = formOf((await open('/p/gold')).text);
    for (const origin of ['https://evil.example', 'null'])
      expect((await submit(form, {headers: {origin}})).status).toBe(403);
    expect((await submit('attempt=1&amount=149.90')).status).toBe(422);
    expect((await submit('')).status).toBe(422);
    expect((await submit(`${form}&x=${'x'.repeat(2_000)}`)).status).toBe(413);
    expect((await open('/p/club', {method: 'POST', body: form, headers: {origin: WORKER}})).status).toBe(404);
    expect(await calls('/orderToReference/direct')).toEqual([]);
  });

  test('a form meets the limits of orders, and says that the human check needs a script', async () => {
    const headers = {'cf-connecting-ip': newAddress()};
    const bindings = {...TURNSTILE, LIMITS: {address_unpaid_orders_per_day: 1}};
    const send = async () => submit(formOf((await open('/p/gold')).text), {headers, bindings});
    expect((await send()).status).toBe(303);
    const {status, text} = await send();
    expect(status).toBe(PROBLEMS.human_check_required.status);
    expect(text).toContain('This payment needs JavaScript');
  });
});

test('a seller whose stored name begins with half a character has an icon', () => {
  expect(decodeURIComponent(icon('\ud800abc'))).toContain('>\ufffd</text>');
});

test('texts in any accent, and on it, can be read in light and in dark', () => {
  const steps = [0, 0x33, 0x66, 0x99, 0xcc, 0xff].map((part) => part.toString(16).padStart(2, '0'));
  for (const red of steps)
    for (const green of steps)
      for (const blue of steps)
        for (const [scheme, background] of [
          ['light', '#ffffff'],
          ['dark', '#151f1c'],
        ] as const) {
          const colors = accentColors(`#${red}${green}${blue}`, scheme);
          const [accent, onAccent, paper] = [
            parseColor(colors.accent),
            parseColor(colors.onAccent),
            parseColor(background),
          ] as const;
          const ratios = [paper, tintOf(accent, paper), onAccent].map((other) => contrast(accent, other));
          if (Math.min(...ratios) < 4.5) expect.fail(`#${red}${green}${blue} ${scheme} ${ratios.join(' ')}`);
        }
  expect(accentColors('#0b6454', 'light').accent).toBe('#0b6454');
});

test('the style sheet of an accent names only the color, and no other address is one', async () => {
  const {status, headers, text} = await open('/theme/ffcc00.css');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  expect(text).toMatch(/^:root\{--vezne-accent:#[0-9a-f]{6};--vezne-on-accent:#[0-9a-f]{6}\}\n@supports/);
  for (const path of ['/theme/ffcc0.css', '/theme/FFCC00.css', '/theme/}body{.css', '/theme/ffcc00'])
    expect((await open(path)).status).toBe(404);
});
