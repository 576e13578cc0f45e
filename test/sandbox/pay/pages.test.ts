/** The hosted pages as a browser loads them: their links, their forms and their redirects. */

import {beforeEach, describe, expect, test} from 'vitest';
import {md5} from '../../../sandbox/keys.ts';
import {listCycles, NUMBER, readPin} from '../support/mobile-billing.ts';
import {call, control, createOrder, ORIGIN, read, request} from '../support/platform.ts';

const OK_URL = 'https://shop.example/ok?order=S-1';
const FAIL_URL = 'https://shop.example/fail';

beforeEach(() => control('reset'));

async function openPage(
  path: string,
  headers: Record<string, string> = {},
): Promise<{status: number; text: string; headers: Headers}> {
  const response = await request(path, {headers});
  return {status: response.status, text: await response.text(), headers: response.headers};
}

/** Submits a form. @returns the status, the text, and as `address` the target of the redirect. */
async function submitForm(
  path: string,
  fields: Record<string, string>,
): Promise<{status: number; address: string | null; text: string}> {
  const response = await request(path, {method: 'POST', body: new URLSearchParams(fields), redirect: 'manual'});
  return {status: response.status, address: response.headers.get('location'), text: await response.text()};
}

function pathOf(address: unknown): string {
  return String(address).slice(ORIGIN.length);
}

async function createPaymentPage(trial: Record<string, string> = {}): Promise<string> {
  const fields = {
    merchantId: '123',
    serviceId: '1',
    referenceCode: 'REF-7',
    item: 'Masa & lamba',
    price: '149.90',
    successUrl: OK_URL,
    failureUrl: FAIL_URL,
  };
  const key = await md5(...Object.values(fields), 'sandbox-payment-page-secret');
  const response = await request('/pay/token', {method: 'POST', body: new URLSearchParams({...fields, ...trial, key})});
  const {tokenData} = await response.json<{tokenData: {redirectUrl: string}}>();
  return pathOf(tokenData.redirectUrl);
}

function inviteVendor() {
  return call('/marketPlace/get-vendor-form-url', {
    code: 'DEMO',
    vendor_code: 'V-7',
    name: 'Yıldız "Seramik" <A.Ş.>',
    phone: '5321234567',
    iban: 'TR330006100519786457841326',
    success_url: OK_URL,
    failure_url: FAIL_URL,
  });
}

async function createVendorForm(): Promise<string> {
  return pathOf((await inviteVendor())['redirectUrl']);
}

async function createNotice(): Promise<string> {
  const {code} = await call('/paymentNotification/create', {
    code: 'DEMO',
    order: 'S-1',
    amount: '149.90',
    bank: 'garanti',
  });
  return String(code);
}

test.each([
  ['any', 200],
  ['direct', 404],
] as const)(
  'with the reading `bank_page: %s`, the bank page answers %d for a code from `create`, and 200 for one from `direct`',
  async (bank_page, status) => {
    await control('readings', {bank_page});
    expect((await openPage(`/pay/phs/banks/${await createOrder('S-1')}`)).status).toBe(status);
    const {code} = await call('/orderToReference/direct', {code: 'DEMO', order: 'S-2', amount: '149.90'});
    expect((await openPage(`/pay/phs/banks/${String(code)}`)).status).toBe(200);
  },
);

test('with the reading `vendor_form: session`, the vendor form needs its cookie and its field `session`', async () => {
  await control('readings', {vendor_form: 'session'});
  const path = await createVendorForm();
  const {headers, text} = await openPage(path);
  const cookie = /^(vendor_session=([\w-]{36})); Path=\/pay\/phs\/vendor\/; HttpOnly; Secure; SameSite=None$/.exec(
    headers.get('set-cookie') ?? '',
  );
  const [, sent = '', session = ''] = cookie ?? [];
  expect(text).toContain(`<input type="hidden" name="session" data-session="${session}">`);
  const send = (fields: Record<string, string>, sentHeaders: Record<string, string>) =>
    request(path, {
      method: 'POST',
      headers: sentHeaders,
      redirect: 'manual',
      body: new URLSearchParams({step: 'decline', ...fields}),
    });
  expect((await send({session}, {})).status).toBe(403);
  expect((await send({}, {cookie: sent})).status).toBe(403);
  expect((await send({session: 'another'}, {cookie: sent})).status).toBe(403);
  expect((await send({session}, {cookie: sent})).status).toBe(303);
});

