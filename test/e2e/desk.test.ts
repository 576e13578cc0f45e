/** Tests the desk as the people of a shop use it, and what a script of another page of its origin reaches. */

import {readFile} from 'node:fs/promises';
import type {BrowserContext, Locator, Page} from 'playwright-core';
import {expect, inject, test} from 'vitest';
import {findViolations} from './support/accessibility-check.ts';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
import {callMerchant} from './support/offers.ts';

const {page: origin, sandbox} = inject('addresses');
const bank = new Bank(sandbox);
const openProfile = useChromium({viewport: {width: 1280, height: 900}});

const makeKey = async () =>
  (await callMerchant<{key: string}>(origin, 'POST', 'keys', {name: 'desk', scopes: ['read']})).key;

let orders = 0;

async function newOrder(amount = '149.90'): Promise<{order: string; code: string}> {
  orders += 1;
  const order = `S-${Date.now()}-${orders}`;
  const terms = {service: 'DEMO', order, amount, title: {tr: 'Ahşap lamba', en: 'Wooden lamp'}};
  const {order_code: code} = await callMerchant<{order_code: string}>(origin, 'POST', 'order-codes', terms);
  return {order, code};
}

/** An order for which more money arrived than needed. */
async function overpaidOrder(): Promise<{order: string; code: string}> {
  const {order, code} = await newOrder();
  await bank.receive(code, '200.00');
  return {order, code};
}

async function signIn(profile: BrowserContext, hash = ''): Promise<Page> {
  const page = await profile.newPage();
  await page.goto(`${origin}/desk/${hash}`);
  await page.getByLabel('API anahtarı').fill(await makeKey());
  await page.getByRole('button', {name: 'Giriş yap'}).click();
  await page.getByRole('button', {name: 'Çıkış'}).waitFor();
  return page;
}

const field = (page: Page) => page.getByRole('combobox', {name: /^Kod, sipariş/});

test('one press at the test bank makes a day of which the desk shows the money', async () => {
  const counter = await (await openProfile()).newPage();
  await counter.goto(`${origin}/en/bank`);
  await counter.getByText('Sandbox controls').click();
  await counter.getByRole('button', {name: 'Fill a busy day'}).click();
  await counter.getByText('The Worker reads the money within five minutes').waitFor();
  const desk = await signIn(await openProfile(), '#search');
  await field(desk).fill('Yılmaz');
  await expect
    .poll(async () => {
      await field(desk).press('Enter');
      await desk
        .getByRole('option')
        .first()
        .waitFor({timeout: 5_000})
        .catch(() => {});
      return desk.getByRole('option').count();
    })
    .toBeGreaterThan(0);
});

