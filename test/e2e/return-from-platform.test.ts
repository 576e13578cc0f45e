/**
 * Tests shoppers who go from the demo shop to the platform's pages and return. The shop shows what it reads from the
 * Worker. It does not trust the URL to which the shopper returns.
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
  shopper = new Shopper(page, 'en');
});

const press = (name: string) => page.getByRole('button', {name, exact: true}).click();

test('a shopper pays on the phone bill, and opening the success URL alone does not count as a payment', async () => {
  await page.goto(`${origin}/en/pay?vezne-return=payment-page.success`);
  await shopper.waitForText('We are checking your payment');
  expect(page.url()).toBe(`${origin}/en/pay`);
  await press('Open the payment page again');

  const msisdn = `53${String(Date.now()).slice(-8)}`;
  await page.getByLabel('Cep telefonu numaranız').fill(msisdn);
  await press('PIN gönder');
  await page.getByLabel('SMS ile gelen PIN').waitFor();
  await page.getByLabel('SMS ile gelen PIN').fill(await network.pinOf(msisdn));
  await press('Onayla');
  await page.getByRole('link', {name: 'Devam et'}).click();
  await shopper.waitForText('Your payment has arrived');
  expect(page.url()).toBe(`${origin}/en/pay`);
  await shopper.waitForText('Phone bill');
  expect(await page.getByRole('button', {name: 'Pay by bank transfer'}).isVisible()).toBe(false);
});

test('a shopper who leaves the bank page without paying can open it again and pay', async () => {
  await page.goto(`${origin}/en/pay`);
  await press('Pay by bank transfer');
  await page.getByRole('link', {name: 'Geri dön'}).click();
  await shopper.waitForText('Waiting for your transfer');
  expect(page.url()).toBe(`${origin}/en/pay`);
  await press('Open the payment page again');
  await page.getByRole('link', {name: 'Garanti BBVA'}).click();
  await press('Gönderdim');
  await shopper.waitForText('Your payment has arrived');
  await shopper.waitForText('Garanti BBVA');
});

test('a shopper who forgot the code sends a payment notice after 5 minutes, and the shop confirms it', async () => {
  const readings = {method: 'POST', body: JSON.stringify({notice_code: 'own_id'})};
  expect((await fetch(`${sandbox}/_sandbox/readings`, readings)).ok).toBe(true);
  // The fake clock must be installed before the page opens. Later in the test it jumps ahead by 5 minutes.
  await page.clock.install();
  await page.goto(`${origin}/en/shop`);
  await shopper.chooseBank('Garanti BBVA');
  await shopper.readCode();
  await shopper.waitForText('Waiting for your transfer');
  await page.clock.fastForward('05:01');
  await press('Did you send it without the code?');
  const form = page.locator('vezne-payment-notice');
  await form.getByLabel('Name').waitFor();
  expect(await form.getByLabel('Bank').inputValue()).toBe('garanti');
  await expect.poll(() => form.getByLabel('Amount').inputValue()).toBe('149.90');
  await form.getByLabel('Name').fill('Deniz Örnek');
  await form.getByLabel(/identity number/i).fill('10000000146');
  await form.getByRole('button', {name: 'Tell of my payment'}).click();

  await shopper.waitForText('Garanti BBVA');
  await press('Bildirimi gönder');
  await page.waitForURL(`${origin}/en/shop`);
  await shopper.waitForText('We are looking for your payment');
  const stored = await page.evaluate(() => JSON.stringify([{...localStorage}, {...sessionStorage}]));
  for (const personal of ['10000000146', 'Deniz']) expect(stored).not.toContain(personal);
});
