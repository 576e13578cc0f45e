/** The platform's hosted pages: the bank page and the payment page. */

import {runInDurableObject} from 'cloudflare:test';
import {beforeEach, describe, expect, inject, test} from 'vitest';
import {HostedPayment, PaymentPage} from '../../../../worker/contract/browser/answers.ts';
import {advance, MINUTE} from '../../support/clock.ts';
import {orderObject, runSweep} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {
  type Answer,
  askAsPage,
  askMerchant,
  handOff,
  openMerchantSession,
  openOrder,
  openSession,
  ORIGIN,
  read,
} from '../../support/page.ts';
import {expectProblem, PROBLEMS} from '../../support/problems.ts';
import {callPlatform, calls, control, countCalls, pay, setFault} from '../../support/sandbox.ts';

freshWorker();

const platform = () => inject('platformUrl');
const hosted = (token: string, body: object = {}, bindings?: Record<string, unknown>): Promise<Answer> =>
  askAsPage('POST', '/v1/hosted-payment', {token, body, ...(bindings && {bindings})});
const paymentPage = (token: string, body: object = {}, bindings?: Record<string, unknown>): Promise<Answer> =>
  askAsPage('POST', '/v1/payment-pages', {token, body, ...(bindings && {bindings})});

const pageTokens = async () => (await calls()).filter(({path}) => path === '/pay/token');

/** A session that the merchant's server creates for its own order. */
async function merchantSession(order: string, more: object = {}): Promise<string> {
  const prefill = {name: 'Ayşe Yılmaz', email: 'ayse@example.com'};
  return (await openMerchantSession({kind: 'payment', service: 'DEMO', order, amount: '149.90', prefill, ...more}))
    .token;
}

describe('the hosted bank page', () => {
  test('the bank page shows the order’s code and links back to the shopper’s page, with its fragment', async () => {
    const {token, order} = await openSession();
    const {order_code, url} = read(
      await hosted(token, {redirect_url: `${ORIGIN}/thanks?a=b c`, back_url: `${ORIGIN}/#/cart`}),
      HostedPayment,
    );
    expect(url).toBe(
      `${platform()}/pay/phs/banks/${order_code}?${new URLSearchParams({redirect: `${ORIGIN}/thanks?a=b%20c`, backUrl: `${ORIGIN}/#/cart`}).toString()}`,
    );
    const [direct, ...more] = await calls('/orderToReference/direct');
    expect(more).toEqual([]);
    expect(direct?.params).toMatchObject({code: 'DEMO', order, amount: '149.90'});
    expect(await countCalls('/orderToReference/create')).toBe(0);
    expect((await fetch(url)).status).toBe(200);
  });

  test('concurrent requests for the bank page and for the order code get the same code', async () => {
    const {token} = await openSession();
    const order = () => askAsPage('POST', '/v1/order-code', {token});
    const answers = await Promise.all([hosted(token), order(), hosted(token), order(), hosted(token)]);
    expect(new Set(answers.map(({body}) => (body as {order_code: string}).order_code)).size).toBe(1);
    expect((await countCalls('/orderToReference/direct')) + (await countCalls('/orderToReference/create'))).toBe(1);
  });

  test('the platform gets the shopper’s IP address, and the data that the merchant’s server sent', async () => {
    const token = await merchantSession('S-hosted');
    await askAsPage('POST', '/v1/hosted-payment', {token, headers: {'cf-connecting-ip': '198.51.100.9'}});
    const [direct] = await calls('/orderToReference/direct');
    expect(direct?.params).toMatchObject({
      'PaymentNotification[name]': 'Ayşe Yılmaz',
      'PaymentNotification[email]': 'ayse@example.com',
      'PaymentNotification[user_ip]': '198.51.100.9',
    });
  });

  test('if the platform’s reply with the bank page’s code is lost, the Worker reads the code back', async () => {
    const {token} = await openSession();
    await setFault({operation: '/orderToReference/direct', kind: 'empty', times: 1, after: true});
    read(await hosted(token), HostedPayment);
    expect([await countCalls('/orderToReference/direct'), await countCalls('/orderToReference/check')]).toEqual([1, 1]);
  });

  test('no hosted page opens for a session that is read-only or may no longer create an order code', async () => {
    const {token: reading} = await handOff(await openOrder());
    expectProblem(await hosted(reading), PROBLEMS.session_kind);
    expectProblem(await paymentPage(reading), PROBLEMS.session_kind);
    const {token} = await openSession();
    await advance(31 * MINUTE);
    expectProblem(await hosted(token), PROBLEMS.session_expired);
    expectProblem(await paymentPage(token), PROBLEMS.session_expired);
    expect(await countCalls('/orderToReference/direct')).toBe(0);
  });

  test('if the hosted pages are not configured, the Worker creates no order code', async () => {
    const {token} = await openSession();
    const answer = await hosted(token, {}, {PAYMENT_PAGE_URL: undefined});
    expect([answer.status, answer.body]).toMatchObject([503, {code: 'misconfigured'}]);
    expect(await countCalls('/orderToReference/direct')).toBe(0);
  });
});

