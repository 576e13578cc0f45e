/**
 * Checks the demo's landing, membership, marketplace and payment pages with axe, with light and dark colors, on a phone
 * and a desktop screen. Uses the landing page with the keyboard alone.
 */

import type {Page} from 'playwright-core';
import {beforeEach, describe, expect, inject, test} from 'vitest';
import {findViolations, PHONE} from './support/accessibility-check.ts';
import {useChromium} from './support/chromium.ts';
import {MobileNetwork} from './support/mobile-network.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin, sandbox} = inject('addresses');
const network = new MobileNetwork(sandbox);

const openProfile = useChromium({viewport: PHONE});
let page: Page;
beforeEach(async () => {
  page = await (await openProfile()).newPage();
});

let numbers = 0;
/** @returns A number that no other test uses. */
function newNumber(): string {
  numbers += 1;
  return `55${String(Date.now() % 1_000_000).padStart(6, '0')}${String(numbers).padStart(2, '0')}`;
}

const expectAccessible = async () => expect(await findViolations(page)).toEqual([]);
const press = (name: string) => page.getByRole('button', {name, exact: true}).click();

async function pinOf(msisdn: string): Promise<string> {
  await expect.poll(() => network.pinOf(msisdn).catch(() => ''), {timeout: 15_000}).toMatch(/^\d{4}$/);
  return network.pinOf(msisdn);
}

describe('Accessibility of the landing pages', () => {
  test('the page to show and cancel a subscription is accessible', async () => {
    const shopper = new Shopper(page, 'en');
    const created = await fetch(`${sandbox}/_sandbox/subscriptions`, {
      method: 'POST',
      body: JSON.stringify({msisdn: newNumber(), product: 77}),
    });
    expect(created.ok).toBe(true);
    await page.goto(`${origin}/en/membership`);
    await page.locator('option').first().waitFor({state: 'attached'});
    await press('Show their subscription');
    await press('Cancel the subscription');
    await shopper.waitForText('Cancel your subscription?');
    await expectAccessible();
  });

  test('the one-click page is accessible', async () => {
    const msisdn = newNumber();
    await page.goto(`${origin}/en/one-click?number_token=${await network.tokenOf(msisdn)}`);
    await page.locator('vezne-one-click #confirm').waitFor();
    await expectAccessible();
  });

  test.each(['/pay', '/tracker', '/en/market'])('the page %s is accessible', async (path) => {
    await page.goto(`${origin}${path}`);
    await page.getByRole('button').first().waitFor();
    await expectAccessible();
  });
});

test('a shopper can subscribe on the landing page with the keyboard alone', async () => {
  const shopper = new Shopper(page, 'en');
  const msisdn = newNumber();
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
  await shopper.waitForText('Write the code from the SMS');
  await expectAccessible();
  // The element moved the focus to the PIN field.
  await page.keyboard.type(await pinOf(msisdn));
  await page.keyboard.press('Enter');
  await shopper.waitForText('You are subscribed');
});
