/**
 * Tests the platform's hosted pages: a shopper starts at the URL that the merchant API returns and ends at the URL that
 * the merchant chose. Every step is checked with axe and for violations of the content security policy.
 */

import type {Frame, Page} from 'playwright-core';
import {afterAll, beforeAll, beforeEach, expect, inject, test} from 'vitest';
import {findViolations, PHONE} from './support/accessibility-check.ts';
import {useChromium} from './support/chromium.ts';
import {MerchantServer} from './support/merchant-server.ts';

const {page: worker, sandbox, otherMerchant: merchant} = inject('addresses');

let server: MerchantServer;
beforeAll(async () => {
  server = await MerchantServer.start(merchant);
});
afterAll(() => server.stop());

const openProfile = useChromium({viewport: PHONE});
let page: Page;
beforeEach(async () => {
  page = await (await openProfile()).newPage();
});

/** Calls the merchant API and returns the URL of the hosted page in the answer. */
async function requestUrl(path: string, body: object): Promise<string> {
  const response = await fetch(`${worker}/merchant/v1/${path}`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-merchant-api-key',
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({service: 'DEMO', ...body}),
  });
  const answer = (await response.json()) as {url?: string};
  expect(answer.url, JSON.stringify(answer)).toBeTypeOf('string');
  return answer.url ?? '';
}

const newOrder = () => `S-${crypto.randomUUID().slice(0, 8)}`;
const press = (name: string, where: Page | Frame = page) => where.getByRole('button', {name, exact: true}).click();
const waitForAddress = (address: string, where: Page | Frame = page) => where.waitForURL(address);
const waitForText = (text: string, where: Page | Frame = page) => where.getByText(text).first().waitFor();
const expectAccessible = async (frame?: Frame) => expect(await findViolations(page, frame)).toEqual([]);

/** @returns The newest SMS to a number. */
async function readMessage(msisdn: string): Promise<string> {
  const response = await fetch(`${sandbox}/_sandbox/sms?msisdn=${msisdn}`);
  return ((await response.json()) as {messages: {message: string}[]}).messages.at(-1)?.message ?? '';
}

/** @returns A random number: unused so far, and not one of the sandbox's test numbers. */
const newNumber = () =>
  `53${String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(8, '7')
    .slice(-8)}`;

test('the bank page: a shopper chooses a bank, sends too little, then the rest, and returns to the shop', async () => {
  const [back, thanks] = [`${merchant}/basket`, `${merchant}/thanks`];
  const url = await requestUrl('order-codes/hosted', {
    order: newOrder(),
    amount: '149.90',
    redirect_url: thanks,
    back_url: back,
    notice: {name: 'Deniz Örnek'},
  });
  await page.goto(url);
  await expectAccessible();
  expect(await page.getByRole('link', {name: 'Geri dön'}).getAttribute('href')).toBe(back);

  await page.getByRole('link', {name: 'Ziraat Bankası'}).click();
  expect(await page.getByLabel('Gönderen').inputValue()).toBe('Deniz Örnek');
  await page.getByLabel('Gönderilen tutar').fill('yüz');
  await press('Gönderdim');
  await waitForText('149,90 gibi bir tutar yazın.');
  await expectAccessible();

  await page.getByLabel('Gönderilen tutar').fill('100,00');
  await press('Gönderdim');
  await waitForText('49,90 TL');
  await press('Gönderdim');
  await waitForAddress(thanks);

  await page.goto(url);
  await waitForText('Ödemeniz alındı');
  await expectAccessible();
  await page.getByRole('link', {name: 'Geri dön'}).click();
  await waitForAddress(back);
});