/** The HTTP status of the platform's bank page, or the error code with which the Worker refuses to open the page. */
async function openBankPage(token: string): Promise<unknown> {
  const {status, body} = await hosted(token);
  const {url, code} = body as {url?: string; code?: string};
  return status === 200 ? (await fetch(url ?? '')).status : code;
}
const requestCode = (token: string) => askAsPage('POST', '/v1/order-code', {token});

// The sandbox's bank page shows every order code (`any`), or only codes of `/orderToReference/direct` (`direct`).
describe('if the bank page opens only for a code that it made', () => {
  beforeEach(() => control('readings', {bank_page: 'direct'}));

  test('if the bank page was opened first, it can be opened again after our page has shown the code', async () => {
    const {token} = await openSession();
    expect(await openBankPage(token)).toBe(200);
    expect((await requestCode(token)).status).toBe(200);
    expect(await openBankPage(token)).toBe(200);
  });

  test('the Worker opens no bank page for a code that our page has shown first', async () => {
    const {token} = await openOrder();
    const answer = await hosted(token);
    expectProblem(answer, PROBLEMS.bank_page_unavailable);
    expect(await countCalls('/orderToReference/direct')).toBe(0);
  });

  test.for([
    ['createHostedOrderCode', 200],
    ['createOrderCode', 'bank_page_unavailable'],
  ] as const)(
    'after the merchant’s server called %s, opening the bank page results in %j',
    async ([operation, expected]) => {
      const order = 'S-server-code';
      const token = await merchantSession(order);
      const path = operation === 'createOrderCode' ? 'order-codes' : 'order-codes/hosted';
      const made = await askMerchant(path, {service: 'DEMO', order, amount: '149.90'});
      expect(made.status).toBe(201);
      expect(await openBankPage(token)).toBe(expected);
    },
  );

  test('after a lost reply, the bank page opens only if the request was for the bank page', async () => {
    const opened = await openSession();
    await setFault({operation: '/orderToReference/direct', kind: 'empty', times: 1, after: true});
    expect(await openBankPage(opened.token)).toBe(200);
    const shown = await openSession();
    await setFault({operation: '/orderToReference/create', kind: 'empty', times: 1, after: true});
    expect((await requestCode(shown.token)).status).toBe(200);
    expect(await openBankPage(shown.token)).toBe('bank_page_unavailable');
  });

  test('if it is unknown which operation made the code, no bank page opens, but our page gets the code', async () => {
    const both = await openSession();
    await setFault({operation: '/orderToReference/create', kind: 'empty', times: 1, after: true});
    await setFault({operation: '/orderToReference/check', kind: '500-html'});
    expect((await requestCode(both.token)).status).toBe(503);
    await control('faults', {});
    expect(await openBankPage(both.token)).toBe('bank_page_unavailable');
    const adopted = {service: 'DEMO', order: 'S-elsewhere', amount: '149.90', adopt: true};
    await callPlatform('/orderToReference/create', {code: 'DEMO', order: 'S-elsewhere', amount: '149.90'});
    expect((await askMerchant('order-codes', adopted)).status).toBe(201);
    expect(await openBankPage(await merchantSession('S-elsewhere'))).toBe('bank_page_unavailable');
    expect((await requestCode(await merchantSession('S-elsewhere'))).status).toBe(200);
  });
});

const problem = (field: string) => ({
  ...PROBLEMS.return_url_not_allowed,
  fields: [{path: field, message: 'Shoppers of this page may not return to this URL.'}],
});

