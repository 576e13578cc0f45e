/** Tests the page of an offer, `/p/<offer>`, as a shopper who got its link. */

import {describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
import {makeLink} from './support/offers.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin, sandbox} = inject('addresses');
const bank = new Bank(sandbox);
const link = `${origin}/p/gold`;

const openProfile = useChromium();

test('the demo sends a bill by link, and gives back by link what was too much', async () => {
  const profile = await openProfile();
  const shop = new Shopper(await profile.newPage());
  await shop.page.goto(`${origin}/bill`);
  await shop.find('button', 'Bağlantıyı telefona gönder').click();
  const messages = shop.page.locator('.messages a');
  const openMessage = async () => {
    const page = await profile.newPage();
    await page.goto((await messages.first().getAttribute('href')) ?? '');
    return new Shopper(page);
  };
  const payer = await openMessage();
  await payer.getCode();
  await shop.page.bringToFront();
  await shop.find('button', 'Müşteri 50 ₺ fazla göndersin').click();
  await shop.find('button', 'Fazlasını bağlantıyla geri gönder').click();
  await expect.poll(() => messages.count()).toBe(2);
  const receiver = await openMessage();
  await receiver.page.getByLabel('Hesap sahibinin adı soyadı').fill('Deniz Örnek');
  await receiver.page.getByLabel('IBAN').fill('TR33 0006 1005 1978 6457 8413 26');
  await receiver.find('button', 'Devam et').click();
  await receiver.find('button', 'İade talebini gönder · ₺50,00').click();
  await shop.page.bringToFront();
  await shop.waitForText('İade istendi');
});

describe('A payment link', () => {
  test('is paid on a phone; another shopper has another order and, on a wide screen, its QR code beside it', async () => {
    const shoppers = await Promise.all(
      [1, 2].map(async () => {
        const page = await (await openProfile()).newPage();
        await page.goto(link);
        return new Shopper(page);
      }),
    );
    const [code = '', other = ''] = await Promise.all(shoppers.map((shopper) => shopper.getCode()));
    expect(other).not.toBe(code);
    await shoppers[1]?.page.setViewportSize({width: 1280, height: 900});
    await shoppers[1]?.page.locator('vezne-payment-code .beside').waitFor();
    await bank.receive(code, '149.90');
    await shoppers[0]?.waitForText('Ödemeniz alındı');
    await shoppers[1]?.waitForText('Ödemenizi bekliyoruz');
  });

  test('is shared without the query of this visit, and says so', async () => {
    const profile = await openProfile();
    await profile.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await profile.newPage();
    await page.goto(`${link}?lang=en#from-a-chat`);
    await page.getByRole('button', {name: 'Share the link'}).click();
    await page.getByRole('status').filter({hasText: 'Link copied'}).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  });

  test('is a bill on paper: seller, title, amount, QR code and address, and with an order its code', async () => {
    const page = await (await openProfile()).newPage();
    await page.goto(`${link}?lang=en`);
    const shopper = new Shopper(page);
    const list = page.getByRole('radio', {name: 'Ziraat'});
    await list.waitFor();
    await page.emulateMedia({media: 'print'});
    const paper = await page.locator('body').innerText();
    for (const text of ['Fener Atölyesi', 'Wooden table lamp', '₺149.90', 'destek@fener.example', link])
      expect(paper).toContain(text);
    expect(await page.getByRole('img', {name: 'QR code of this page'}).isVisible()).toBe(true);
    expect(await list.isVisible()).toBe(false);
    expect(await page.getByRole('button').filter({visible: true}).count()).toBe(0);
    await page.emulateMedia({media: 'screen'});
    await shopper.getCode();
    await page.emulateMedia({media: 'print'});
    expect(await page.locator('vezne-payment-code [part=code]').isVisible()).toBe(true);
    expect(await page.locator('.bill').isVisible()).toBe(false);
  });

  test('leads to the platform’s bank page if the browser runs no scripts, and back', async () => {
    const page = await (await openProfile({javaScriptEnabled: false})).newPage();
    await page.goto(link);
    await page.getByText('₺149,90').filter({visible: true}).first().waitFor();
    await page.getByRole('button', {name: 'Banka sayfasına git'}).click();
    await page.waitForURL(`${sandbox}/**`);
    const code = /banks\/(\w+)/.exec(page.url())?.[1] ?? '';
    await bank.receive(code, '149.90');
    await page.goto(new URL(page.url()).searchParams.get('redirect') ?? '');
    await page.getByText('yeniden ödemeyin').filter({visible: true}).waitFor();
  });

  test('of a bill is one order on two devices; a third says paid, and only who ordered has the receipt', async () => {
    const bill = await makeLink(origin, {theme: {accent: '#ffcc00'}});
    const openBill = async () => {
      const page = await (await openProfile()).newPage();
      await page.goto(bill);
      return new Shopper(page);
    };
    const [first, second, third] = await Promise.all([openBill(), openBill(), openBill()]);
    const code = await first.getCode();
    expect(await second.getCode()).toBe(code);
    await bank.receive(code, '2450.00');
    await Promise.all([first.waitForText('Ödemeniz alındı'), second.waitForText('Ödemeniz alındı')]);
    await first.page.reload();
    await third.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
    await third.waitForText('Bu fatura ödendi');
    await first.waitForText('Ödemeniz alındı');
    expect(await first.page.getByRole('button', {name: 'Yeni bir sipariş ver'}).count()).toBe(0);
    expect(await third.page.locator('vezne-checkout').count()).toBe(0);
  });
});

describe('A link that asks who buys', () => {
  test('asks between the bank and the code, corrects what is wrong, and keeps nothing of it in the browser', async () => {
    const profile = await openProfile();
    const page = await profile.newPage();
    const shopper = new Shopper(page);
    const address = await makeLink(origin, {
      fields: {
        name: 'required',
        email: 'required',
        address: 'required',
        marketing: {tr: 'Haber verin.', en: 'Tell me.'},
      },
      privacy_url: 'https://shop.example/privacy',
    });
    await page.goto(address);
    await shopper.chooseBank();
    await page.getByLabel('Ad soyad').fill('Deniz Örnek');
    await page.getByLabel('E\u2011posta').fill('deniz@');
    await page.getByLabel('Açık adres').fill('Çiçek Sokak 7/3');
    await page.getByLabel('İl', {exact: true}).fill('istanbul');
    await page.getByLabel('İlçe').fill('Kadıköy');
    expect(await page.getByLabel('Haber verin.').isChecked()).toBe(false);
    await page.getByLabel('İlçe').press('Enter');
    await shopper.waitForText('E\u2011posta adresini kontrol edin.');
    await expect.poll(() => page.getByLabel('E\u2011posta').evaluate((field) => field.matches(':focus'))).toBe(true);
    await page.reload();
    expect(await page.getByLabel('Açık adres').inputValue()).toBe('Çiçek Sokak 7/3');
    await page.getByLabel('E\u2011posta').fill('deniz@shop.example');
    await page.getByLabel('E\u2011posta').press('Enter');
    const code = await shopper.readCode();
    await page.reload();
    expect(await shopper.readCode()).toBe(code);
    expect(await page.getByLabel('Ad soyad').count()).toBe(0);
    const stored = await page.evaluate(() => JSON.stringify([{...localStorage}, {...sessionStorage}, location.href]));
    expect(stored).not.toMatch(/Deniz|deniz@|Çiçek|Kadıköy/);
    // Another device shows the bill's code, and asks nothing.
    const other = new Shopper(await (await openProfile()).newPage());
    await other.page.goto(address);
    expect(await other.getCode()).toBe(code);
    await bank.receive(code, '2450.00');
    await shopper.waitForText('Ödemeniz alındı');
  });
});
