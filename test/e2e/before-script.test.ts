/** Tests what a page shows before the script of its elements has run: with README.md's snippet, and on the demo's pages. */

import {readFileSync} from 'node:fs';
import type {Page} from 'playwright-core';
import {afterAll, beforeAll, describe, expect, inject, test} from 'vitest';
import {useChromium} from './support/chromium.ts';
import {MerchantServer, strictPolicy} from './support/merchant-server.ts';
import {endWait, SCRIPTS} from './support/page-actions.ts';
import {Shopper} from './support/shopper.ts';

const {page: worker, thirdMerchant: merchant} = inject('addresses');
const [, snippet = ''] =
  /```html\n([^]*?)```/.exec(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')) ?? [];

let server: MerchantServer;
beforeAll(async () => {
  server = await MerchantServer.start(merchant);
  // The page also has a link for a later state, as in docs/elements.md.
  const element = snippet
    .replaceAll('http://localhost:5173', worker)
    .replace('</vezne-checkout>', '<a slot="paid" hidden href="/thanks">Continue</a>$&');
  server.serve({
    html: `<!doctype html><html lang="en"><title>Lamp</title><h1>Lamp</h1>${element}`,
    headers: {'content-security-policy': strictPolicy(worker)},
  });
});
afterAll(() => server.stop());

const openProfile = useChromium();

const block = (files: RegExp) => (page: Page) => page.route(files, (route) => route.abort());

test.each([
  ['whose script is blocked', {}, block(SCRIPTS), endWait],
  ['in a browser without JavaScript', {javaScriptEnabled: false}, undefined, undefined],
  ['that cannot reach the Worker', {}, block(/\/vezne\.css|\.js/), undefined],
] as const)(
  'a strict page %s names another way to pay, and offers nothing to press',
  async (_, options, prepare, wait) => {
    const page = await (await openProfile(options)).newPage();
    await prepare?.(page);
    await page.goto(merchant);
    const sentence = page.getByText('If no banks appear here');
    if (wait) expect(await sentence.isVisible()).toBe(false);
    await wait?.(page);
    await sentence.waitFor();
    expect(await page.getByRole('link').or(page.getByRole('button')).filter({visible: true}).count()).toBe(0);
  },
);

test('on a slow network, the skeleton becomes the checkout without a layout shift, in a font of the system that the page does not get', async () => {
  const page = await (await openProfile()).newPage();
  const {promise: held, resolve: release} = Promise.withResolvers<void>();
  await page.route(SCRIPTS, async (route) => {
    await held;
    await route.continue();
  });
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, {shifts});
    new PerformanceObserver((list) =>
      shifts.push(...list.getEntries().map((entry) => (entry as PerformanceEntry & {readonly value: number}).value)),
    ).observe({type: 'layout-shift', buffered: true});
  });
  await page.goto(merchant, {waitUntil: 'commit'});
  const checkout = page.locator('vezne-checkout');
  await expect.poll(async () => (await checkout.boundingBox())?.height).toBeGreaterThan(500);
  release();
  await new Shopper(page).find('radio', 'Ziraat Bankası').waitFor();
  expect(await page.evaluate(() => (window as unknown as {shifts: number[]}).shifts)).toEqual([]);
  const fontOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).fontFamily);
  expect(await fontOf('vezne-checkout [part=base]')).toBe('system-ui');
  expect(await fontOf('h1')).not.toContain('system-ui');
});

describe('without a script', () => {
  const openLasting = useChromium({}, 'file');
  let pages: Page[];
  beforeAll(async () => {
    pages = await Promise.all(
      [true, false].map(async (javaScriptEnabled) => (await openLasting({javaScriptEnabled})).newPage()),
    );
    for (const page of pages) await block(SCRIPTS)(page);
  });

  test.each(['/shop', '/shop?pay=platform', '/club', '/club?offer=trial', '/club?visit=network'])(
    '%s shows no link for a later state, and names another way',
    async (path) => {
      for (const [index, page] of pages.entries()) {
        await page.goto(`${worker}${path}`);
        expect(await page.locator('[slot]:not([slot=no-script])').filter({visible: true}).count()).toBe(0);
        if (index === 0) await endWait(page);
        const sentence = page.locator('span', {hasText: /açılmazsa .*0850/}).filter({visible: true});
        expect(await sentence.count()).toBeGreaterThan(0);
      }
    },
  );
});
