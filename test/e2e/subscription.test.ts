/** Tests shoppers who subscribe on the demo's landing pages, and the activities that the platform receives. */

import type {Page} from 'playwright-core';
import {beforeEach, describe, expect, inject, test} from 'vitest';
import {useChromium} from './support/chromium.ts';
import {MobileNetwork} from './support/mobile-network.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin, sandbox} = inject('addresses');
const network = new MobileNetwork(sandbox);

const openProfile = useChromium();
let page: Page;
let shopper: Shopper;
let numbers = 0;
/** A number that no other test uses, and the click id that tracks its visit. */
let msisdn: string;
let clickId: string;

beforeEach(async () => {
  numbers += 1;
  msisdn = `54${String(Date.now() % 1_000_000).padStart(6, '0')}${String(numbers).padStart(2, '0')}`;
  clickId = `click-${msisdn}`;
  page = await (await openProfile()).newPage();
  shopper = new Shopper(page);
});

const expectActivities = (activities: string[]) => expect.poll(() => network.activitiesOf(clickId)).toEqual(activities);

async function requestPin(): Promise<void> {
  await page.getByRole('radio', {name: 'Telemavi'}).check();
  await page.getByLabel('Your mobile number').fill(`0${msisdn}`);
  await page.getByRole('checkbox', {name: /I’ve read the price/}).check();
  await page.getByRole('button', {name: 'Text me a code'}).click();
  await shopper.waitForText('Enter the code we texted you');
}

describe('A landing page', () => {
  test('a shopper reads the price, enters a number and the PIN of the SMS, and is subscribed', async () => {
    await page.goto(`${origin}/en/club?click_id=${clickId}`);
    await shopper.waitForText('₺12.00 a week');
    await requestPin();
    await expect.poll(() => network.pinOf(msisdn).catch(() => '')).toMatch(/^\d{4}$/);
    await page.getByLabel('Code', {exact: true}).fill(await network.pinOf(msisdn));
    await page.getByRole('button', {name: 'Subscribe for ₺12.00 a week'}).click();
    await shopper.waitForText('You’re subscribed');
    expect(await network.subscriptionsOf(msisdn)).toEqual(['active']);
    await expectActivities(['visit', 'subscribe_clicked', 'confirm_clicked']);
    await page.reload();
    await shopper.waitForText('You’re subscribed');
    await page.getByRole('heading', {name: 'Your membership'}).waitFor();
    await page.getByRole('link', {name: 'Manage my subscription'}).waitFor();
    expect(await page.getByRole('link', {name: 'I’m already a member'}).isVisible()).toBe(false);
  });

  test('after a reload, the page asks for the PIN again, refuses a wrong PIN and accepts the right one', async () => {
    await page.goto(`${origin}/en/club`);
    await requestPin();
    await page.reload();
    await shopper.waitForText('Enter the code we texted you');
    await expect.poll(() => network.pinOf(msisdn).catch(() => '')).toMatch(/^\d{4}$/);
    const pin = await network.pinOf(msisdn);
    await page.getByLabel('Code', {exact: true}).fill(pin === '0000' ? '1111' : '0000');
    await page.getByRole('button', {name: 'Subscribe for ₺12.00 a week'}).click();
    await shopper.waitForText(/That code isn’t right/);
    expect(await network.subscriptionsOf(msisdn)).toEqual([]);
    await page.getByLabel('Code', {exact: true}).fill(pin);
    await page.getByRole('button', {name: 'Subscribe for ₺12.00 a week'}).click();
    await shopper.waitForText('You’re subscribed');
  });

  test('with a number token, one click subscribes; a new visit with the used token asks for the number', async () => {
    const address = `${origin}/en/club?visit=network&number_token=${await network.tokenOf(msisdn)}&click_id=${clickId}`;
    await page.goto(address);
    await shopper.waitForText(`0${msisdn.slice(0, 3)} *** ** ${msisdn.slice(-2)}`);
    await page.getByRole('button', {name: 'Subscribe for ₺12.00 a week'}).click();
    await shopper.waitForText('You’re subscribed');
    expect(await network.subscriptionsOf(msisdn)).toEqual(['active']);
    await expectActivities(['visit', 'confirm_clicked']);
    await page.goto(address);
    await shopper.waitForText('You’re subscribed');
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(address);
    await shopper.waitForText('Your mobile number');
  });
});
