/** Every page of the demo, with the kit in it, under axe: both languages, each in light and dark, on a phone and a desk. */
import {createRequire} from 'node:module';
import type {AxeResults} from 'axe-core';
import type {Browser, BrowserContext, Page} from 'playwright-core';
import {afterAll, afterEach, beforeAll, describe, expect, inject, test} from 'vitest';
import {launchChromium, newProfile} from '../support/chromium.ts';
import {Shopper} from '../support/shopper.ts';

const {page: origin} = inject('addresses');
const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const SCREENS = {phone: {width: 360, height: 780}, desk: {width: 1280, height: 900}};
const SCHEMES = ['light', 'dark'] as const;

let browser: Browser;
let profile: BrowserContext;
beforeAll(async () => {
  browser = await launchChromium();
});
afterEach(() => profile.close());
afterAll(() => browser.close());

async function open(path: string): Promise<Page> {
  // axe is put in by the test, past the page's own policy.
  profile = await newProfile(browser, {viewport: SCREENS.phone, bypassCSP: true});
  const page = await profile.newPage();
  await page.goto(`${origin}${path}`);
  await page.addScriptTag({path: axe});
  return page;
}

/** What axe finds wrong on each screen in each scheme, and where the page is wider than its screen. */
async function examine(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const [screen, size] of Object.entries(SCREENS)) {
    await page.setViewportSize(size);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({colorScheme, reducedMotion: 'reduce'});
      const {violations} = await page.evaluate(() => (window as unknown as {axe: {run(): Promise<AxeResults>}}).axe.run());
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      for (const {id, nodes} of violations) found.push(`${screen}, ${colorScheme}: ${id} at ${nodes.map(({target}) => target.join(' ')).join(', ')}`);
      if (wide) found.push(`${screen}, ${colorScheme}: wider than the screen`);
    }
  }
  await page.setViewportSize(SCREENS.phone);
  return found;
}

describe('Everybody', () => {
  test.each(['/', '/en/', '/bank', '/en/bank'])('can use %s', async (path) => {
    expect(await examine(await open(path))).toEqual([]);
  });

  test('can use /api, and read what an operation answers', async () => {
    const page = await open('/api#createRefund');
    const operation = page.locator('#createRefund');
    await operation.getByRole('button', {name: 'Gönder', exact: true}).click();
    await operation.locator('.outcome.odd').waitFor();
    await operation.locator('.errors summary').click();
    expect(await examine(page)).toEqual([]);
  });

  test.each([
    {path: '/shop', language: 'tr', waiting: 'Ödemenizi bekliyoruz', paid: 'Ödemeniz alındı'},
    {path: '/en/shop', language: 'en', waiting: 'Waiting for your transfer', paid: 'Your payment has arrived'},
  ] as const)('can use $path, from the banks to the payment, and the bank counter beside it', async ({path, language, waiting, paid}) => {
    const page = await open(path);
    const shopper = new Shopper(page, language);
    await shopper.finds('radio', 'Ziraat Bankası').waitFor();
    expect(await examine(page)).toEqual([]);
    const code = await shopper.getsCode();
    await shopper.reads(waiting);
    expect(await examine(page)).toEqual([]);
    await shopper.sendsAtCounter({description: code, amount: '149.90'});
    await shopper.reads(paid);
    expect(await examine(page)).toEqual([]);
    await page.getByRole('tab').nth(1).click();
    await page.locator('summary').click();
    expect(await examine(page)).toEqual([]);
  });
});