describe('return URLs', () => {
  const FORGED = [
    'https://evil.example/',
    'http://localhost.evil.example/',
    `http://localhost:5173@evil.example/`,
    `http://user:pass@localhost:5173/`,
  ];
  const WRONG = [
    'javascript:alert(1)',
    'data:text/html,x',
    '/thanks',
    '//evil.example',
    'localhost:5173',
    `${ORIGIN}.evil.example/`,
    '',
    7,
    null,
    `${ORIGIN}/${'x'.repeat(2000)}`,
  ];
  test('with a session from an offer, a shopper may return only to the session’s origin', async () => {
    const {token} = await openSession();
    const bindings = {
      RETURN_URLS: 'https://evil.example https://shop.example/thanks',
      ALLOWED_ORIGINS: `${ORIGIN} https://shop.example`,
    };
    for (const url of [...FORGED, 'https://shop.example/thanks']) {
      expectProblem(await hosted(token, {redirect_url: url}, bindings), problem('redirect_url'));
      expectProblem(await hosted(token, {back_url: url}, bindings), problem('back_url'));
      expectProblem(await paymentPage(token, {success_url: url}, bindings), problem('success_url'));
    }
    for (const url of WRONG)
      expect((await hosted(token, {redirect_url: url})).body, String(url)).toMatchObject({
        code: 'invalid_request',
        fields: [{path: 'redirect_url'}],
      });
    expect(await calls()).toEqual([]);
    expect((await hosted(token, {redirect_url: `${ORIGIN}/anything`}, bindings)).status).toBe(200);
  });

  test('RETURN_URLS on the session’s origin limit the paths for returns, compared by whole segments', async () => {
    const {token} = await openSession();
    const statusFor = async (redirect_url: string) =>
      (await hosted(token, {redirect_url}, {RETURN_URLS: `${ORIGIN}/thanks ${ORIGIN}/shop/`})).status;
    for (const path of ['/thanks', '/thanks/', '/thanks/1?x=y#z', '/shop/a/b', '/x/../thanks', '/thanks/%2e%2e/thanks'])
      expect([path, await statusFor(ORIGIN + path)]).toEqual([path, 200]);
    for (const path of [
      '/',
      '/thanks-a-lot',
      '/thank',
      '/Thanks',
      '/thanks/../x',
      '/thanks/%2e%2e/x',
      '/thanks%2F..',
      '/shopping',
    ])
      expect([path, await statusFor(ORIGIN + path)]).toEqual([path, 422]);
  });

  test('with a session of the merchant’s server, a shopper may return only to the RETURN_URLS', async () => {
    const token = await merchantSession('S-return');
    const bindings = {RETURN_URLS: 'https://shop.example/thanks'};
    expect((await hosted(token, {redirect_url: 'https://shop.example/thanks/1'}, bindings)).status).toBe(200);
    for (const url of ['https://shop.example/', 'https://shop.example/thanks-a-lot', ...FORGED])
      expectProblem(await hosted(token, {redirect_url: url}, bindings), problem('redirect_url'));
    expectProblem(await hosted(token, {redirect_url: 'https://shop.example/thanks'}), problem('redirect_url'));
  });
});

