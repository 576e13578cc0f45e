/**
 * The platform's own pages as people click through them, from the address the merchant API gives to the address the merchant
 * named. On every step: nothing for axe to find, and nothing its own policy had to stop.
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

/** What a merchant's server asks for before it sends a shopper on. */
async function ask(path: string, body: object): Promise<string> {
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
const presses = (name: string, where: Page | Frame = page) => where.getByRole('button', {name, exact: true}).click();
const arrivesAt = (address: string, where: Page | Frame = page) => where.waitForURL(address);
const reads = (text: string, where: Page | Frame = page) => where.getByText(text).first().waitFor();
const everybodyCan = async (where?: Frame) => expect(await findViolations(page, where)).toEqual([]);

/** The newest text message to a number. */
async function readsMessage(msisdn: string): Promise<string> {
  const response = await fetch(`${sandbox}/_sandbox/sms?msisdn=${msisdn}`);
  return ((await response.json()) as {messages: {message: string}[]}).messages.at(-1)?.message ?? '';
}

/** A number nobody has used, and none of those that bring something about. */
const newNumber = () =>
  `53${String(crypto.getRandomValues(new Uint32Array(1))[0])
    .padStart(8, '7')
    .slice(-8)}`;

test('the bank page: a shopper chooses a bank, sends too little, then the rest, and is led back to the shop', async () => {
  const [back, thanks] = [`${merchant}/basket`, `${merchant}/thanks`];
  const url = await ask('order-codes/hosted', {
    order: newOrder(),
    amount: '149.90',
    redirect_url: thanks,
    back_url: back,
    notice: {name: 'Deniz Örnek'},
  });
  await page.goto(url);
  await everybodyCan();
  expect(await page.getByRole('link', {name: 'Geri dön'}).getAttribute('href')).toBe(back);

  await page.getByRole('link', {name: 'Ziraat Bankası'}).click();
  expect(await page.getByLabel('Gönderen').inputValue()).toBe('Deniz Örnek');
  await page.getByLabel('Gönderilen tutar').fill('yüz');
  await presses('Gönderdim');
  await reads('149,90 gibi bir tutar yazın.');
  await everybodyCan();

  await page.getByLabel('Gönderilen tutar').fill('100,00');
  await presses('Gönderdim');
  await reads('49,90 TL');
  await presses('Gönderdim');
  await arrivesAt(thanks);

  await page.goto(url);
  await reads('Ödemeniz alındı');
  await everybodyCan();
  await page.getByRole('link', {name: 'Geri dön'}).click();
  await arrivesAt(back);
});

test('the notification page: a shopper who forgot the code submits the notice and is led on', async () => {
  const [back, told] = [`${merchant}/basket`, `${merchant}/told`];
  const order = newOrder();
  await ask('order-codes/hosted', {order, amount: '149.90'});
  const notice = {name: 'Deniz Örnek', user_ip: '192.0.2.7', apply_time: '2026-11-21T12:30:00+03:00'};
  const url = await ask('payment-notices', {
    order,
    amount: '149.90',
    bank: 'garanti',
    notice,
    redirect_url: told,
    back_url: back,
  });
  await page.goto(url);
  await reads('Garanti BBVA');
  await everybodyCan();
  await presses('Bildirimi gönder');
  await arrivesAt(told);

  await page.goto(url);
  await reads('Bildiriminiz alındı');
  await everybodyCan();
  await page.getByRole('link', {name: 'Geri dön'}).click();
  await arrivesAt(back);
});

test('the payment page: number, PIN, done, and the success address', async () => {
  const msisdn = newNumber();
  const done = `${merchant}/done`;
  const url = await ask('payment-pages', {
    reference: newOrder(),
    item: 'Aylık üyelik',
    price: '30.00',
    success_url: done,
    failure_url: `${merchant}/failed`,
  });
  await page.goto(url);
  await page.getByLabel('Cep telefonu numaranız').fill('12');
  await presses('PIN gönder');
  await reads('5 ile başlayan 10 haneli bir numara yazın.');
  await everybodyCan();

  await page.getByLabel('Cep telefonu numaranız').fill(`0${msisdn}`);
  await presses('PIN gönder');
  const pin = /\d{4}/.exec(await readsMessage(msisdn))?.[0] ?? '';
  await page.getByLabel('SMS ile gelen PIN').fill(pin === '0000' ? '1111' : '0000');
  await presses('Onayla');
  await reads('PIN yanlış. Yeniden deneyin.');
  await everybodyCan();

  await page.getByLabel('SMS ile gelen PIN').fill(pin);
  await presses('Onayla');
  await reads('Ödeme tamamlandı');
  await everybodyCan();
  await page.getByRole('link', {name: 'Devam et'}).click();
  await arrivesAt(done);
});

test('the payment page: who does not want to pay is led to the failure address', async () => {
  const failed = `${merchant}/failed`;
  const url = await ask('payment-pages', {
    reference: newOrder(),
    item: 'Aylık üyelik',
    price: '30.00',
    success_url: `${merchant}/done`,
    failure_url: failed,
  });
  await page.goto(url);
  await presses('Vazgeç');
  await arrivesAt(failed);
  await page.goto(url);
  await reads('Sizden bir ücret alınmadı.');
  await everybodyCan();
});

test('the vendor form, in a sandboxed frame of the merchant’s page: an odd IBAN is asked about once, and the frame ends at the success address', async () => {
  const [registered, iban] = [`${merchant}/registered`, 'TR330006100519786457841327'];
  const url = await ask('vendor-forms', {
    vendor_code: newOrder(),
    name: 'Örnek Ticaret',
    phone: '5321234567',
    iban,
    success_url: registered,
    failure_url: `${merchant}/not-registered`,
  });
  server.serve({
    html: `<!doctype html><html lang="tr"><title>Satıcı</title><iframe title="Satıcı kaydı" sandbox="allow-forms allow-scripts" src="${url}" width="100%" height="900"></iframe>`,
  });
  await page.goto(merchant);
  const frame = page.frames().find((one) => one.url() === url) ?? page.mainFrame();
  await reads('Satıcı kaydı', frame);
  await everybodyCan(frame);

  await presses('Kaydol', frame);
  await reads('Kayıt için sözleşmeyi kabul edin.', frame);
  await reads('IBAN’da yanlış bir hane var gibi görünüyor.', frame);
  await everybodyCan(frame);
  await frame.getByLabel('Satıcı sözleşmesini kabul ediyorum').check();
  await presses('Kaydol', frame);
  await arrivesAt(registered, frame);

  await page.goto(url);
  await reads('Pazaryerinde ödeme alabilirsiniz.');
  await everybodyCan();
});
