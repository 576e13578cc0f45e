/** Every page of the demo, with the kit in it, under axe: both languages, each in light and dark, on a phone and a desk. */

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

describe('Everybody', () => {
  test.each(['/', '/en/', '/bank', '/en/bank'])('can use %s', async (path) => {
    expect(await findViolations(await open(path))).toEqual([]);
  });

  test('can use /api, and read what an operation answers', async () => {
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
    'can use $path, from the banks to the payment, and the bank counter beside it',
    async ({path, language, waiting, paid}) => {
      const page = await open(path);
      const shopper = new Shopper(page, language);
      await shopper.finds('radio', 'Ziraat Bankası').waitFor();
      expect(await findViolations(page)).toEqual([]);
      const code = await shopper.getsCode();
      await shopper.reads(waiting);
      expect(await findViolations(page)).toEqual([]);
      await shopper.sendsAtCounter({description: code, amount: '149.90'});
      await shopper.reads(paid);
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole('tab').nth(1).click();
      await page.locator('summary').click();
      expect(await findViolations(page)).toEqual([]);
    },
  );
});