test('the notice page: a shopper who forgot the code submits the notice and returns to the shop', async () => {
  const [back, afterNotice] = [`${merchant}/basket`, `${merchant}/notice-sent`];
  const order = newOrder();
  await requestUrl('order-codes/hosted', {order, amount: '149.90'});
  const notice = {name: 'Deniz Örnek', user_ip: '192.0.2.7', apply_time: '2026-11-21T12:30:00+03:00'};
  const url = await requestUrl('payment-notices', {
    order,
    amount: '149.90',
    bank: 'garanti',
    notice,
    redirect_url: afterNotice,
    back_url: back,
  });
  await page.goto(url);
  await waitForText('Garanti BBVA');
  await expectAccessible();
  await press('Bildirimi gönder');
  await waitForAddress(afterNotice);

  await page.goto(url);
  await waitForText('Bildiriminiz alındı');
  await expectAccessible();
  await page.getByRole('link', {name: 'Geri dön'}).click();
  await waitForAddress(back);
});

test('the payment page: a shopper enters a number and the PIN, pays, and returns to the success URL', async () => {
  const msisdn = newNumber();
  const done = `${merchant}/done`;
  const url = await requestUrl('payment-pages', {
    reference: newOrder(),
    item: 'Aylık üyelik',
    price: '30.00',
    success_url: done,
    failure_url: `${merchant}/failed`,
  });
  await page.goto(url);
  await page.getByLabel('Cep telefonu numaranız').fill('12');
  await press('Onay kodu gönder');
  await waitForText('Geçerli bir cep telefonu numarası girin: 05 ile başlayan 11 hane.');
  await expectAccessible();

  await page.getByLabel('Cep telefonu numaranız').fill(`0${msisdn}`);
  await press('Onay kodu gönder');
  const pin = /\d{4}/.exec(await readMessage(msisdn))?.[0] ?? '';
  await page.getByLabel('Onay kodu').fill(pin === '0000' ? '1111' : '0000');
  await press('Onayla');
  await waitForText('Kod hatalı. Son gelen SMS’teki kodu girin.');
  await expectAccessible();

  await page.getByLabel('Onay kodu').fill(pin);
  await press('Onayla');
  await waitForText('Ödeme tamamlandı');
  await expectAccessible();
  await page.getByRole('link', {name: 'Devam et'}).click();
  await waitForAddress(done);
});

test('the payment page: a shopper who cancels returns to the failure URL', async () => {
  const failed = `${merchant}/failed`;
  const url = await requestUrl('payment-pages', {
    reference: newOrder(),
    item: 'Aylık üyelik',
    price: '30.00',
    success_url: `${merchant}/done`,
    failure_url: failed,
  });
  await page.goto(url);
  await press('Vazgeç');
  await waitForAddress(failed);
  await page.goto(url);
  await waitForText('Sizden bir ücret alınmadı.');
  await expectAccessible();
});

test('the vendor form in a frame: a vendor confirms a doubtful IBAN and arrives at the success URL', async () => {
  const registered = `${merchant}/registered`;
  const url = await requestUrl('vendor-forms', {
    vendor_code: newOrder(),
    name: 'Örnek Ticaret',
    phone: '5321234567',
    iban: 'TR330006100519786457841326',
    success_url: registered,
    failure_url: `${merchant}/not-registered`,
  });
  server.serve({
    html: `<!doctype html><html lang="tr"><title>Satıcı</title>
      <iframe title="Satıcı kaydı" sandbox="allow-forms allow-scripts" src="${url}" width="100%" height="900"></iframe>`,
  });
  await page.goto(merchant);
  const frame = page.frames().find((candidate) => candidate.url() === url) ?? page.mainFrame();
  await waitForText('Satıcı kaydı', frame);
  await expectAccessible(frame);

  await frame.getByLabel('IBAN').fill('TR330006100519786457841327');
  // The test submits with the keyboard, because Chromium ignores clicks in a frame of another origin that is new.
  const submit = () => frame.getByRole('button', {name: 'Kaydol'}).press('Enter');
  await submit();
  await waitForText('Kayıt için sözleşmeyi kabul edin.', frame);
  await waitForText('IBAN hatalı görünüyor.', frame);
  await expectAccessible(frame);
  await frame.getByLabel('Satıcı sözleşmesini kabul ediyorum').check();
  await submit();
  await waitForAddress(registered, frame);

  await page.goto(url);
  await waitForText('Pazaryerinde ödeme alabilirsiniz.');
  await expectAccessible();
});
