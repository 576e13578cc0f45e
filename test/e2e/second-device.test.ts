/**
 * Tests one order on several pages: on a phone after a hand-off, in two tabs, and on a page whose session was refused.
 */

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
    const desk = await openShop(await openProfile({viewport: {width: 1280, height: 900}}), `${origin}/shop`);
    const code = await desk.getCode();
    await desk.find('button', 'Telefonda aç').click();
    await desk.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await desk.find('button', 'Bağlantıyı kopyala').click();
    await desk.page.getByRole('button', {name: 'Bağlantı kopyalandı'}).waitFor();
    const link = await desk.page.evaluate(() => navigator.clipboard.readText());
    const phone = await openShop(await openProfile(), link);
    await phone.waitForText('Bu sipariş burada açılsın mı?');
    await desk.waitForText('Ödemenizi bekliyoruz');
    await phone.find('button', 'Siparişi aç').click();
    expect(await phone.readCode()).toBe(code);
    await phone.waitForText('Yeni bir ödeme başlat');
    expect(new URL(phone.page.url()).hash).toBe('');
    await desk.waitForText('Telefonda açıldı');
    await bank.receive(code, '149.90');
    await Promise.all([phone.waitForText('Ödemeniz alındı'), desk.waitForText('Ödemeniz alındı')]);
    const other = await openShop(await openProfile(), link);
    await other.waitForText('Bu bağlantı artık geçerli değil');
    await other.waitForText('Hangi bankadan göndereceksiniz?');
  });

  test('two tabs share one order, and both show the payment', async () => {
    const context = await openProfile();
    const first = await openShop(context, `${origin}/shop`);
    await first.waitForText('₺149,90');
    const second = await openShop(context, `${origin}/shop`);
    await second.waitForText('Hangi bankadan göndereceksiniz?');
    const code = await first.getCode();
    expect(await second.getCode()).toBe(code);
    await bank.receive(code, '149.90');
    await Promise.all([first.waitForText('Ödemeniz alındı'), second.waitForText('Ödemeniz alındı')]);
  });

  test('a page whose session is refused shows the same code and account, and can start a new order', async () => {
    const shopper = await openShop(await openProfile(), `${origin}/shop`);
    const code = await shopper.getCode();
    const account = shopper.page.locator('vezne-payment-code bdi', {hasText: /^TR/});
    const iban = await account.textContent();
    await shopper.page.evaluate(() => {
      // Replaces the claims with the claims of another order and keeps the signature, so the Worker refuses the token.
      for (const key of Object.keys(localStorage)) {
        const saved = JSON.parse(localStorage[key] as string) as {session?: {token: string}};
        if (!saved.session) continue;
        const [header, , signature] = saved.session.token.split('.');
        saved.session.token = [header, btoa('{"order":"someone-elses"}'), signature].join('.');
        localStorage[key] = JSON.stringify(saved);
      }
    });
    await shopper.page.reload();
    await shopper.waitForText('Bu sipariş artık buradan takip edilemiyor');
    await shopper.page.getByText('Ödeme bilgileri', {exact: true}).click();
    expect(await shopper.readCode()).toBe(code);
    expect(await account.textContent()).toBe(iban);
    await shopper.find('button', 'Yeni bir ödeme başlat').click();
    expect(await shopper.getCode()).not.toBe(code);
  });
});
