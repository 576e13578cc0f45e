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

/** Serves a merchant's page with the documented content security policy. */
function servePage(script: string, element = CHECKOUT): void {
  server.serve({
    html: `<!doctype html><html lang="tr"><title>Lamba</title><script type="module" src="${worker}${script}"></script>${element}`,
    headers: {'content-security-policy': strictPolicy(worker)},
  });
}

/** The requests to the Worker's browser API, such as `POST /v1/order-code`, without requests for logos. */
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
    expect(calls[0]).toBe('POST /v1/order-code');
    expect(calls).not.toContain('POST /v1/sessions');
    await shopper.waitForText('Garanti BBVA');
    await bank.receive(code, '149.90');
    await shopper.waitForText('Ödemeniz alındı');
  });
});

describe('a page with /subscribe.js', () => {
  test('shows the terms without a call, and requests a PIN under a strict policy', async () => {
    servePage('/subscribe.js?offer=club', '<vezne-pin-subscribe offer="club"></vezne-pin-subscribe>');
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
