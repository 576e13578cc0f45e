/** Tests one order on two devices: on a phone after a hand-off, and on the device where it was started. */

import type {BrowserContext} from 'playwright-core';
import {describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin, sandbox} = inject('addresses');
const bank = new Bank(sandbox);

const openProfile = useChromium();

async function openShop(context: BrowserContext, address: string): Promise<Shopper> {
  const page = await context.newPage();
  await page.goto(address);
  return new Shopper(page);
}

describe('One order on several pages', () => {
  test('a shopper opens the order on a phone with the hand-off link, and both pages show the payment', async () => {
    const desk = await openShop(await openProfile({viewport: {width: 1280, height: 900}}), `${origin}/shop#/odeme`);
    const code = await desk.getCode();
    // If there is room, the QR code is open beside the order code.
    const toggle = desk.page.getByRole('button', {name: 'Telefonda aç'});
    if (await toggle.isVisible()) await toggle.click();
    await desk.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await desk.find('button', 'Bağlantıyı kopyala').click();
    await desk.page.getByRole('button', {name: 'Bağlantı kopyalandı'}).waitFor();
    const link = await desk.page.evaluate(() => navigator.clipboard.readText());
    const phone = await openShop(await openProfile(), link);
    await phone.waitForText('Bu sipariş burada açılsın mı?');
    await desk.waitForText('Ödemenizi bekliyoruz');
    await phone.find('button', 'Siparişi aç').click();
    expect(await phone.readCode()).toBe(code);
    await phone.waitForText('Kodu yazmayı unuttum');
    expect(new URL(link).hash).toMatch(/^#\/odeme\?vezne=/);
    expect(new URL(phone.page.url()).hash).toBe('#/odeme');
    await desk.waitForText('Telefonda açıldı');
    await bank.receive(code, '149.90');
    await Promise.all([phone.waitForText('Ödemeniz alındı'), desk.waitForText('Ödemeniz alındı')]);
    const other = await openShop(await openProfile(), link);
    await other.waitForText('Bu bağlantı artık geçerli değil');
    await other.waitForText('Hangi bankadan göndereceksiniz?');
  });
});
