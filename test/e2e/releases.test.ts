/**
 * Tests each release against today's Worker: its pages with its pinned files, today's page while its Worker still runs,
 * and pages that load two releases.
 */

import {readdirSync, readFileSync} from 'node:fs';
import type {Page, Route} from 'playwright-core';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {repoPath, version} from '../../scripts/lib/repo.mjs';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
import {MerchantServer, strictPolicy} from './support/merchant-server.ts';
import {MobileNetwork} from './support/mobile-network.ts';
import {Shopper} from './support/shopper.ts';
import {Stack} from './support/stack.ts';

const RELEASES = readdirSync(repoPath('test', 'releases'));
const EVERGREEN = '<script type="module" src="https://pay.example.com/checkout.js?offer=gold"></script>';
const CHECKOUT = '<vezne-checkout offer="gold"></vezne-checkout>';

let stack: Stack;
let server: MerchantServer;
let bank: Bank;
beforeAll(async () => {
  stack = await Stack.start({notifiesPayments: true});
  bank = new Bank(stack.addresses.sandbox);
  server = await MerchantServer.start(stack.addresses.merchant);
});
afterAll(async () => {
  await server.stop();
  await stack.stop();
});

const openProfile = useChromium();
let page: Page;
let shopper: Shopper;
/** What the page wrote to the console about releases. */
let warnings: string[];
let requests: string[];
beforeEach(async () => {
  page = await (await openProfile()).newPage();
  shopper = new Shopper(page);
  warnings = [];
  requests = [];
  page.on('console', (message) => message.text().startsWith('Vezne:') && warnings.push(message.text()));
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
});

/** Opens a page of the merchant under the documented content security policy. */
async function open(html: string): Promise<void> {
  const worker = stack.addresses.page;
  server.serve({
    html: html.replaceAll('https://pay.example.com', worker),
    headers: {'content-security-policy': strictPolicy(worker)},
  });
  await page.goto(stack.addresses.merchant);
}

const pageOf = (release: string, name: string) => readFileSync(repoPath('test', 'releases', release, name), 'utf8');

/** Chooses a bank, and pays. */
async function payOnPage(): Promise<void> {
  await shopper.waitForText('Ahşap masa lambası');
  await shopper.chooseBank('Garanti BBVA');
  await bank.receive(await shopper.readCode(), '149.90');
  await shopper.waitForText('Ödemeniz alındı');
}

/** The types of the events that the page gets from the elements. */
async function recordEvents(): Promise<Set<string>> {
  const events = new Set<string>();
  await page.exposeFunction('record', (type: string) => void events.add(type));
  await page.addInitScript(() => {
    for (const type of ['vezne-bank-select', 'vezne-order-code', 'vezne-payment', 'vezne-error'])
      document.addEventListener(type, () => (window as unknown as {record: (type: string) => void}).record(type));
  });
  return events;
}

const otherRelease = (file: string, release: string) =>
  release === version ? [] : [expect.stringContaining(`${file} of release ${release}`)];

describe.each(RELEASES)('release %s', (release) => {
  test('its pinned checkout takes a payment from today’s Worker', async () => {
    const events = await recordEvents();
    await open(pageOf(release, 'checkout.html'));
    await payOnPage();
    expect(events).toEqual(new Set(['vezne-bank-select', 'vezne-order-code', 'vezne-payment']));
    const files = requests.filter((path) => path.startsWith('/vezne/') && path.endsWith('.js'));
    expect(files).toContainEqual(expect.stringMatching(/\/checkout\/payment-/));
    for (const file of files) expect(file).toContain(`/vezne/${release}/checkout`);
    expect(warnings).toEqual(otherRelease('checkout.js', release));
  });

  test.each(['banks', 'amount'])('without the field %s of an answer, its pages cannot pay', async (field) => {
    page.setDefaultTimeout(10_000);
    const path = field === 'banks' ? '/v1/banks' : '/v1/order-code';
    await page.route(`${stack.addresses.page}${path}`, async (route: Route) => {
      const response = await route.fetch();
      const {[field]: _removed, ...json} = (await response.json()) as Record<string, unknown>;
      await route.fulfill({response, json});
    });
    await open(pageOf(release, 'checkout.html'));
    await expect(payOnPage()).rejects.toThrow('Timeout');
  });

  test('its pinned subscription and tracker work with today’s Worker', async () => {
    const network = new MobileNetwork(stack.addresses.sandbox);
    const msisdn = `5412${String(Date.now() % 1_000_000).padStart(6, '0')}`;
    await open(pageOf(release, 'subscribe.html'));
    await page.getByRole('radio', {name: 'Telemavi'}).check();
    await page.getByRole('textbox').fill(`0${msisdn}`);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', {name: 'Onay kodu gönder'}).click();
    await expect.poll(() => network.pinOf(msisdn).catch(() => '')).toMatch(/^\d{4}$/);
    await page.locator('#pin').fill(await network.pinOf(msisdn));
    await page.getByRole('button', {name: /Üye ol|Abone ol/}).click();
    await expect.poll(() => network.subscriptionsOf(msisdn)).toEqual(['active']);
    expect(requests).toContain('/v1/activities');
    expect(warnings).toEqual(['subscribe.js', 'activity.js'].flatMap((file) => otherRelease(file, release)));
  });

  test('after its Worker and the sandbox were killed, today’s page keeps its code, and today’s Worker finds the money', async () => {
    await stack.killWorker();
    await stack.startWorker(release);
    await open(EVERGREEN + CHECKOUT);
    const code = await shopper.getCode();
    // The request for the code carries everything that it needs.
    expect(requests.find((path) => path.startsWith('/v1/') && !path.endsWith('/logo'))).toBe('/v1/order-code');
    const orders = await bank.countOrders();
    await shopper.waitForText('Ödemenizi bekliyoruz');
    await Promise.all([stack.killWorker(), stack.killSandbox()]);
    await shopper.waitForText('Bağlantı kurulam');
    await stack.startSandbox();
    await bank.receive(code, '100.00');
    await stack.startWorker();
    await shopper.waitForText('₺100,00 geldi, ₺49,90 kaldı');
    await page.reload();
    expect(await shopper.readCode()).toBe(code);
    expect(await bank.countOrders()).toBe(orders);
    await bank.receive(code, '49.90');
    await shopper.waitForText('Ödemeniz alındı');
  });

  test('of two releases on a page, the first works and the second warns once', async () => {
    const tag = /<script.*<\/script>/.exec(pageOf(release, 'checkout.html'))?.[0] ?? '';
    await open(tag + EVERGREEN + CHECKOUT + CHECKOUT);
    await shopper.waitForText('Garanti BBVA');
    await expect.poll(() => warnings).toContain('Vezne: second checkout.js');
    expect(warnings).toHaveLength(1 + otherRelease('', release).length);
    warnings.length = 0;
    // The pinned file also says that it is of another release.
    await page.route('**/vezne/releases.json', (route) => route.fulfill({json: {current: '99.1.0'}}));
    await open(EVERGREEN + tag + CHECKOUT);
    await shopper.waitForText('Garanti BBVA');
    const file = `Vezne: checkout.js of release ${release}`;
    await expect.poll(() => warnings).toHaveLength(2);
    expect(warnings[0]).toBe(`${file} does nothing, because this page has loaded another checkout.js first.`);
    expect(warnings[1]).toContain('its Worker is of release 99.1.0.');
  });
});
