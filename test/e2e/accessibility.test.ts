/** Checks a sample of the demo's pages with axe. `npm run looks` checks all pages in every look. */

import {expect, inject, test} from 'vitest';
import {findViolations, PHONE} from './support/accessibility-check.ts';
import {useChromium} from './support/chromium.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin} = inject('addresses');
const openProfile = useChromium({viewport: PHONE});

test('the shop and its bank counter are accessible while the shopper has an order code', async () => {
  const page = await (await openProfile()).newPage();
  await page.goto(`${origin}/shop`);
  const shopper = new Shopper(page);
  await shopper.getCode();
  await shopper.waitForText('Ödemenizi bekliyoruz');
  expect(await findViolations(page)).toEqual([]);
});
