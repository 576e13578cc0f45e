/**
 * Tests each release, and a release of today's code, against today's Worker with the files of the next version: pages
 * with the release's pinned files, today's page while the release's Worker still runs, and pages that load two releases.
 */

import {cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import type {Page, Route} from 'playwright-core';
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {buildSite} from '../../scripts/build/site.mjs';
import {takeRelease} from '../../scripts/build/take-release.mjs';
import {buildWorkerPackage} from '../../scripts/build/worker-package.mjs';
import {repoPath, version} from '../../scripts/lib/repo.mjs';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
import {MerchantServer, strictPolicy} from './support/merchant-server.ts';
import {MobileNetwork} from './support/mobile-network.ts';
import {Shopper} from './support/shopper.ts';
import {builtSite, Stack} from './support/stack.ts';

const NEXT = '99.1.0';
const KEPT = repoPath('releases');
const folder = mkdtempSync(path.join(tmpdir(), 'vezne-releases-'));
/** The folders of the releases, by version. Without a published one of its number, today's code is a release. */
const releases = new Map(
  (existsSync(KEPT) ? readdirSync(KEPT) : []).map((name) => [name, path.join(KEPT, name)] as const),
);
const isMade = !releases.has(version);
if (isMade) releases.set(version, path.join(folder, 'releases', version));

/** A folder as `npm pack` fills it: what this run has built, or a link to the parts that a release keeps. */
function packedFolder(): string {
  if (process.env['VEZNE_BUILT_SITE']) return repoPath();
  const packed = path.join(folder, 'package');
  buildWorkerPackage(path.join(packed, 'dist', 'worker'));
  symlinkSync(builtSite, path.join(packed, 'dist', 'site'));
  return packed;
}

/** Builds the next version with the files of all releases. @returns the folder of its site. */
async function buildNext(): Promise<string> {
  mkdirSync(path.join(folder, 'releases'));
  if (isMade) takeRelease(packedFolder(), version, path.join(folder, 'releases'));
  const site = path.join(folder, 'site');
  await buildSite(site, {VEZNE_VERSION: NEXT, VEZNE_RELEASES: path.join(folder, 'releases')});
  // Each Worker reads the templates of its own version.
  const templates = (of: string) => path.join(site, 'vezne', of, 'single');
  for (const release of new Set([version, ...releases.keys()]))
    cpSync(templates(NEXT), templates(release), {recursive: true});
  return site;
}

const EVERGREEN = '<script type="module" src="https://pay.example.com/checkout.js?offer=gold"></script>';
const CHECKOUT = '<vezne-checkout offer="gold"></vezne-checkout>';
const SUBSCRIPTION =
  '<vezne-activity offer="club"></vezne-activity><vezne-pin-subscribe offer="club"></vezne-pin-subscribe>';

let stack: Stack;
let server: MerchantServer;
let bank: Bank;
beforeAll(async () => {
  stack = await Stack.start({notifiesPayments: true, site: await buildNext()});
  bank = new Bank(stack.addresses.sandbox);
  server = await MerchantServer.start(stack.addresses.merchant);
});
afterAll(async () => {
  await server.stop();
  await stack.stop();
  rmSync(folder, {recursive: true});
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

/** The tags of pinned files, as a merchant copies them. */
function pinnedTags(release: string, ...scripts: readonly string[]): string {
  const {files} = JSON.parse(readFileSync(path.join(releases.get(release) ?? '', 'release.json'), 'utf8')) as {
    files: Record<string, string>;
  };
  return scripts
    .map((file) => `src="https://pay.example.com/vezne/${release}/${file}" integrity="${files[file]}" crossorigin`)
    .map((attributes) => `<script type="module" ${attributes}></script>`)
    .join('');
}

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
  `Vezne: this page has ${file} of release ${release}, and its Worker is of release ${NEXT}. Both work together.`;

describe.each([...releases.keys()])('release %s', (release) => {
  test('its pinned checkout takes a payment from today’s Worker', async () => {
    const events = await recordEvents();
    await open(pinnedTags(release, 'checkout.js') + CHECKOUT);
    await payOnPage();
    expect(events).toEqual(new Set(['vezne-bank-select', 'vezne-order-code', 'vezne-payment']));
    const files = requests.filter((each) => each.startsWith('/vezne/') && each.endsWith('.js'));
    expect(files).toContainEqual(expect.stringMatching(/\/checkout\/payment-/));
    for (const file of files) expect(file).toContain(`/vezne/${release}/checkout`);
    expect(warnings).toEqual([otherRelease('checkout.js', release)]);
  });

  // Otherwise the test above would prove nothing about what a pinned page needs.
  test.each(['banks', 'amount'])('without the field %s of an answer, its pages show an error', async (field) => {
    const endpoint = field === 'banks' ? '/v1/banks' : '/v1/order-code';
    await page.route(`${stack.addresses.page}${endpoint}`, async (route: Route) => {
      const response = await route.fetch();
      const {[field]: _removed, ...json} = (await response.json()) as Record<string, unknown>;
      await route.fulfill({response, json});
    });
    const events = await recordEvents();
    await open(pinnedTags(release, 'checkout.js') + CHECKOUT);
    if (field !== 'banks') await shopper.chooseBank('Garanti BBVA');
    await expect.poll(() => events).toContain('vezne-error');
    expect(events).not.toContain('vezne-order-code');
  });

  test('its pinned subscription and tracker work with today’s Worker', async () => {
    const network = new MobileNetwork(stack.addresses.sandbox);
    const msisdn = `5412${String(Date.now() % 1_000_000).padStart(6, '0')}`;
    await open(pinnedTags(release, 'subscribe.js', 'activity.js') + SUBSCRIPTION);
    await page.getByRole('radio', {name: 'Telemavi'}).check();
    await page.getByRole('textbox').fill(`0${msisdn}`);
    await page.getByRole('checkbox').check();
    await page.getByRole('button', {name: 'Onay kodu gönder'}).click();
    await expect.poll(() => network.pinOf(msisdn).catch(() => '')).toMatch(/^\d{4}$/);
    await page.locator('#pin').fill(await network.pinOf(msisdn));
    await page.getByRole('button', {name: /Üye ol|Abone ol/}).click();
    await expect.poll(() => network.subscriptionsOf(msisdn)).toEqual(['active']);
    expect(requests).toContain('/v1/activities');
    expect(warnings.toSorted()).toEqual(['activity.js', 'subscribe.js'].map((file) => otherRelease(file, release)));
  });

  test('after its Worker and the sandbox were killed, today’s page keeps its code, and today’s Worker finds the money', async () => {
    await stack.killWorker();
    await stack.startWorker(path.join(releases.get(release) ?? '', 'worker.js.gz'));
    await open(EVERGREEN + CHECKOUT);
    const code = await shopper.getCode();
    // The request for the code carries everything that it needs.
    expect(requests.find((each) => each.startsWith('/v1/') && !each.endsWith('/logo'))).toBe('/v1/order-code');
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
    const tag = pinnedTags(release, 'checkout.js');
    await open(tag + EVERGREEN + CHECKOUT + CHECKOUT);
    await shopper.waitForText('Garanti BBVA');
    await expect
      .poll(() => warnings.toSorted())
      .toEqual(['Vezne: second checkout.js', otherRelease('checkout.js', release)]);
    warnings.length = 0;
    await open(EVERGREEN + tag + CHECKOUT);
    await shopper.waitForText('Garanti BBVA');
    await expect
      .poll(() => warnings)
      .toEqual([
        `Vezne: checkout.js of release ${release} does nothing, because this page has loaded another checkout.js first.`,
        otherRelease('checkout.js', release),
      ]);
  });
});
