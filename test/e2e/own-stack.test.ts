/**
 * Tests that kill the relay or change how the platform reads the contract. These tests have separate servers,
 * and the Worker calls the platform through a relay.
 */

import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {freePort} from '../../cli/ports.mjs';
import {type RelayProcess, runRelay} from '../relay/support/relay-process.ts';
import {SECRET as RELAY_SECRET} from '../relay/support/secret.ts';
import {useIsolatedShop} from './support/isolated-shop.ts';
import {keepOperations} from './support/keep-operations.ts';

let relay: RelayProcess;
let startRelay: () => Promise<RelayProcess>;
const listen = freePort().then((port) => `127.0.0.1:${port}`);
const shop = useIsolatedShop(async () => ({EGRESS: 'relay', RELAY_URL: `http://${await listen}`, RELAY_SECRET}));
beforeAll(async () => {
  const {sandbox} = shop.stack.addresses;
  const settings = {
    RELAY_LISTEN: await listen,
    RELAY_SECRET,
    PHS_URL: `${sandbox}/phs`,
    MICROPAYMENT_URL: `${sandbox}/micropayment`,
    PAYMENT_PAGE_URL: `${sandbox}/pay`,
    LANDING_URL: `${sandbox}/landing`,
  };
  startRelay = () => runRelay(settings);
  relay = await startRelay();
});
afterAll(() => relay.end('SIGKILL'));

test('while the relay is down, the page says why there is no code; later the shopper pays', async () => {
  const {bank, shopper} = shop;
  await shopper.find('radio', 'Ziraat Bankası').waitFor();
  await relay.end('SIGKILL');
  await shopper.chooseBank();
  await shopper.waitForText('Ödeme hizmeti şu an yanıt vermiyor');
  expect(await shopper.find('button', 'Yeniden dene').isEnabled()).toBe(true);
  relay = await startRelay();
  const code = await shopper.readCode();
  await bank.receive(code, '149.90');
  await shopper.waitForText('Ödemeniz alındı');
  expect(relay.output()).toContain('"event":"forwarded"');
  expect(relay.output()).not.toContain(code);
});

describe('On a platform that reads the contract strictly', () => {
  beforeAll(async () => {
    const response = await fetch(`${shop.stack.addresses.sandbox}/_sandbox/readings`, {
      method: 'POST',
      headers: {'content-type': 'application/json'},
      body: JSON.stringify({bank_page: 'direct', vendor_form: 'session'}),
    });
    expect(response.status).toBe(200);
  });

  test('if the bank page does not show a shopper’s code, the shopper pays with our own checkout instead', async () => {
    const {shopper, bank} = shop;
    const {page} = shopper;
    const code = await shopper.getCode();
    await page.evaluate(() => {
      const button = document.createElement('vezne-pay-button');
      button.setAttribute('offer', document.querySelector('vezne-checkout')?.getAttribute('offer') ?? '');
      document.querySelector('vezne-checkout')?.replaceWith(button);
    });
    await page.getByRole('button', {name: 'Havale / EFT / FAST ile ₺149,90 öde'}).click();
    expect(await shopper.readCode()).toBe(code);
    expect(new URL(page.url()).pathname).toBe('/shop');
    await bank.receive(code, '149.90');
    await shopper.waitForText('Ödemeniz alındı');
  });

  test('a shopper who goes to the bank page before getting a code sees the order on the bank page', async () => {
    const {page} = shop.shopper;
    await page.evaluate(() => {
      const button = document.createElement('vezne-pay-button');
      button.setAttribute('offer', document.querySelector('vezne-checkout')?.getAttribute('offer') ?? '');
      document.querySelector('vezne-checkout')?.replaceWith(button);
    });
    await page.getByRole('button', {name: 'Havale / EFT / FAST ile ₺149,90 öde'}).click();
    await page.waitForURL(/\/pay\/phs\/banks\/\d{12}\?/);
    await page.getByRole('link', {name: 'Ziraat Bankası'}).waitFor();
  });

  test('a vendor registers with a form that needs a cookie and session storage', async () => {
    const {page} = shop.shopper;
    await page.goto(`${shop.stack.addresses.page}/en/preview?element=vezne-vendor-form`);
    const form = page.frameLocator('iframe[title="Vendor application form"]');
    await form.getByRole('checkbox').check();
    await form.getByRole('button').first().click();
    await shop.shopper.waitForText('We’ve received your application');
    const focused = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.textContent);
    await expect.poll(focused).toBe('We’ve received your application');
  });
});

test('the sandbox’s front page leads to forms of its controls', async () => {
  const {bank, shopper, stack} = shop;
  await shopper.getCode();
  await keepOperations(shopper.page, (_operation, path) => path.endsWith('/reset'));
  await shopper.page.goto(stack.addresses.sandbox);
  const reset = shopper.page.locator('#operations-reset-POST-reset');
  await reset.locator('.opblock-summary-control').click();
  expect(await bank.countOrders()).toBeGreaterThan(0);
  await reset.getByRole('button', {name: 'Execute'}).click();
  await expect.poll(() => bank.countOrders()).toBe(0);
});
