/**
 * Checks the demo's membership, one-click, payment, tracker and marketplace pages with axe. `npm run looks` runs this
 * file.
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

/** Subscribes a number with a number token, through the merchant API, so that the merchant gets its events. */
async function subscribe(msisdn: string): Promise<void> {
  const response = await fetch(`${origin}/merchant/v1/landing/subscription-request`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer sandbox-merchant-api-key',
      'content-type': 'application/json',
      'idempotency-key': crypto.randomUUID(),
    },
    body: JSON.stringify({
      product: 77,
      user_ip: '192.0.2.7',
      tracking_id: msisdn,
      number_token: await network.tokenOf(msisdn),
    }),
  });
  expect(response.status).toBe(201);
}

const expectAccessible = async () => expect(await findViolations(page)).toEqual([]);
const press = (name: string) => page.getByRole('button', {name, exact: true}).click();

describe('Accessibility of the landing pages', () => {
  test('the page to show and cancel a subscription is accessible', async () => {
    const shopper = new Shopper(page, 'en');
    await subscribe(newNumber());
    await page.goto(`${origin}/en/membership`);
    await page.locator('option').first().waitFor({state: 'attached'});
    await press('Show their subscription');
    await press('Cancel subscription');
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
