/** The hosted pages as a browser meets them: links, forms and where they lead. */

import {beforeEach, describe, expect, test} from 'vitest';
import {md5} from '../../../sandbox/keys.ts';
import {cycles, NUMBER, readPin} from '../support/mobile-billing.ts';
import {call, control, createOrder, ORIGIN, read, request} from '../support/platform.ts';

const OK_URL = 'https://shop.example/ok?order=S-1';
const FAIL_URL = 'https://shop.example/fail';

beforeEach(() => control('reset'));

async function open(
  path: string,
  headers: Record<string, string> = {},
): Promise<{status: number; text: string; headers: Headers}> {
  const response = await request(path, {headers});
  return {status: response.status, text: await response.text(), headers: response.headers};
}

/** Sends a form; the address is where the browser would go next. */
async function submit(
  path: string,
  fields: Record<string, string>,
): Promise<{status: number; address: string | null; text: string}> {
  const response = await request(path, {method: 'POST', body: new URLSearchParams(fields), redirect: 'manual'});
  return {status: response.status, address: response.headers.get('location'), text: await response.text()};
}

function pathOf(address: unknown): string {
  return String(address).slice(ORIGIN.length);
}

async function paymentPage(more: Record<string, string> = {}): Promise<string> {
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
  const response = await request('/pay/token', {method: 'POST', body: new URLSearchParams({...fields, ...more, key})});
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

async function vendorForm(): Promise<string> {
  return pathOf((await inviteVendor())['redirectUrl']);
}

async function notice(): Promise<string> {
  const {code} = await call('/paymentNotification/create', {
    code: 'DEMO',
    order: 'S-1',
    amount: '149.90',
    bank: 'garanti',
  });
  return String(code);
}

describe('every page', () => {
  const PAGES: [string, () => Promise<string>][] = [
    ['bank page', async () => `/pay/phs/banks/${await createOrder('S-1')}`],
    ['account page', async () => `/pay/phs/banks/${await createOrder('S-1')}?bank=garanti`],
    ['notice page', async () => `/pay/phs/yonlendir/${await notice()}`],
    ['payment page', () => paymentPage()],
    ['vendor form', () => vendorForm()],
    ['page that is not there', async () => '/pay/phs/banks/881200450017'],
  ];

  test.each(PAGES)('speaks Turkish unless told otherwise: %s', async (_, make) => {
    const path = await make();
    expect((await open(path)).text).toContain('<html lang="tr">');
    expect((await open(path, {'accept-language': 'de-DE,en-GB;q=0.9,tr;q=0.8'})).text).toContain('<html lang="en">');
    const join = path.includes('?') ? '&' : '?';
    expect((await open(`${path}${join}lang=en`)).text).toContain('<html lang="en">');
    expect((await open(`${path}${join}lang=tr`, {'accept-language': 'en'})).text).toContain('<html lang="tr">');
  });

  test.each(PAGES)('has nothing inline and a policy that says so: %s', async (_, make) => {
    const {text, headers} = await open(await make());
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; form-action 'self'/,
    );
    expect(headers.get('x-frame-options')).toBeNull();
    expect(text).not.toMatch(/<style|style=|onclick|<script>|javascript:/);
  });

  test.each(PAGES)('answers GET and POST only: %s', async (_, make) => {
    expect((await request(await make(), {method: 'DELETE'})).status).toBe(405);
  });

  test("is no call of the merchant's", async () => {
    await open(await paymentPage());
    await open('/pay/hosted.css');
    expect((await read<{calls: {path: string}[]}>('calls')).calls.map(({path}) => path)).toEqual(['/pay/token']);
  });
});

