/** Shoppers whom the demo shop sends to the platform's pages, and who come back: what the page then says was read back. */

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

const presses = (name: string) => page.getByRole('button', {name, exact: true}).click();

test('a shopper pays on the phone bill, and neither before nor after is the address believed', async () => {
  await page.goto(`${origin}/en/pay?vezne-return=payment-page.success`);
  await shopper.reads('We are checking your payment');
  expect(page.url()).toBe(`${origin}/en/pay`);
  await presses('Open the payment page again');

  const msisdn = `53${String(Date.now()).slice(-8)}`;
  await page.getByLabel('Cep telefonu numaranız').fill(msisdn);
  await presses('PIN gönder');
  await page.getByLabel('SMS ile gelen PIN').waitFor();
  await page.getByLabel('SMS ile gelen PIN').fill(await network.pinOf(msisdn));
  await presses('Onayla');
  await page.getByRole('link', {name: 'Devam et'}).click();
  await shopper.reads('Your payment has arrived');
  expect(page.url()).toBe(`${origin}/en/pay`);
  await shopper.reads('Phone bill');
  expect(await page.getByRole('button', {name: 'Pay by bank transfer'}).isVisible()).toBe(false);
});

test('a shopper pays on the bank page, and who leaves it without paying is still awaited', async () => {
  await page.goto(`${origin}/en/pay`);
  await presses('Pay by bank transfer');
  await page.getByRole('link', {name: 'Geri dön'}).click();
  await shopper.reads('Waiting for your transfer');
  expect(page.url()).toBe(`${origin}/en/pay`);
  await presses('Open the payment page again');
  await page.getByRole('link', {name: 'Garanti BBVA'}).click();
  await presses('Gönderdim');
  await shopper.reads('Your payment has arrived');
  await shopper.reads('Garanti BBVA');
});

test('a shopper who forgot the code tells of the transfer after a long wait, and comes back to a page that looks for it', async () => {
  // Five minutes pass at once: the page is opened before the clock is stopped, and told the time afterwards.
  await page.clock.install();
  await page.goto(`${origin}/en/shop`);
  await shopper.choosesBank('Garanti BBVA');
  await shopper.readsCode();
  await shopper.reads('Waiting for your transfer');
  await page.clock.fastForward('05:01');
  await presses('Did you send it without the code?');
  const form = page.locator('vezne-payment-notice');
  await form.getByLabel('Name').waitFor();
  expect(await form.getByLabel('Bank').inputValue()).toBe('garanti');
  await expect.poll(() => form.getByLabel('Amount').inputValue()).toBe('149.90');
  await form.getByLabel('Name').fill('Deniz Örnek');
  await form.getByLabel(/identity number/i).fill('10000000146');
  await form.getByRole('button', {name: 'Tell of my payment'}).click();

  await shopper.reads('Garanti BBVA');
  await presses('Bildirimi gönder');
  await page.waitForURL(`${origin}/en/shop`);
  await shopper.reads('We are looking for your payment');
  const stored = await page.evaluate(() => JSON.stringify([{...localStorage}, {...sessionStorage}]));
  for (const said of ['10000000146', 'Deniz']) expect(stored).not.toContain(said);
});
