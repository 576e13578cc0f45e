/** A shopper subscribes on the landing page with the keyboard alone. */

import {expect, inject, test} from 'vitest';
import {findViolations} from './support/accessibility-check.ts';
import {useChromium} from './support/chromium.ts';
import {MobileNetwork} from './support/mobile-network.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin, sandbox} = inject('addresses');
const network = new MobileNetwork(sandbox);
const openProfile = useChromium();

test('a shopper can subscribe on the landing page with the keyboard alone', async () => {
  const page = await (await openProfile()).newPage();
  const shopper = new Shopper(page);
  const msisdn = `55${String(Date.now() % 100_000_000).padStart(8, '0')}`;
  await page.goto(`${origin}/en/club`);
  await shopper.waitForText('Your mobile number');
  /** Presses Tab until an element that matches the selector has the focus, also inside shadow roots. */
  const tabTo = async (selector: string) => {
    const isFocused = () =>
      page.evaluate((wanted) => {
        let focused = document.activeElement;
        while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
        return focused?.matches(wanted) ?? false;
      }, selector);
    for (let presses = 0; presses < 30 && !(await isFocused()); presses += 1) await page.keyboard.press('Tab');
    expect(await isFocused(), selector).toBe(true);
  };
  await tabTo('[name=operator]');
  await page.keyboard.press('Space');
  await tabTo('[name=number]');
  await page.keyboard.type(`0${msisdn}`);
  await tabTo('[name=consent]');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await shopper.waitForText('Enter the code we texted you');
  expect(await findViolations(page)).toEqual([]);
  // The element has moved the focus to the PIN field.
  await expect.poll(() => network.pinOf(msisdn).catch(() => '')).toMatch(/^\d{4}$/);
  await page.keyboard.type(await network.pinOf(msisdn));
  await page.keyboard.press('Enter');
  await shopper.waitForText('You’re subscribed');
});