describe('the payment page', () => {
  test('the payment page has the order’s amount and reference, and the offer’s title in the shopper’s language', async () => {
    const {token, order} = await openSession();
    const {url, expires_at} = read(
      await paymentPage(token, {success_url: `${ORIGIN}/ok`, failure_url: `${ORIGIN}/no`}),
      PaymentPage,
    );
    expect(url).toMatch(/\/pay\/page\/[\w-]+$/);
    expect(Date.parse(expires_at ?? '')).toBeGreaterThan(Date.now());
    const call = (await pageTokens())[0];
    expect(call?.params).toMatchObject({
      serviceId: '1',
      referenceCode: order,
      item: 'Ahşap masa lambası',
      price: '149.90',
      successUrl: `${ORIGIN}/ok`,
      failureUrl: `${ORIGIN}/no`,
    });
    expect((await fetch(url)).status).toBe(200);
    read(await paymentPage((await openSession()).token, {language: 'en'}), PaymentPage);
    expect((await pageTokens())[1]?.params).toMatchObject({item: 'Wooden table lamp'});
  });

  test('the payment page charges the current amount even if the session was made for a higher one', async () => {
    const token = await merchantSession('S-cheaper');
    await merchantSession('S-cheaper', {amount: '129.90'});
    read(await paymentPage(token), PaymentPage);
    expect((await pageTokens())[0]?.params).toMatchObject({referenceCode: 'S-cheaper', price: '129.90'});
  });

  test('the payment page charges the new amount if the amount changes while the page is being opened', async () => {
    const terms = {service: 'DEMO', order: 'S-changed', amount: 14990, hours: 72};
    await orderObject(terms.order).prepare(terms, {});
    const request = {
      terms,
      page: {serviceId: '1', item: 'Lamp', successUrl: `${ORIGIN}/ok`, failureUrl: `${ORIGIN}/no`},
      reopen: false,
    };
    const opened = await runInDurableObject(orderObject(terms.order), (order) =>
      Promise.all([
        order.openPaymentPage(request),
        order.openPaymentPage(request),
        order.prepare({...terms, amount: 9900}, {}),
      ]),
    );
    expect(opened[0]).toMatchObject({url: expect.stringMatching(/\/pay\/page\//) as string});
    expect(opened[1]).toEqual(opened[0]);
    expect(await orderObject(terms.order).openPaymentPage(request)).toEqual(opened[0]);
    expect((await pageTokens()).map(({params}) => params['price'])).toEqual(['149.90', '99.00']);
  });

  test('the payment page links to the merchant’s return URLs, or to the session’s origin without them', async () => {
    const urls = {success_url: 'https://shop.example/thanks', failure_url: 'https://shop.example/sorry'};
    read(await paymentPage(await merchantSession('S-return-urls', urls)), PaymentPage);
    read(await paymentPage((await openSession()).token), PaymentPage);
    const sent = (await pageTokens()).map(({params}) => [params['item'], params['successUrl'], params['failureUrl']]);
    expect(sent).toEqual([
      ['S-return-urls', urls.success_url, urls.failure_url],
      ['Ahşap masa lambası', `${ORIGIN}/`, `${ORIGIN}/`],
    ]);
  });

  test('an order has one payment page while it is open, even with concurrent requests from several tabs', async () => {
    const {token} = await openSession();
    const [first, ...others] = await Promise.all([
      paymentPage(token),
      paymentPage(token),
      paymentPage(token, {success_url: `${ORIGIN}/other-tab`}),
    ]);
    const page = read(first, PaymentPage);
    for (const other of others) expect(read(other, PaymentPage)).toEqual(page);
    await advance(27 * MINUTE);
    expect(read(await paymentPage(token), PaymentPage)).toEqual(page);
    expect(await pageTokens()).toHaveLength(1);
    // The payment page soon expires, so the Worker does not return it again.
    await advance(2 * MINUTE);
    expect(read(await paymentPage(token), PaymentPage).url).not.toBe(page.url);
    expect(await pageTokens()).toHaveLength(2);
  });

  test('a shopper who could not pay may open at most five new payment pages in ten minutes', async () => {
    const {token} = await openSession();
    const urls = new Set<string>();
    for (let page = 0; page < 5; page += 1) urls.add(read(await paymentPage(token, {anew: true}), PaymentPage).url);
    expect(urls.size).toBe(5);
    const refused = await paymentPage(token, {anew: true});
    expectProblem(refused, PROBLEMS.rate_limited);
    expect(refused.headers.get('retry-after')).toBe('600');
    // Without `anew`, the shopper gets a page that is already open.
    expect(urls).toContain(read(await paymentPage(token), PaymentPage).url);
    await advance(10 * MINUTE);
    expect(urls).not.toContain(read(await paymentPage(token, {anew: true}), PaymentPage).url);
  });

  test('the payment page charges only what is still to be paid', async () => {
    const {token, code} = await openOrder();
    const full = read(await paymentPage(token), PaymentPage);
    await pay({order_code: code, amount: '100.00'});
    await runSweep();
    const rest = read(await paymentPage(token), PaymentPage);
    expect(rest.url).not.toBe(full.url);
    expect(read(await paymentPage(token), PaymentPage)).toEqual(rest);
    expect((await pageTokens()).map(({params}) => params['price'])).toEqual(['149.90', '49.90']);
  });

  test('a paid order gets neither a payment page nor a bank page', async () => {
    const {token, code} = await openOrder();
    const page = read(await paymentPage(token), PaymentPage);
    await pay({order_code: code});
    expect(read(await paymentPage(token), PaymentPage)).toEqual(page);
    await runSweep();
    for (const refused of [await paymentPage(token), await paymentPage(token, {anew: true}), await hosted(token)])
      expectProblem(refused, PROBLEMS.order_paid);
    expect(await pageTokens()).toHaveLength(1);
  });

  test('no payment page opens without its configuration, or if the platform refuses the page or fails', async () => {
    const {token} = await openSession();
    for (const bindings of [{SERVICES: {DEMO: {}}}, {PAYMENT_PAGE_SECRET: undefined}, {MICROPAYMENT_URL: undefined}]) {
      expect((await paymentPage(token, {}, bindings)).body).toMatchObject({code: 'misconfigured'});
    }
    await control('faults', {operation: '/pay/token', kind: 'status', status: 'API_ERR_1023', times: 1});
    expectProblem(await paymentPage(token), PROBLEMS.platform_refused);
    await control('faults', {operation: '/pay/token', kind: '500-html', times: 1});
    expectProblem(await paymentPage(token), PROBLEMS.temporarily_unavailable);
  });
});
