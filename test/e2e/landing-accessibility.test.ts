/** The demo's landing, subscriber's, vendor's and payment pages under axe, each in light and dark on a phone and a desk; and without a mouse. */

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

let people = 0;
/** A number nobody has used. */
function newNumber(): string {
  people += 1;
  return `55${String(Date.now() % 1_000_000).padStart(6, '0')}${String(people).padStart(2, '0')}`;
}

const everybodyCan = async () => expect(await findViolations(page)).toEqual([]);
const presses = (name: string) => page.getByRole('button', {name, exact: true}).click();

async function pinOf(msisdn: string): Promise<string> {
  await expect.poll(() => network.pinOf(msisdn).catch(() => ''), {timeout: 15_000}).toMatch(/^\d{4}$/);
  return network.pinOf(msisdn);
}

describe('Everybody can', () => {
  test('see and end a subscription', async () => {
    const shopper = new Shopper(page, 'en');
    const made = await fetch(`${sandbox}/_sandbox/subscriptions`, {
      method: 'POST',
      body: JSON.stringify({msisdn: newNumber(), product: 77}),
    });
    expect(made.ok).toBe(true);
    await page.goto(`${origin}/en/membership`);
    await page.locator('option').first().waitFor({state: 'attached'});
    await presses('Show their subscription');
    await presses('Cancel the subscription');
    await shopper.reads('Cancel your subscription?');
    await everybodyCan();
  });

  test('confirm with one press', async () => {
    const msisdn = newNumber();
    await page.goto(`${origin}/en/one-click?number_token=${await network.tokenOf(msisdn)}`);
    await page.locator('vezne-one-click #confirm').waitFor();
    await everybodyCan();
  });

  test.each(['/pay', '/tracker', '/en/market'])('use %s', async (path) => {
    await page.goto(`${origin}${path}`);
    await page.getByRole('button').first().waitFor();
    await everybodyCan();
  });
});

test('Everybody can join the club, also with the keyboard alone', async () => {
  const shopper = new Shopper(page, 'en');
  const msisdn = newNumber();
  await page.goto(`${origin}/en/club`);
  await shopper.reads('Your mobile number');
  /** Goes on until the focus is on what is sought, through every shadow. */
  const tabsTo = async (selector: string) => {
    const isThere = () =>
      page.evaluate((sought) => {
        let focused = document.activeElement;
        while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
        return focused?.matches(sought) ?? false;
      }, selector);
    for (let press = 0; press < 30 && !(await isThere()); press += 1) await page.keyboard.press('Tab');
    expect(await isThere(), selector).toBe(true);
  };
  await tabsTo('[name=operator]');
  await page.keyboard.press('Space');
  await tabsTo('[name=number]');
  await page.keyboard.type(`0${msisdn}`);
  await tabsTo('[name=consent]');
  await page.keyboard.press('Space');
  await page.keyboard.press('Enter');
  await shopper.reads('Write the code from the SMS');
  await everybodyCan();
  // The focus has moved along.
  await page.keyboard.type(await pinOf(msisdn));
  await page.keyboard.press('Enter');
  await shopper.reads('You are subscribed');
});