test.each([
  ['/pay/hosted.css', 'text/css; charset=utf-8'],
  ['/pay/hosted.js', 'text/javascript; charset=utf-8'],
  ['/pay/icon.svg', 'image/svg+xml; charset=utf-8'],
])('%s is served to pages in frames too', async (path, type) => {
  const {status, headers} = await open(path);
  expect(status).toBe(200);
  expect(headers.get('content-type')).toBe(type);
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

test.each(['/pay/phs/banks/881200450017', '/pay/phs/yonlendir/7', '/pay/phs/vendor/x', '/pay/page/x', '/pay/nothing'])(
  '%s is not there',
  async (path) => {
    const {status, text} = await open(path);
    expect(status).toBe(404);
    expect(text).toContain('<h1>Sayfa bulunamadı</h1>');
  },
);

describe('the bank page', () => {
  const query = new URLSearchParams({redirect: OK_URL, backUrl: 'https://shop.example/cart'});

  test('shows the order and every bank, and keeps both addresses', async () => {
    const code = await createOrder('S <1>');
    const {text} = await open(`/pay/phs/banks/${code}?${query}`);
    expect(text).toContain('S &lt;1&gt;');
    expect(text).toContain('149,90 TL');
    expect(text.match(/<li>/g)).toHaveLength(12);
    const carried = `/pay/phs/banks/${code}?${new URLSearchParams([...query, ['bank', 'garanti']])}`.replaceAll(
      '&',
      '&amp;',
    );
    expect(text).toContain(`href="${carried}"`);
    expect(text).toContain('href="https://shop.example/cart"');
  });

  test('shows the account of a bank, with the code to write', async () => {
    const code = await createOrder('S-1');
    const {text} = await open(`/pay/phs/banks/${code}?bank=garanti&lang=en`);
    expect(text).toContain(`data-copy="${code}"`);
    expect(text).toContain('data-copy="149.90"');
    expect(text).toContain('Örnek Ödeme Hizmetleri A.Ş.');
    expect(text).toMatch(/TR\d\d 0006 2003 8200 00/);
  });

  test('lets a person say that the money was sent, and leads on once all of it is there', async () => {
    const {code} = await call('/orderToReference/direct', {
      code: 'DEMO',
      order: 'S-1',
      amount: '149.90',
      'PaymentNotification[name]': 'Ayşe Yılmaz',
    });
    const path = `/pay/phs/banks/${code}?${query}&bank=garanti`;
    expect((await open(path)).text).toContain('value="Ayşe Yılmaz"');
    const part = await submit(path, {sent: '100,00', sender: 'Ayşe Yılmaz'});
    expect(part).toMatchObject({status: 303, address: expect.stringContaining(`/pay/phs/banks/${code}?redirect=`)});
    expect((await open(path)).text).toContain('49,90 TL');
    expect(await submit(path, {sent: '49.90', sender: ''})).toMatchObject({status: 303, address: OK_URL});
    expect(await read('transfers')).toMatchObject({
      transfers: [
        {order_code: code, matched: true, status: 3, bank: 'garanti', amount: '49.90', sender: null, description: code},
        {order_code: code, amount: '100.00', sender: 'Ayşe Yılmaz'},
      ],
    });
    const {text} = await open(path);
    expect(text).toContain('Ödemeniz alındı');
    expect(text).toContain(`<a class="button" href="${OK_URL}">Devam et</a>`);
    expect(text).not.toContain('<form');
  });

  test.each(['', '0', 'x', '-5', '1.234'])('does not send "%s"', async (sent) => {
    const path = `/pay/phs/banks/${await createOrder('S-1')}?bank=garanti`;
    const {status, text} = await submit(path, {sent});
    expect(status).toBe(422);
    expect(text).toContain('149,90 gibi bir tutar yazın.');
    expect(await read('transfers')).toEqual({transfers: []});
  });

  test('leads nowhere but to web addresses', async () => {
    const code = await createOrder('S-1');
    const {text, headers} = await open(
      `/pay/phs/banks/${code}?redirect=javascript:alert(1)&backUrl=data:text/html,x&bank=garanti`,
    );
    expect(text).not.toMatch(/href="(javascript|data):/);
    expect(headers.get('content-security-policy')).toContain("form-action 'self';");
    const {address} = await submit(`/pay/phs/banks/${code}?redirect=javascript:alert(1)&bank=garanti`, {
      sent: '149.90',
    });
    expect(address).toMatch(/^\/pay\/phs\/banks\//);
  });

  test('may lead to the merchant from its form', async () => {
    const {headers} = await open(`/pay/phs/banks/${await createOrder('S-1')}?${query}`);
    expect(headers.get('content-security-policy')).toContain("form-action 'self' https://shop.example;");
  });
});

describe('the notice page', () => {
  test('submits the notice once and leads on', async () => {
    const code = await notice();
    const path = `/pay/phs/yonlendir/${code}?${new URLSearchParams({redirect: OK_URL, backUrl: FAIL_URL})}`;
    const before = (await open(path)).text;
    expect(before).toContain('Bildirimi gönder');
    expect(before).toContain(`href="${FAIL_URL}"`);
    expect(await submit(path, {})).toMatchObject({status: 303, address: OK_URL});
    expect(await call('/paymentNotification/get', {id: code})).toMatchObject({paymentNotification: {status: 1}});
    const after = (await open(path)).text;
    expect(after).toContain('Bildiriminiz alındı');
    expect(after).not.toContain('<form');
  });

  test('without an address shows that it was received', async () => {
    const path = `/pay/phs/yonlendir/${await notice()}`;
    expect(await submit(path, {})).toMatchObject({status: 303, address: path});
  });

  test('says what became of the notice', async () => {
    const code = await notice();
    await control(`notices/${code}/status`, {status: -1});
    expect((await open(`/pay/phs/yonlendir/${code}`)).text).toContain('Bu bildirim artık geçerli değil');
    expect(await submit(`/pay/phs/yonlendir/${code}`, {})).toMatchObject({status: 303});
    expect(await call('/paymentNotification/get', {id: code})).toMatchObject({paymentNotification: {status: -1}});
    const {body} = await control('transfers', {description: 'kira', bank: 'garanti', amount: '149.90'});
    await control(`notices/${code}/approve`, {transaction_id: body['transaction_id']});
    expect((await open(`/pay/phs/yonlendir/${code}`)).text).toContain('Ödemeniz bulundu');
  });
});

describe('the common payment page', () => {
  test('goes from number to PIN to done, and charges once', async () => {
    const path = await paymentPage();
    expect((await open(path)).text).toContain('Masa &amp; lamba');
    expect(await submit(path, {step: 'number', msisdn: '0555 123 45 67', operator: '4'})).toMatchObject({
      status: 303,
      address: path,
    });
    expect((await open(path)).text).toContain('autocomplete="one-time-code"');
    expect(await submit(path, {step: 'pin', pin: await readPin(NUMBER)})).toMatchObject({status: 303, address: path});
    const {text} = await open(path);
    expect(text).toContain('Ödeme tamamlandı');
    expect(text).toContain(`href="${OK_URL}"`);
    await control('clock', {advance_seconds: 90 * 24 * 3600});
    expect(await cycles()).toMatchObject([
      {
        msisdn: NUMBER,
        operator: 4,
        product: null,
        reference: 'REF-7',
        fee: '149.90',
        charges: [{status: 3, amount: '149.90'}],
      },
    ]);
    expect(await submit(path, {step: 'pin', pin: '0000'})).toMatchObject({status: 303, address: path});
    expect(await cycles()).toHaveLength(1);
  });

  test('with a trial begins a subscription that renews', async () => {
    const path = await paymentPage({hasTrialPeriod: 'true', trialPeriodDay: '7'});
    expect((await open(path)).text).toContain('7 gün ücretsiz');
    await submit(path, {step: 'number', msisdn: NUMBER, operator: '1'});
    await submit(path, {step: 'pin', pin: await readPin(NUMBER)});
    expect(await cycles()).toMatchObject([{charges: []}]);
    await control('clock', {advance_seconds: 8 * 24 * 3600});
    expect(await cycles()).toMatchObject([{charges: []}, {charges: [{amount: '149.90'}]}]);
  });

  test.each([
    [{msisdn: '123', operator: '1'}, '5 ile başlayan 10 haneli bir numara yazın.'],
    [{msisdn: NUMBER, operator: '8'}, 'Operatörünüzü seçin.'],
    [{msisdn: '5550000007', operator: '1'}, 'Bu numarayla ödeme yapılamıyor.'],
  ])('does not take %o', async (fields, complaint) => {
    const {status, text} = await submit(await paymentPage(), {step: 'number', ...fields});
    expect(status).toBe(422);
    expect(text).toContain(complaint);
    expect(await read('sms')).toEqual({messages: []});
  });

  test('takes two wrong PINs and ends with the third', async () => {
    const path = await paymentPage();
    await submit(path, {step: 'number', msisdn: NUMBER, operator: '1'});
    for (const pin of ['x', '']) {
      expect(await submit(path, {step: 'pin', pin})).toMatchObject({
        status: 422,
        text: expect.stringContaining('PIN yanlış.'),
      });
    }
    await submit(path, {step: 'pin', pin: 'x'});
    const {text} = await open(path);
    expect(text).toContain('Ödeme tamamlanamadı');
    expect(text).toContain(`href="${FAIL_URL}"`);
    expect(await cycles()).toEqual([]);
  });

  test('says when a PIN is too old, and sends another', async () => {
    const path = await paymentPage();
    await submit(path, {step: 'number', msisdn: NUMBER, operator: '1'});
    await control('clock', {advance_seconds: 600});
    expect((await submit(path, {step: 'pin', pin: await readPin(NUMBER)})).text).toContain('süresi doldu');
    await submit(path, {step: 'resend'});
    await submit(path, {step: 'pin', pin: await readPin(NUMBER)});
    expect((await open(path)).text).toContain('Ödeme tamamlandı');
  });

  test('lets the number be changed', async () => {
    const path = await paymentPage();
    await submit(path, {step: 'number', msisdn: NUMBER, operator: '1'});
    await submit(path, {step: 'change'});
    expect((await open(path)).text).toContain('name="msisdn"');
  });

  test('leads to the failure address when it is cancelled', async () => {
    const path = await paymentPage();
    expect(await submit(path, {step: 'cancel'})).toMatchObject({status: 303, address: FAIL_URL});
    expect((await open(path)).text).toContain('Ödeme tamamlanamadı');
  });

  test.each(['5550001018', '5550002004'])('ends without a payment for number %s', async (msisdn) => {
    const path = await paymentPage();
    await submit(path, {step: 'number', msisdn, operator: '1'});
    await submit(path, {step: 'pin', pin: await readPin(msisdn)});
    expect((await open(path)).text).toContain('Ödeme tamamlanamadı');
  });

  test('is open for half an hour', async () => {
    const path = await paymentPage();
    await control('clock', {advance_seconds: 1800});
    const {status, text} = await open(path);
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

  test('may stand in a frame, and shows what the merchant knows', async () => {
    const {text, headers} = await open(await vendorForm());
    expect(headers.get('content-security-policy')).not.toContain('frame-ancestors');
    expect(text).toContain('value="Yıldız &quot;Seramik&quot; &lt;A.Ş.&gt;"');
    const other = await open(await paymentPage());
    expect(other.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  test('registers with what the vendor wrote, and leads to the success address', async () => {
    const path = await vendorForm();
    expect(await submit(path, FORM)).toMatchObject({status: 303, address: OK_URL});
    expect(await read('vendors')).toMatchObject({
      vendors: [{vendor_code: 'V-7', name: 'Yıldız', iban: 'TR330006100519786457841326', state: 'registered'}],
    });
    expect((await open(path)).text).toContain('Kaydınız tamamlandı');
  });

  test('leads to the failure address when the vendor does not want to', async () => {
    const path = await vendorForm();
    expect(await submit(path, {step: 'decline'})).toMatchObject({status: 303, address: FAIL_URL});
    expect(await read('vendors')).toMatchObject({vendors: [{state: 'declined'}]});
    expect((await open(path)).text).toContain('Kayıttan vazgeçildi');
  });

  test('is over for a vendor who has registered', async () => {
    await submit(await vendorForm(), FORM);
    expect(await inviteVendor()).toEqual({status: 'ERR_008', message: 'Bad Request:vendor_code'});
  });

  test.each(['name', 'phone', 'iban', 'accept'])('asks for %s', async (name) => {
    const {status, text} = await submit(await vendorForm(), {...FORM, [name]: ''});
    expect(status).toBe(422);
    expect(text).toContain('aria-invalid="true"');
    expect(await read('vendors')).toMatchObject({vendors: [{state: 'invited'}]});
  });

  test('asks about an odd IBAN once and then takes it', async () => {
    const path = await vendorForm();
    const iban = 'TR340006100519786457841326';
    const {status, text} = await submit(path, {...FORM, iban});
    expect(status).toBe(422);
    expect(text).toContain(`name="odd_iban" value="${iban}"`);
    expect(await submit(path, {...FORM, iban, odd_iban: iban})).toMatchObject({status: 303, address: OK_URL});
  });
});
