/** The demo shop in a real browser, with the real Worker and sandbox behind it. */

import type {BrowserContextOptions} from 'playwright-core';
import {describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin, sandbox} = inject('addresses');
const bank = new Bank(sandbox);

const openProfile = useChromium();

async function atShop(path = '/shop', options?: BrowserContextOptions): Promise<Shopper> {
  const page = await (await openProfile(options)).newPage();
  await page.goto(`${origin}${path}`);
  return new Shopper(page, path.startsWith('/en') ? 'en' : 'tr');
}

describe('A shopper', () => {
  test('chooses a bank, gets a code, pays at the bank counter and sees by itself that the money came', async () => {
    const shopper = await atShop();
    await shopper.choosesBank('Garanti BBVA');
    const code = await shopper.readsCode();
    await shopper.reads('Ödemenizi bekliyoruz');
    await shopper.reads('Garanti BBVA');
    await shopper.sendsAtCounter({description: `lamba icin ${code}`, amount: '149,90'});
    await shopper.reads('Ödemeniz alındı');
  });

  test('finds the code at the bank counter, one click away, and hears there whether it was matched', async () => {
    const shopper = await atShop('/shop', {viewport: {width: 1280, height: 900}});
    await shopper.choosesBank('Garanti BBVA');
    const code = await shopper.readsCode();
    const counter = shopper.page.locator('form.counter');
    await expect
      .poll(() => counter.getByLabel('Alıcının bankası').locator('option:checked').textContent())
      .toBe('Garanti BBVA');
    await counter.getByRole('button', {name: code.replaceAll(/(.{4})(?=.)/g, '$1 ')}).click();
    await counter.getByRole('button', {name: 'Yarısı'}).click();
    expect(await counter.getByRole('textbox', {name: 'Tutar'}).inputValue()).toBe('74,95');
    await counter.getByRole('button', {name: 'Parayı gönder'}).dblclick();
    await shopper.reads('₺74,95 gönderildi ve siparişle eşleşti.');
    await shopper.reads('₺74,95 geldi, ₺74,95 kaldı');
    await counter.getByText('₺74,95 geldi').waitFor();
    await counter.getByRole('textbox', {name: 'Tutar'}).fill('1');
    await counter.getByRole('button', {name: 'Tamı'}).click();
    expect(await counter.getByRole('textbox', {name: 'Tutar'}).inputValue()).toBe('74,95');
    await counter.getByLabel('Açıklama').fill('lamba parası');
    await counter.getByRole('button', {name: 'Parayı gönder'}).click();
    await shopper.reads('₺74,95 gönderildi ama eşleşmedi: açıklamada bilinen bir kod yok.');
  });

  test('who sent too little is told what is left, and pays it with the same code', async () => {
    const shopper = await atShop();
    const code = await shopper.getsCode();
    await bank.receive(code, '100.00');
    await shopper.reads('₺100,00 geldi, ₺49,90 kaldı');
    expect(await shopper.readsCode()).toBe(code);
    await bank.receive(code, '49.90');
    await shopper.reads('Ödemeniz alındı');
  });

  test('who sent too much is told how much, and whom to ask', async () => {
    const shopper = await atShop();
    const code = await shopper.getsCode();
    await bank.receive(code, '200.00');
    await shopper.reads('Fazla ödeme yaptınız');
    await shopper.reads(/₺50,10 fazla geldi/);
  });

  test('finds the same code again after a reload, and in a new tab after closing the first', async () => {
    const shopper = await atShop();
    const code = await shopper.getsCode();
    await shopper.page.reload();
    expect(await shopper.readsCode()).toBe(code);
    const context = shopper.page.context();
    await shopper.page.close();
    const later = new Shopper(await context.newPage());
    await later.page.goto(`${origin}/shop`);
    expect(await later.readsCode()).toBe(code);
    await bank.receive(code, '149.90');
    await later.reads('Ödemeniz alındı');
  });

  test('who reads English is served in English, and finds the same order in Turkish', async () => {
    const shopper = await atShop('/en/shop');
    await shopper.reads('Which bank will you send from?');
    const code = await shopper.getsCode();
    await shopper.reads('Waiting for your transfer');
    await shopper.finds('link', 'Türkçe').click();
    await shopper.reads('Ödemenizi bekliyoruz');
    expect(await shopper.readsCode()).toBe(code);
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
    await shopper.finds('link', 'English').click();
    await shopper.reads('Your payment has arrived');
  });

  test('comes all the way with the keyboard alone', async () => {
    const shopper = await atShop('/shop', {viewport: {width: 1280, height: 900}});
    const {keyboard} = shopper.page;
    const focused = () =>
      shopper.page.evaluate(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        return {
          name: element?.ariaLabel || element?.textContent?.trim() || element?.getAttribute('placeholder') || '',
          type: element instanceof HTMLInputElement ? element.type : (element?.localName ?? ''),
        };
      });
    /** Presses Tab until something of that kind has the focus. */
    const tabTo = async (wanted: (at: {name: string; type: string}) => boolean) => {
      for (let presses = 0; presses < 40; presses++) {
        await keyboard.press('Tab');
        if (wanted(await focused())) return;
      }
      throw new Error('Nothing of that kind gets the focus.');
    };
    await shopper.finds('radio', 'Ziraat Bankası').waitFor();
    await tabTo(({type}) => type === 'radio');
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await tabTo(({name}) => name === 'Devam');
    await keyboard.press('Enter');
    const code = await shopper.readsCode();
    await shopper.reads('VakıfBank');
    await tabTo(({name}) => name === 'Kodu kopyala');
    await keyboard.press('Enter');
    await shopper.reads('Kopyalandı');
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
  });
});

describe('A page', () => {
  test('whose sockets are blocked still says that the money came', async () => {
    const context = await openProfile();
    await context.routeWebSocket(/./, (socket) => void socket.close());
    const shopper = new Shopper(await context.newPage());
    await shopper.page.goto(`${origin}/shop`);
    const code = await shopper.getsCode();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
  });

  test('that may store nothing works until it is closed', async () => {
    const context = await openProfile();
    await context.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('No.', 'SecurityError');
        },
      });
      Object.defineProperty(window, 'sessionStorage', {
        get: () => {
          throw new DOMException('No.', 'SecurityError');
        },
      });
    });
    const shopper = new Shopper(await context.newPage());
    await shopper.page.goto(`${origin}/shop`);
    const code = await shopper.getsCode();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
  });

  test.each([
    ['years behind', '2019-05-01T10:00:00Z'],
    ['years ahead', '2031-05-01T10:00:00Z'],
  ])('on a device whose clock is %s takes the payment', async (_, now) => {
    const context = await openProfile();
    await context.clock.install({time: new Date(now)});
    const shopper = new Shopper(await context.newPage());
    await shopper.page.goto(`${origin}/shop`);
    const code = await shopper.getsCode();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
    await shopper.page.reload();
    await shopper.reads('Ödemeniz alındı');
  });
});