describe('the bank page', () => {
  const query = new URLSearchParams({redirect: OK_URL, backUrl: 'https://shop.example/cart'});

  test("the bank page shows the order and every bank, and its links keep the merchant's two return URLs", async () => {
    const code = await createOrder('S <1>');
    const {text} = await openPage(`/pay/phs/banks/${code}?${query}`);
    expect(text).toContain('S &lt;1&gt;');
    expect(text).toContain('149,90 TL');
    expect(text.match(/<li>/g)).toHaveLength(12);
    const bankPath = `/pay/phs/banks/${code}?${new URLSearchParams([...query, ['bank', 'garanti']])}`.replaceAll(
      '&',
      '&amp;',
    );
    expect(text).toContain(`href="${bankPath}"`);
    expect(text).toContain('href="https://shop.example/cart"');
  });

  test('a person can simulate transfers on the bank page, and is redirected when all money has arrived', async () => {
    const {code} = await call('/orderToReference/direct', {
      code: 'DEMO',
      order: 'S-1',
      amount: '149.90',
      'PaymentNotification[name]': 'Ayşe Yılmaz',
    });
    const path = `/pay/phs/banks/${code}?${query}&bank=garanti`;
    expect((await openPage(path)).text).toContain('value="Ayşe Yılmaz"');
    const part = await submitForm(path, {sent: '100,00', sender: 'Ayşe Yılmaz'});
    expect(part).toMatchObject({status: 303, address: expect.stringContaining(`/pay/phs/banks/${code}?redirect=`)});
    expect((await openPage(path)).text).toContain('49,90 TL');
    expect(await submitForm(path, {sent: '49.90', sender: ''})).toMatchObject({status: 303, address: OK_URL});
    expect(await read('transfers')).toMatchObject({
      transfers: [
        {order_code: code, matched: true, status: 3, bank: 'garanti', amount: '49.90', sender: null, description: code},
        {order_code: code, amount: '100.00', sender: 'Ayşe Yılmaz'},
      ],
    });
    const {text} = await openPage(path);
    expect(text).toContain('Ödemeniz alındı');
    expect(text).toContain(`<a class="button" href="${OK_URL}">Devam et</a>`);
    expect(text).not.toContain('<form');
  });
});

describe('the notice page', () => {
  test('the notice page submits the notice once and redirects to the merchant', async () => {
    await control('readings', {notice_code: 'own_id'});
    const code = await createNotice();
    const path = `/pay/phs/yonlendir/${code}?${new URLSearchParams({redirect: OK_URL, backUrl: FAIL_URL})}`;
    const before = (await openPage(path)).text;
    expect(before).toContain('Bildirimi gönder');
    expect(before).toContain(`href="${FAIL_URL}"`);
    expect(await submitForm(path, {})).toMatchObject({status: 303, address: OK_URL});
    expect(await call('/paymentNotification/get', {id: code})).toMatchObject({paymentNotification: {status: 1}});
    const after = (await openPage(path)).text;
    expect(after).toContain('Bildiriminiz alındı');
    expect(after).not.toContain('<form');
  });

  test('the notice page shows the state of the notice', async () => {
    await control('readings', {notice_code: 'own_id'});
    const code = await createNotice();
    await control(`notices/${code}/status`, {status: -1});
    expect((await openPage(`/pay/phs/yonlendir/${code}`)).text).toContain('Bu bildirim artık geçerli değil');
    expect(await submitForm(`/pay/phs/yonlendir/${code}`, {})).toMatchObject({status: 303});
    expect(await call('/paymentNotification/get', {id: code})).toMatchObject({paymentNotification: {status: -1}});
    const {body} = await control('transfers', {description: 'kira', bank: 'garanti', amount: '149.90'});
    await control(`notices/${code}/approve`, {transaction_id: body['transaction_id']});
    expect((await openPage(`/pay/phs/yonlendir/${code}`)).text).toContain('Ödemeniz bulundu');
  });
});