test('support finds a payment by code, name and amount, and knows what to tell the customer', async () => {
  // A name and an amount find both orders.
  await overpaidOrder();
  const {order, code} = await overpaidOrder();
  const profile = await openProfile();
  await profile.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await signIn(profile);
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({width: 1280, height: 900});

  await field(page).fill(` ${code.replace(/(.{4})/g, '$1 ')}`);
  await field(page).press('Enter');
  await page.getByRole('heading', {name: order}).waitFor();
  expect(page.url()).toBe(`${origin}/desk/#payment/DEMO/${order}`);
  // The page reads the payment again by itself.
  await page.getByText('gereğinden fazla para geldi').waitFor();
  const text = await page.locator('desk-payment article').innerText();
  for (const shown of [
    '₺149,90',
    '₺200,00',
    'Geri verilecek',
    '₺50,10',
    code,
    'Ziraat',
    'Sipariş sayfası silinir',
    'POST /merchant/v1/refund-links',
  ])
    expect(text).toContain(shown);
  const money = page.locator('desk-timeline').getByRole('row').filter({hasText: 'para geldi'});
  await money.getByText('Deniz Örnek').waitFor();
  await page.getByLabel('Dil').selectOption('en');
  await page.getByRole('button', {name: 'Kopyala'}).click();
  await page.getByText('Kopyalandı').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `We received ₺200.00 for order ${order}, and ₺50.10 will be sent back to you.`,
  );
  expect(await findViolations(page)).toEqual([]);
  await page.setViewportSize({width: 1280, height: 900});

  for (const typed of ['deniz orn', '200,00 TL']) {
    await page.goto(`${origin}/desk/#search`);
    await page.locator('desk-payment').waitFor({state: 'detached'});
    const option = page.getByRole('option').filter({hasText: order});
    // The books learn of money a moment after the order.
    await expect
      .poll(async () => {
        await field(page).fill(typed);
        await field(page).press('Enter');
        await page
          .getByRole('status')
          .filter({hasText: /sonuç|bulunamadı/})
          .waitFor();
        return (await page.getByRole('option').count()) > 1 && option.isVisible();
      })
      .toBe(true);
    await page.getByText(/^Bankalar en son .* okundu/).waitFor();
    if (typed.startsWith('deniz')) expect(await findViolations(page)).toEqual([]);
    for (let step = 0; (await option.getAttribute('aria-selected')) !== 'true' && step < 50; step += 1)
      await field(page).press('ArrowDown');
    await field(page).press('Enter');
    await page.getByRole('heading', {name: order}).waitFor();
    // The language stays from payment to payment, in the address.
    expect(page.url()).toBe(`${origin}/desk/#payment/DEMO/${order}/en`);
    await page.getByText('We received ₺200.00').waitFor();
    // What was typed and found is there again, and nowhere else.
    await page.goBack();
    await option.waitFor();
    expect(await field(page).inputValue()).toBe(typed);
    expect(await page.evaluate(() => [location.hash, Object.keys(localStorage), sessionStorage.length])).toEqual([
      '#search',
      [],
      0,
    ]);
    await page.goForward();
    await page.getByRole('heading', {name: order}).waitFor();
    expect(await page.locator('desk-search').getByRole('option').count()).toBe(0);
  }

  // A colleague opens the address, and signs in.
  const colleague = await signIn(await openProfile(), new URL(page.url()).hash);
  await colleague.getByRole('heading', {name: order}).waitFor();
  // A part of the address was lost.
  await colleague.evaluate(() => (location.hash = '#payment/DEMO'));
  await colleague.getByRole('alert').filter({hasText: 'Bu adres hiçbir görünüme ait değil'}).waitFor();
});

test('whoever looks at a payment can type the next search, and the text of the last one is not taken for its name', async () => {
  const [first, second] = [await newOrder(), await newOrder()];
  const page = await signIn(await openProfile());
  const other = page.getByText('Aşağıdaki ödeme bu metinle bulunmadı.');
  await field(page).fill(first.order);
  await field(page).press('Enter');
  await page.getByRole('heading', {name: first.order}).waitFor();
  expect(await other.isVisible()).toBe(false);
  await field(page).fill('');
  await field(page).pressSequentially(second.order);
  await other.waitFor();
  await page.getByRole('heading', {name: first.order}).waitFor();
  await field(page).press('Enter');
  await page.getByRole('heading', {name: second.order}).waitFor();
  expect(await other.isVisible()).toBe(false);

  // A payment that a link opened has no search yet.
  const colleague = await signIn(await openProfile(), `#payment/DEMO/${first.order}`);
  await colleague.getByRole('heading', {name: first.order}).waitFor();
  await field(colleague).pressSequentially(second.code);
  await colleague.getByText('Aşağıdaki ödeme bu metinle bulunmadı.').waitFor();
  await field(colleague).press('Enter');
  await colleague.getByRole('heading', {name: second.order}).waitFor();
});

/** The order in the list of overpaid ones, as soon as the books have it. */
async function overpaidItem(page: Page, order: string): Promise<Locator> {
  const item = page.getByRole('listitem').filter({hasText: order});
  await expect
    .poll(async () => {
      if (!(await item.isVisible())) await page.reload();
      await page.getByRole('heading', {name: 'Fazla gelen para'}).waitFor();
      return item.isVisible();
    })
    .toBe(true);
  return item;
}

