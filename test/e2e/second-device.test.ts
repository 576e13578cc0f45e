/** One order on several pages: handed to a phone, in two tabs, and after its session is refused. */

import type {BrowserContext} from 'playwright-core';
import {describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin, sandbox} = inject('addresses');
const bank = new Bank(sandbox);

const device = useChromium();

async function opens(context: BrowserContext, address: string): Promise<Shopper> {
  const page = await context.newPage();
  await page.goto(address);
  return new Shopper(page);
}

describe('A shopper', () => {
  test('opens the order on the phone by the QR code’s link, and both pages see it paid', async () => {
    const desk = await opens(await device({viewport: {width: 1280, height: 900}}), `${origin}/shop`);
    const code = await desk.getsCode();
    await desk.finds('button', 'Telefonda aç').click();
    const link = (await desk.page.locator('vezne-handoff .address').textContent()) ?? '';
    const phone = await opens(await device(), link);
    await phone.reads('Bu bağlantının getirdiği sipariş açılsın mı?');
    await desk.reads('Ödemenizi bekliyoruz');
    await phone.finds('button', 'Siparişi aç').click();
    expect(await phone.readsCode()).toBe(code);
    await phone.reads('Bu sipariş başka bir cihazda başlatıldı.');
    expect(new URL(phone.page.url()).hash).toBe('');
    await desk.reads('Telefonda açıldı');
    await bank.receive(code, '149.90');
    await Promise.all([phone.reads('Ödemeniz alındı'), desk.reads('Ödemeniz alındı')]);
    const other = await opens(await device(), link);
    await other.reads('Bu bağlantı daha önce açılmış ya da süresi dolmuş');
    await other.reads('Hangi bankadan göndereceksiniz?');
  });

  test('pays in one of two tabs, and both say so', async () => {
    const context = await device();
    const first = await opens(context, `${origin}/shop`);
    await first.reads('₺149,90');
    const second = await opens(context, `${origin}/shop`);
    await second.reads('Hangi bankadan göndereceksiniz?');
    const code = await first.getsCode();
    expect(await second.getsCode()).toBe(code);
    await bank.receive(code, '149.90');
    await Promise.all([first.reads('Ödemeniz alındı'), second.reads('Ödemeniz alındı')]);
  });

  test('whose session is refused keeps code and account, and begins anew only by a press', async () => {
    const shopper = await opens(await device(), `${origin}/shop`);
    const code = await shopper.getsCode();
    const account = shopper.page.locator('vezne-payment-code bdi', {hasText: /^TR/});
    const iban = await account.textContent();
    await shopper.page.evaluate(() => {
      // Another order's claims under this one's signature.
      for (const key of Object.keys(localStorage)) {
        const kept = JSON.parse(localStorage[key] as string) as {session?: {token: string}};
        if (!kept.session) continue;
        const [head, , signature] = kept.session.token.split('.');
        kept.session.token = [head, btoa('{"order":"someone-elses"}'), signature].join('.');
        localStorage[key] = JSON.stringify(kept);
      }
    });
    await shopper.page.reload();
    await shopper.reads('Bu sipariş artık buradan izlenemiyor.');
    expect(await shopper.readsCode()).toBe(code);
    expect(await account.textContent()).toBe(iban);
    await shopper.finds('button', 'Yeni bir ödeme başlat').click();
    expect(await shopper.getsCode()).not.toBe(code);
  });
});
