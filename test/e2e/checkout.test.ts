/** Tests the demo shop in a real browser, with the real Worker and sandbox behind it. */

import type {BrowserContextOptions} from 'playwright-core';
import {describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin, sandbox} = inject('addresses');
const bank = new Bank(sandbox);

const openProfile = useChromium();

async function openShop(path = '/shop', options?: BrowserContextOptions): Promise<Shopper> {
  const page = await (await openProfile(options)).newPage();
  await page.goto(`${origin}${path}`);
  return new Shopper(page);
}

describe('A shopper in the demo shop', () => {
  test('the bank counter says if a transfer was matched and asks for the rest, and the page shows the missing or excess amount', async () => {
    const shopper = await openShop('/shop', {viewport: {width: 1280, height: 900}});
    await shopper.chooseBank('Garanti BBVA');
    const code = await shopper.readCode();
    const counter = shopper.page.locator('form.counter');
    await expect
      .poll(() => counter.getByLabel('Alıcı banka').locator('option:checked').textContent())
      .toBe('Garanti BBVA');
    await counter.getByRole('button', {name: code.replaceAll(/(.{4})(?=.)/g, '$1 ')}).click();
    await counter.getByLabel('Açıklama').fill('');
    await counter.getByRole('button', {name: 'Yarısı'}).click();
    expect(await counter.getByRole('textbox', {name: 'Tutar'}).inputValue()).toBe('74,95');
    expect(await counter.getByLabel('Açıklama').inputValue()).toBe(code);
    await counter.getByRole('button', {name: 'Parayı gönder'}).dblclick();
    await shopper.waitForText('₺74,95 gönderildi ve siparişle eşleşti.');
    await shopper.waitForText('₺74,95 geldi, ₺74,95 kaldı');
    await counter.getByText('₺74,95 geldi').waitFor();
    await counter.getByRole('textbox', {name: 'Tutar'}).fill('1');
    await counter.getByRole('button', {name: 'Tamamı'}).click();
    expect(await counter.getByRole('textbox', {name: 'Tutar'}).inputValue()).toBe('74,95');
    await counter.getByLabel('Açıklama').fill('lamba parası');
    await counter.getByRole('button', {name: 'Parayı gönder'}).click();
    await shopper.waitForText('₺74,95 gönderildi ama eşleşmedi: açıklamada bilinen bir kod yok.');
    expect(await shopper.readCode()).toBe(code);
    await bank.receive(code, '25.00');
    await expect.poll(() => counter.getByRole('textbox', {name: 'Tutar'}).inputValue()).toBe('49,95');
    await bank.receive(code, '100.05');
    await shopper.waitForText('Ödemeniz fazla geldi');
    await shopper.waitForText(/₺50,10 tutarındaki fazla ödemenin iadesi/);
  });

  test('the English shop is in English, and its Turkish version shows the same order', async () => {
    const shopper = await openShop('/en/shop');
    await shopper.waitForText('Which bank will you pay from?');
    const code = await shopper.getCode();
    await shopper.waitForText('Waiting for your transfer');
    await shopper.find('link', 'Türkçe').click();
    await shopper.waitForText('Ödemenizi bekliyoruz');
    expect(await shopper.readCode()).toBe(code);
    await bank.receive(code, '149.90');
    await shopper.waitForText('Ödemeniz alındı');
    await shopper.find('link', 'English').click();
    await shopper.waitForText('Payment received');
  });

  test('the shop promises a delivery only if the seller keeps the money and has nothing to decide', async () => {
    const {page} = await openShop();
    await page.getByRole('radio', {name: 'Ziraat Bankası'}).waitFor();
    const promises = (more: object) =>
      page.locator('vezne-checkout').evaluate((checkout, changes) => {
        const payment = {state: 'paid', late: false, paid: '149.90', refunded: '0.00', refunding: '0.00', ...changes};
        checkout.dispatchEvent(Object.assign(new Event('vezne-payment', {bubbles: true}), {payment}));
        return [...document.querySelectorAll<HTMLElement>('#delivery, vezne-checkout [slot=paid] a')].map(
          ({hidden}) => !hidden,
        );
      }, more);
    for (const kept of [
      {},
      {state: 'overpaid', paid: '200.00'},
      {state: 'overpaid', paid: '200.00', refunding: '50.10'},
      {refunded: '50.10'},
      {state: 'completed'},
      // The seller has completed the order although the money was late.
      {state: 'completed', late: true},
    ])
      expect(await promises(kept), JSON.stringify(kept)).toEqual([true, true]);
    for (const open of [
      {late: true},
      {state: 'overpaid', paid: '200.00', late: true},
      {refunding: '149.90'},
      {state: 'refunded', paid: '0.00', refunded: '149.90'},
      {state: 'cancelled'},
      {state: 'expired', paid: '0.00'},
    ])
      expect(await promises(open), JSON.stringify(open)).toEqual([false, false]);
  });
});

describe('A device with a wrong clock', () => {
  test.each([
    ['years behind', '2019-05-01T10:00:00Z'],
    ['years ahead', '2031-05-01T10:00:00Z'],
  ])('a shopper can pay on a device whose clock is %s', async (_, now) => {
    const context = await openProfile();
    await context.clock.install({time: new Date(now)});
    const shopper = new Shopper(await context.newPage());
    await shopper.page.goto(`${origin}/shop`);
    const code = await shopper.getCode();
    await bank.receive(code, '149.90');
    await shopper.waitForText('Ödemeniz alındı');
    await shopper.page.reload();
    await shopper.waitForText('Ödemeniz alındı');
  });
});
