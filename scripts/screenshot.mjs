// @ts-check
// Takes the screenshot docs/checkout.png while `npm start` runs: node scripts/run.cjs screenshot

import process from 'node:process';
import {chromium} from 'playwright-core';
import {chromiumArgs, findChromium} from './lib/chromium.mjs';
import {portFromEnv} from './lib/ports.mjs';
import {repoPath} from './lib/repo.mjs';

const page = `http://localhost:${portFromEnv('PORT', 5173)}`;
const sandbox = `http://localhost:${portFromEnv('SANDBOX_PORT', 8790)}`;

const browser = await chromium.launch({executablePath: findChromium(), args: chromiumArgs});

/** @param {string} code @param {string} amount */
const pay = (code, amount) =>
  fetch(`${sandbox}/_sandbox/transfers`, {
    method: 'POST',
    headers: {'content-type': 'application/json'},
    body: JSON.stringify({description: code, bank: 'denizbank', amount}),
  });

/**
 * Takes a screenshot of the checkout after a shopper's steps, as a data URL.
 * @param {'light' | 'dark'} colorScheme
 * @param {(shop: import('playwright-core').Page) => Promise<void>} steps
 */
async function checkout(colorScheme, steps) {
  const context = await browser.newContext({
    viewport: {width: 400, height: 1600},
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'tr-TR',
    deviceScaleFactor: 1.5,
  });
  const shop = await context.newPage();
  await shop.goto(`${page}/shop`);
  await steps(shop);
  // Wait for the bank logos, which replace the banks' initials as soon as the logos are loaded.
  await shop.waitForLoadState('networkidle');
  const png = await shop.locator('vezne-checkout').screenshot();
  await context.close();
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** Continues to the payment code and returns it. @param {import('playwright-core').Page} shop */
async function continueToCode(shop) {
  await shop.getByRole('radio', {name: 'DenizBank'}).click();
  const code = await shop.locator('vezne-payment-code [part=code] bdi').textContent();
  await shop.getByText('Ödemenizi bekliyoruz').waitFor();
  return (code ?? '').trim();
}

const screenshots = [
  await checkout('light', (shop) => shop.getByPlaceholder('Banka ara').fill('bank')),
  await checkout('light', async (shop) => void (await continueToCode(shop))),
  await checkout('dark', async (shop) => {
    await pay(await continueToCode(shop), '100.00');
    await shop.getByText('kaldı').first().waitFor();
  }),
  await checkout('light', async (shop) => {
    await pay(await continueToCode(shop), '149.90');
    await shop.getByText('Ödemeniz alındı').first().waitFor();
  }),
];

const sheet = await browser.newPage({viewport: {width: 1320, height: 800}, deviceScaleFactor: 1});
await sheet.setContent(`<style>
  body { margin: 0; padding: 24px; background: #e9ece8; display: grid; grid-template-columns: repeat(4, 1fr); gap: 20px; align-items: start; width: 1320px; box-sizing: border-box; }
  img { width: 100%; border-radius: 16px; }
</style>${screenshots.map((source) => `<img src="${source}" alt="">`).join('')}`);
await sheet.locator('body').screenshot({path: repoPath('docs', 'checkout.png')});
await browser.close();
process.exit(0);
