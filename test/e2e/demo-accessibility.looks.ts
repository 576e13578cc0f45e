/** Checks the demo's start, bank, API and shop pages with axe, in both languages. `npm run looks` runs this file. */

import type {Page} from 'playwright-core';
import {describe, expect, inject, test} from 'vitest';
import {findViolations, PHONE} from './support/accessibility-check.ts';
import {useChromium} from './support/chromium.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin} = inject('addresses');

const openProfile = useChromium({viewport: PHONE});

async function open(path: string): Promise<Page> {
  const page = await (await openProfile()).newPage();
  await page.goto(`${origin}${path}`);
  return page;
}

describe('Accessibility of the demo', () => {
  test.each(['/', '/bank', '/en/', '/en/bank'])('the page %s is accessible', async (path) => {
    expect(await findViolations(await open(path))).toEqual([]);
  });

  test('the page /api is accessible, also while it shows the answer of an operation', async () => {
    const page = await open('/api#createRefund');
    const operation = page.locator('#createRefund');
    await operation.getByRole('button', {name: 'Gönder', exact: true}).click();
    await operation.locator('.outcome.odd').waitFor();
    await operation.locator('.errors summary').click();
    expect(await findViolations(page)).toEqual([]);
  });

  test.each([
    {path: '/shop', language: 'tr', waiting: 'Ödemenizi bekliyoruz', paid: 'Ödemeniz alındı'},
    {path: '/en/shop', language: 'en', waiting: 'Waiting for your transfer', paid: 'Your payment has arrived'},
  ] as const)(
    'the page $path and its bank counter are accessible from the list of banks to the payment',
    async ({path, language, waiting, paid}) => {
      const page = await open(path);
      const shopper = new Shopper(page, language);
      await shopper.find('radio', 'Ziraat Bankası').waitFor();
      expect(await findViolations(page)).toEqual([]);
      const code = await shopper.getCode();
      await shopper.waitForText(waiting);
      expect(await findViolations(page)).toEqual([]);
      await shopper.payAtCounter({description: code, amount: '149.90'});
      await shopper.waitForText(paid);
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole('tab').nth(1).click();
      await page.locator('summary').click();
      expect(await findViolations(page)).toEqual([]);
    },
  );
});
