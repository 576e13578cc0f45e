/** People who subscribe on the demo's landing pages, and what the platform hears of it. */

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
let people = 0;
/** Somebody nobody has met: their number, and the id under which their visit is followed. */
let msisdn: string;
let click: string;

beforeEach(async () => {
  people += 1;
  msisdn = `54${String(Date.now() % 1_000_000).padStart(6, '0')}${String(people).padStart(2, '0')}`;
  click = `click-${msisdn}`;
  page = await (await openProfile()).newPage();
  shopper = new Shopper(page, 'en');
});

const told = (activities: string[]) =>
  expect.poll(() => network.activitiesOf(click), {timeout: 20_000}).toEqual(activities);

async function asksForPin(): Promise<void> {
  await page.getByRole('radio', {name: 'Bir'}).check();
  await page.getByLabel('Your mobile number').fill(`0${msisdn}`);
  await page.getByRole('checkbox', {name: /I have read the price/}).check();
  await page.getByRole('button', {name: 'Send me a code'}).click();
  await shopper.reads('Write the code from the SMS');
}

describe('A landing page', () => {
  test('subscribes who reads the price, gives a number and enters the PIN of the SMS', async () => {
    await page.goto(`${origin}/en/club?click_id=${click}`);
    await shopper.reads('₺12.00 every week');
    await asksForPin();
    await expect.poll(() => network.pinOf(msisdn).catch(() => ''), {timeout: 15_000}).toMatch(/^\d{4}$/);
    await page.getByLabel('Code', {exact: true}).fill(await network.pinOf(msisdn));
    await page.getByRole('button', {name: 'Start the subscription'}).click();
    await shopper.reads('You are subscribed');
    expect(await network.subscriptionsOf(msisdn)).toEqual(['active']);
    await told(['visit', 'subscribe_clicked', 'confirm_clicked']);
  });

  test('comes back to the PIN when the phone has thrown the page away meanwhile, and takes no wrong one', async () => {
    await page.goto(`${origin}/en/club`);
    await asksForPin();
    await page.reload();
    await shopper.reads('Write the code from the SMS');
    await expect.poll(() => network.pinOf(msisdn).catch(() => ''), {timeout: 15_000}).toMatch(/^\d{4}$/);
    const pin = await network.pinOf(msisdn);
    await page.getByLabel('Code', {exact: true}).fill(pin === '0000' ? '1111' : '0000');
    await page.getByRole('button', {name: 'Start the subscription'}).click();
    await shopper.reads(/The code is wrong/);
    expect(await network.subscriptionsOf(msisdn)).toEqual([]);
    await page.getByLabel('Code', {exact: true}).fill(pin);
    await page.getByRole('button', {name: 'Start the subscription'}).click();
    await shopper.reads('You are subscribed');
  });

  test('subscribes whom the network knows with one press, and has the number typed when the token was used', async () => {
    const address = `${origin}/en/one-click?number_token=${await network.tokenOf(msisdn)}&click_id=${click}`;
    await page.goto(address);
    await shopper.reads(`0${msisdn.slice(0, 3)} *** ** ${msisdn.slice(-2)}`);
    await page.getByRole('button', {name: 'Subscribe', exact: true}).click();
    await shopper.reads('You are subscribed');
    expect(await network.subscriptionsOf(msisdn)).toEqual(['active']);
    await told(['visit', 'confirm_clicked']);
    await page.goto(address);
    await shopper.reads('Your mobile number');
  });

  test('counts with the tracker alone, and nothing before it may', async () => {
    await page.goto(`${origin}/en/tracker?click_id=${click}`);
    await page.getByRole('button', {name: 'Subscribe', exact: true}).click();
    expect(await network.activitiesOf(click)).toEqual([]);
    await page.getByRole('button', {name: 'Yes, you may'}).click();
    await page.getByRole('button', {name: 'Confirm', exact: true}).click();
    await told(['visit', 'confirm_clicked']);
  });
});

describe('A marketplace', () => {
  test('has a vendor register in a closed frame, and hears when the form has ended', async () => {
    await page.goto(`${origin}/en/market`);
    await page.getByRole('button', {name: 'Open the registration form'}).click();
    const form = page.frameLocator('iframe[title="Vendor registration form"]');
    await form.getByRole('checkbox').check();
    await form.getByRole('button').first().click();
    await shopper.reads('You have sent the form');
  });
});