test('an overpaid payment shows what is to be given back, and a result from the books says that it is no state of today', async () => {
  // One result alone would open.
  const [{order, code}, another] = [await newOrder('200.00'), await newOrder('400.00')];
  for (const amount of ['100.00', '400.00']) await bank.receive(code, amount);
  await bank.receive(another.code, '400.00');
  const page = await signIn(await openProfile(), '#work/DEMO/overpaid');
  const item = await overpaidItem(page, order);
  expect(await item.locator('strong.number').innerText()).toBe('₺300,00');
  expect(await item.innerText()).toMatch(/₺400,00 geldi[^]*geri verilecek: ₺300,00/);

  await page.goto(`${origin}/desk/#search`);
  await field(page).fill('400');
  await field(page).press('Enter');
  const found = page.getByRole('option').filter({hasText: order});
  await found.waitFor();
  expect(await found.innerText()).toMatch(/₺400,00[^]*o sırada: para geldi/);
  await page.getByText('Son durum için siparişi açın.').waitFor();
});

test('a day has its sums, pictures and file; work says what has waited; health says what fails', async () => {
  const {order} = await overpaidOrder();
  const page = await signIn(await openProfile({acceptDownloads: true}));
  await page.getByRole('link', {name: 'İşler'}).click();
  await page.getByLabel('Liste').selectOption('overpaid');
  const item = await overpaidItem(page, order);
  await page.getByText('POST /merchant/v1/refund-links').waitFor();
  expect(await item.innerText()).toMatch(/bekledi[^]*geri verilecek: ₺50,10/);
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole('link', {name: 'Gün', exact: true}).click();
  await page.getByText('Saatlere göre gelen para').waitFor();
  await page.getByText('Son 30 gün').waitFor();
  await page.locator('desk-picture canvas').nth(1).waitFor();
  const day = await page.locator('desk-day .base').first().innerText();
  const [, arrived = '–'] = /^Gelen\s+(₺\S+)/m.exec(day) ?? [];
  expect(/Bankalara göre gelen[^]*?Ziraat[^]*?^Toplam\s+[\d.]+\s+(₺\S+)/m.exec(day)?.[1]).toBe(arrived);
  await page.getByText('Sayılarla').first().click();
  expect(await page.getByRole('table', {name: 'Saatlere göre gelen para'}).innerText()).toMatch(
    /^09:00\s+₺[^]*^Toplam\s+₺\S+,\d\d$/m,
  );
  expect(await findViolations(page)).toEqual([]);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', {name: 'Günün dosyası (CSV)'}).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^DEMO-\d{4}-\d\d-\d\d-open\.csv$/);
  expect(await readFile(await download.path(), 'utf8')).toContain(order);

  await page.getByRole('link', {name: 'Durum'}).click();
  await page.getByRole('button', {name: 'Denetimi başlat'}).click();
  expect(await page.getByRole('table', {name: 'Platformun sınırları'}).innerText()).toMatch(
    /Telefon faturasıyla ödemelerin iadesi/,
  );
  await page.getByText(/Sorun bulunmadı\.|Sorun var\./).waitFor();
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole('button', {name: 'English'}).click();
  await page.getByRole('heading', {name: 'Health'}).waitFor();
  await page.getByRole('row', {name: /^Access to the platform\s*ok/}).waitFor();
  await page.getByRole('button', {name: 'Sign out'}).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.evaluate(() => fetch('/desk/api/quotas').then(({status}) => status))).toBe(401);
});

