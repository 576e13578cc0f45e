/** Tests merchants' pages with `/checkout.js` and `/subscribe.js`, with the real Worker and sandbox behind them. */

import type {Page, Request} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
import {MerchantServer, strictPolicy} from './support/merchant-server.ts';
import {Shopper} from './support/shopper.ts';

const {page: worker, sandbox, thirdMerchant: merchant} = inject('addresses');
const bank = new Bank(sandbox);

let server: MerchantServer;
beforeAll(async () => {
  server = await MerchantServer.start(merchant);
});
afterAll(() => server.stop());

const openProfile = useChromium();

const CHECKOUT = '<vezne-checkout offer="gold"></vezne-checkout>';

/** Serves a merchant's page with the strictest content security policy. */
function servePage(script: string, element = CHECKOUT, policy = 'vezne-transfer'): void {
  server.serve({
    html: `<!doctype html><html lang="tr"><title>Lamba</title><script type="module" src="${worker}${script}"></script>${element}`,
    headers: {'content-security-policy': strictPolicy(worker, policy)},
  });
}

/** The requests to the Worker's browser API, such as `POST /v1/orders`, without requests for logos. */
function recordCalls(page: Page): readonly string[] {
  const calls: string[] = [];
  page.on('request', (request: Request) => {
    const {pathname, origin} = new URL(request.url());
    if (origin === worker && pathname.startsWith('/v1/') && !pathname.endsWith('/logo'))
      calls.push(`${request.method()} ${pathname}`);
  });
  return calls;
}

describe('a page with /checkout.js', () => {
  test('takes a payment under a strict policy, and needs one call to show the code', async () => {
    servePage('/checkout.js?offer=gold');
    const page = await (await openProfile()).newPage();
    const calls = recordCalls(page);
    await page.goto(merchant);
    const shopper = new Shopper(page);
    await shopper.waitForText('Ahşap masa lambası');
    await shopper.waitForText('₺149,90');
    expect(calls).toEqual([]);
    await shopper.chooseBank('Garanti BBVA');
    const code = await shopper.readCode();
    expect(calls[0]).toBe('POST /v1/orders');
    expect(calls).not.toContain('POST /v1/sessions');
    expect(calls).not.toContain('POST /v1/order-code');
    await shopper.waitForText('Garanti BBVA');
    await bank.receive(code, '149.90');
    await shopper.waitForText('Ödemeniz alındı');
  });

  test('gets the same code after the answer to the order was lost', async () => {
    servePage('/checkout.js?offer=gold');
    const page = await (await openProfile()).newPage();
    const codes: string[] = [];
    await page.route(`${worker}/v1/orders`, async (route) => {
      const response = await route.fetch();
      codes.push(((await response.json()) as {order_code: string}).order_code);
      await (codes.length === 1 ? route.abort() : route.fulfill({response}));
    });
    await page.goto(merchant);
    const shopper = new Shopper(page);
    await shopper.chooseBank();
    await shopper.find('button', 'Yeniden dene').click();
    const code = await shopper.readCode();
    expect(codes).toEqual([code, code]);
  });

  test('shows one code in two tabs in which the shopper chooses a bank at the same time', async () => {
    servePage('/checkout.js?offer=gold');
    const profile = await openProfile();
    const tabs = [await profile.newPage(), await profile.newPage()];
    for (const tab of tabs) await tab.goto(merchant);
    const shoppers = tabs.map((tab) => new Shopper(tab));
    for (const shopper of shoppers) await shopper.find('radio', 'Ziraat Bankası').waitFor();
    await Promise.all(shoppers.map((shopper) => shopper.chooseBank()));
    const [first, second] = await Promise.all(shoppers.map((shopper) => shopper.readCode()));
    expect(second).toBe(first);
  });

  test('shows the same code after a reload and after going back', async () => {
    servePage('/checkout.js?offer=gold');
    const page = await (await openProfile()).newPage();
    await page.goto(merchant);
    const shopper = new Shopper(page);
    const code = await shopper.getCode();
    await page.reload();
    expect(await shopper.readCode()).toBe(code);
    await page.goto('about:blank');
    await page.goBack();
    expect(await shopper.readCode()).toBe(code);
  });

  test('shows the offer and gets a code even if the script’s URL names an unknown offer', async () => {
    servePage('/checkout.js?offer=%3C/script%3E%22');
    const page = await (await openProfile()).newPage();
    await page.goto(merchant);
    const shopper = new Shopper(page);
    await shopper.waitForText('Ahşap masa lambası');
    await shopper.getCode();
  });

  test('says without a tap that it cannot take payments if its origin is not allowed, and logs the setting', async () => {
    servePage('/checkout.js?offer=gold');
    const page = await (await openProfile()).newPage();
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    const origin = merchant.replace('localhost', 'other.localhost');
    await page.goto(origin);
    await new Shopper(page).waitForText('Bu sayfada şu an ödeme alınamıyor');
    expect(logged.filter((text) => text.startsWith('Vezne: '))).toEqual([
      `Vezne: ${worker} can be reached, but does not answer pages of ${new URL(origin).origin}. ` +
        'Is that origin in its ALLOWED_ORIGINS?',
    ]);
  });
});

describe('a page with /subscribe.js', () => {
  test('shows the terms without a call, and requests a PIN under a strict policy', async () => {
    servePage(
      '/subscribe.js?offer=club',
      '<vezne-pin-subscribe offer="club"></vezne-pin-subscribe>',
      'vezne-subscription',
    );
    const page = await (await openProfile()).newPage();
    const calls = recordCalls(page);
    await page.goto(merchant);
    const shopper = new Shopper(page);
    await shopper.waitForText('Kulüp üyeliği');
    expect(calls).toEqual([]);
    await page.getByRole('radio', {name: 'Telemavi'}).check();
    await page.getByRole('textbox').fill('0532 123 45 67');
    await page.getByRole('checkbox').check();
    await page.getByRole('button', {name: 'Onay kodu gönder'}).click();
    await page.locator('#pin').waitFor();
    expect(calls).toContain('POST /v1/sessions');
  });
});
