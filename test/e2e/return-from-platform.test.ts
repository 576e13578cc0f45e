/**
 * Tests shoppers who go from the demo shop to the platform's pages and return. The shop shows what it reads from the
 * Worker. It does not trust the URL to which the shopper returns. The shop has a route in its fragment, which stays.
 */

import type {Page} from 'playwright-core';
import {beforeEach, expect, inject, test} from 'vitest';
import {useChromium} from './support/chromium.ts';
import {MobileNetwork} from './support/mobile-network.ts';
import {Shopper} from './support/shopper.ts';

const {page: origin, sandbox} = inject('addresses');
const network = new MobileNetwork(sandbox);

const openProfile = useChromium();
let page: Page;
let shopper: Shopper;
beforeEach(async () => {
  page = await (await openProfile()).newPage();
  shopper = new Shopper(page);
});

/** Calls a control of the sandbox. */
async function control(name: string, body?: object): Promise<unknown> {
  const answer = await fetch(`${sandbox}/_sandbox/${name}`, body && {method: 'POST', body: JSON.stringify(body)});
  expect(answer.ok).toBe(true);
  return answer.json();
}

const press = (name: string) => page.getByRole('button', {name, exact: true}).click();

test('a shopper pays with the phone bill, and the shop shows the order as paid; opening the success URL alone does not count', async () => {
  await page.goto(`${origin}/en/shop?pay=platform&vezne-return=payment-page.success#/odeme`);
  await shopper.waitForText('If you’ve paid, it will show up here');
  expect(page.url()).toBe(`${origin}/en/shop?pay=platform#/odeme`);
  await press('Reopen the phone bill page');

  const msisdn = `53${String(Date.now()).slice(-8)}`;
  await page.getByLabel('Your mobile number').fill(msisdn);
  await press('Text me a code');
  await page.getByLabel('Code', {exact: true}).waitFor();
  await page.getByLabel('Code', {exact: true}).fill(await network.pinOf(msisdn));
  await press('Confirm');
  await page.getByRole('link', {name: 'Continue'}).click();
  await shopper.waitForText('Payment received');
  expect(page.url()).toBe(`${origin}/en/shop?pay=platform#/odeme`);
  await shopper.waitForText('From your phone bill');
  expect(await page.getByRole('button', {name: 'by bank transfer'}).isVisible()).toBe(false);
  // The browser fires this event when another tab saves something.
  await page.evaluate(() => dispatchEvent(new StorageEvent('storage')));
  expect(await page.locator('.pay .aside-links').isVisible()).toBe(false);

  // The pages of the shop share the order, so the checkout shows the payment and does not invite to pay again.
  await page.goto(`${origin}/en/shop`);
  await shopper.waitForText(/^From your phone bill/);
  expect(await page.getByRole('radio', {name: 'Ziraat'}).isVisible()).toBe(false);
  const otherTab = await page.context().newPage();
  await otherTab.goto(`${origin}/en/shop?pay=platform`);
  await otherTab.getByRole('button', {name: 'Place another order'}).click();
  await otherTab.getByRole('button', {name: 'Pay ₺149.90 by phone bill'}).waitFor();
});

test('a shopper who leaves the bank page without paying can open it again and pay', async () => {
  await page.goto(`${origin}/en/shop?pay=platform#/odeme`);
  await press('Pay ₺149.90 by bank transfer');
  await page.getByRole('link', {name: 'Go back'}).click();
  await shopper.waitForText('We don’t see your');
  expect(page.url()).toBe(`${origin}/en/shop?pay=platform#/odeme`);
  await press('Reopen the bank page');
  await page.getByRole('link', {name: 'Garanti BBVA'}).click();
  await press('Send');
  await shopper.waitForText('Payment received');
  await shopper.waitForText('Garanti BBVA');
});

test('a shopper who forgot the code sends a payment notice, which the platform approves; the browser stores no personal data', async () => {
  await control('readings', {notice_code: 'own_id'});
  await page.goto(`${origin}/en/shop#/odeme`);
  await shopper.chooseBank('Garanti BBVA');
  await shopper.waitForText('Waiting for your transfer');
  await press('I left out the code');
  const form = page.locator('vezne-payment-notice');
  await form.getByRole('button', {name: 'Today'}).click();
  await form.getByLabel('Date and time (Turkish time)').fill('2026-01-15T10:30');
  expect(await form.getByLabel('Bank').locator('option:checked').textContent()).toContain('Garanti BBVA');
  await expect.poll(() => form.getByLabel('Amount').inputValue()).toBe('149.90');
  await form.getByText('Add details').click();
  await form.getByLabel('Sender’s full name').fill('Deniz Örnek');
  await form.getByLabel(/ID number/i).fill('10000000146');
  await form.getByRole('button', {name: 'Report my payment'}).click();

  await press('Send the report');
  await page.waitForURL(`${origin}/en/shop#/odeme`);
  await shopper.waitForText('We’re looking for your payment');
  const stored = await page.evaluate(() => JSON.stringify([{...localStorage}, {...sessionStorage}]));
  for (const personal of ['10000000146', 'Deniz']) expect(stored).not.toContain(personal);

  // The platform's staff finds the money and approves the notice.
  const transfer = {description: 'Para', bank: 'garanti', amount: '149.90'};
  const {transaction_id} = (await control('transfers', transfer)) as {transaction_id: number};
  const {notices} = (await control('notices')) as {notices: {notice_code: string; name: string}[]};
  await control(`notices/${notices.find(({name}) => name === 'Deniz Örnek')?.notice_code}/approve`, {transaction_id});
  await shopper.waitForText('Payment received');
});