test('a long list says how much of it is shown, and each page of it has an address', async () => {
  const made = await Promise.all(Array.from({length: 45}, () => newOrder()));
  const page = await signIn(await openProfile(), '#work/DEMO/waiting');
  await page.getByText('En uzun süredir bekleyen en üstte.').waitFor();
  const readPage = async (says: RegExp) => {
    await page.getByText(says).waitFor();
    return page.getByRole('listitem').getByRole('link').allInnerTexts();
  };
  const first = await readPage(/^Bu sayfada \d+ kayıt var, sonraki sayfada daha fazlası olabilir\.$/);
  const waiting = await page.getByRole('listitem').first().innerText();
  expect(waiting).toMatch(/kod: \d{12} · eksik: ₺[\d.,]+ · ödeme süresi: \d+ \p{L}+ 2\d{3} \d\d:\d\d/u);
  const next = page.getByRole('link', {name: 'Sonraki sayfa'});
  await next.click();
  await page.getByRole('link', {name: 'Listenin başı'}).waitFor();
  const address = page.url();
  expect(address).toMatch(/#work\/DEMO\/waiting\/[\w.-]+$/);
  const second = await readPage(/^Bu sayfada \d+ kayıt var/);
  expect(first.filter((each) => second.includes(each))).toEqual([]);
  expect(await findViolations(page)).toEqual([]);

  const [one = ''] = second;
  await page.getByRole('link', {name: one, exact: true}).click();
  await page.getByRole('heading', {name: one}).waitFor();
  await page.goBack();
  expect(page.url()).toBe(address);
  expect(await readPage(/^Bu sayfada/)).toEqual(second);
  const colleague = await signIn(await openProfile(), new URL(address).hash);
  await colleague.getByRole('link', {name: one, exact: true}).waitFor();

  const all = [...first, ...second];
  while (await next.isVisible()) {
    const href = await next.getAttribute('href');
    await next.click();
    await page.locator(`a[href="${href}"]`).waitFor({state: 'detached'});
    all.push(...(await readPage(/^Bu sayfada/)));
  }
  await page.getByText(/liste burada bitiyor\.$/).waitFor();
  expect(made.filter(({order}) => !all.includes(order))).toEqual([]);
});

test('a wrong key is refused with a sentence, and a stranger’s text is text', async () => {
  const page = await (await openProfile()).newPage();
  await page.goto(`${origin}/desk`);
  await page.getByLabel('API anahtarı').fill('wrong');
  await page.getByRole('button', {name: 'Giriş yap'}).click();
  await page.getByRole('alert').filter({hasText: 'anahtar kabul edilmedi'}).waitFor();
  expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual(['', 0, 0]);

  const {order, code} = await newOrder();
  const sent = await fetch(`${sandbox}/_sandbox/transfers`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({
      description: `${code} kira TR330006100519786457841326`,
      bank: 'ziraat',
      amount: '149.90',
      sender: '\u{202e}<img src=x onerror=alert(1)> TR330006100519786457841326',
    }),
  });
  expect(sent.ok).toBe(true);
  const desk = await signIn(page.context(), `#payment/DEMO/${order}`);
  desk.on('dialog', () => {
    throw new Error('A script ran.');
  });
  const timeline = desk.locator('desk-timeline');
  await timeline.getByText('TR33••••26').waitFor();
  expect(await timeline.locator('bdi').first().textContent()).toBe('<img src=x onerror=alert(1)> TR33••••26');
  await timeline.getByRole('button', {name: /^Göster/}).click();
  await timeline.getByText('TR330006100519786457841326').waitFor();

  // The Worker does not keep what the sender wrote, so the platform is asked.
  const transfer = desk.locator('desk-transfer');
  await transfer.getByRole('button', {name: /^Göster: \d+$/}).click();
  await transfer.getByText('kira TR33••••26').waitFor();
  expect(await transfer.innerText()).not.toContain('TR330006100519786457841326');
});

test('a script on a payment link of the same origin reaches nothing of the desk', async () => {
  const profile = await openProfile();
  await signIn(profile);
  const page = await profile.newPage();
  await page.goto(`${origin}/p/gold`);
  const found = await page.evaluate(async () => {
    const document = await (await fetch('/desk/')).text();
    const {status} = await fetch('/desk/api/quotas');
    // The address of this page does not matter.
    history.pushState(null, '', '/desk/');
    const again = await (await fetch('/desk/', {referrer: '/desk/'})).text();
    const opened = window.open('/desk/');
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    let seen: unknown = null;
    try {
      seen = opened?.document.querySelector<HTMLMetaElement>('meta[name=vezne-desk]')?.content ?? null;
    } catch {
      seen = null;
    }
    const contents = [document, again].map((text) => /name="vezne-desk" content="(.*?)"/.exec(text)?.[1]);
    return {status, contents, seen, cookie: window.document.cookie};
  });
  expect(found).toEqual({status: 401, contents: ['null', 'null'], seen: null, cookie: ''});
});