describe('the payment page', () => {
  test('the payment page asks for a number and the PIN sent to it, and charges the number once', async () => {
    const path = await createPaymentPage();
    expect((await openPage(path)).text).toContain('Masa &amp; lamba');
    expect(await submitForm(path, {step: 'number', msisdn: '0555 123 45 67', operator: '4'})).toMatchObject({
      status: 303,
      address: path,
    });
    expect((await openPage(path)).text).toContain('autocomplete="one-time-code"');
    expect(await submitForm(path, {step: 'pin', pin: await readPin(NUMBER)})).toMatchObject({
      status: 303,
      address: path,
    });
    const {text} = await openPage(path);
    expect(text).toContain('Ödeme tamamlandı');
    expect(text).toContain(`href="${OK_URL}"`);
    await control('clock', {advance_seconds: 90 * 24 * 3600});
    expect(await listCycles()).toMatchObject([
      {
        msisdn: NUMBER,
        operator: 4,
        product: null,
        reference: 'REF-7',
        fee: '149.90',
        charges: [{status: 3, amount: '149.90'}],
      },
    ]);
    expect(await submitForm(path, {step: 'pin', pin: '0000'})).toMatchObject({status: 303, address: path});
    expect(await listCycles()).toHaveLength(1);
    expect((await read<{messages: {message: string}[]}>(`sms?msisdn=${NUMBER}`)).messages.at(-1)?.message).toBe(
      'Masa & lamba için 149,90 TL ödediniz. Tutar faturanıza yansıtılacak.',
    );
  });

  test('a payment page with a trial starts a subscription that renews', async () => {
    const path = await createPaymentPage({hasTrialPeriod: 'true', trialPeriodDay: '7'});
    expect((await openPage(path)).text).toContain('7 gün ücretsiz');
    await submitForm(path, {step: 'number', msisdn: NUMBER, operator: '1'});
    await submitForm(path, {step: 'pin', pin: await readPin(NUMBER)});
    expect(await listCycles()).toMatchObject([{charges: []}]);
    await control('clock', {advance_seconds: 8 * 24 * 3600});
    expect(await listCycles()).toMatchObject([{charges: []}, {charges: [{amount: '149.90'}]}]);
  });

  test('the payment fails after the third wrong PIN on the payment page', async () => {
    const path = await createPaymentPage();
    await submitForm(path, {step: 'number', msisdn: NUMBER, operator: '1'});
    for (const pin of ['x', '']) {
      expect(await submitForm(path, {step: 'pin', pin})).toMatchObject({
        status: 422,
        text: expect.stringContaining('Kod hatalı.'),
      });
    }
    await submitForm(path, {step: 'pin', pin: 'x'});
    const {text} = await openPage(path);
    expect(text).toContain('Ödeme tamamlanamadı');
    expect(text).toContain(`href="${FAIL_URL}"`);
    expect(await listCycles()).toEqual([]);
  });

  test.each(['5550001018', '5550002004'])(
    'the payment page reports a failed payment for the number %s',
    async (msisdn) => {
      const path = await createPaymentPage();
      await submitForm(path, {step: 'number', msisdn, operator: '1'});
      await submitForm(path, {step: 'pin', pin: await readPin(msisdn)});
      expect((await openPage(path)).text).toContain('Ödeme tamamlanamadı');
    },
  );

  test('the payment page expires after half an hour', async () => {
    const path = await createPaymentPage();
    await control('clock', {advance_seconds: 1800});
    const {status, text} = await openPage(path);
    expect(status).toBe(410);
    expect(text).toContain(`href="${FAIL_URL}"`);
  });
});

describe('the vendor form', () => {
  const FORM = {
    step: 'register',
    name: 'Yıldız',
    phone: '5321234567',
    iban: 'TR33 0006 1005 1978 6457 8413 26',
    accept: '1',
  };

  test('the vendor form saves what the vendor entered and redirects to the success URL', async () => {
    const path = await createVendorForm();
    expect(await submitForm(path, FORM)).toMatchObject({status: 303, address: OK_URL});
    expect(await read('vendors')).toMatchObject({
      vendors: [{vendor_code: 'V-7', name: 'Yıldız', iban: 'TR330006100519786457841326', state: 'registered'}],
    });
    expect((await openPage(path)).text).toContain('Kaydınız tamamlandı');
  });

  test('the vendor form redirects to the failure URL when the vendor declines', async () => {
    const path = await createVendorForm();
    expect(await submitForm(path, {step: 'decline'})).toMatchObject({status: 303, address: FAIL_URL});
    expect(await read('vendors')).toMatchObject({vendors: [{state: 'declined'}]});
    expect((await openPage(path)).text).toContain('Kayıttan vazgeçildi');
  });
});

test('the control busy-day pays each open payment page once', async () => {
  await createPaymentPage();
  const times = {from: '2026-11-20 09:00:00', to: '2026-11-20 18:00:00'};
  const charges = async () => (await control('busy-day', times)).body['charges'];
  expect([await charges(), await charges()]).toEqual([1, 0]);
  expect(await read('subscriptions')).toMatchObject({
    subscriptions: [{reference: 'REF-7', charges: [{status: 3, amount: '149.90'}]}],
  });
});
