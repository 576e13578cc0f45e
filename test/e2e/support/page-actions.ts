/** What shoppers, developers and the platform do on pages, to reach the states of `page-states.ts`. */

import {readFileSync} from 'node:fs';
import process from 'node:process';
import type {BrowserContextOptions, Page} from 'playwright-core';
import {inject} from 'vitest';
import {Bank} from './bank.ts';
import {MobileNetwork} from './mobile-network.ts';
import {callMerchant, makeLink} from './offers.ts';
import {Shopper} from './shopper.ts';

export type Language = 'tr' | 'en';

export interface PageState {
  /** The path of the Turkish page, or the whole address of a page of the sandbox. */
  readonly path: string;
  readonly reach?: (page: Page, language: Language) => Promise<unknown>;
  readonly options?: BrowserContextOptions;
}

export const {page: origin, sandbox} = inject('addresses');
export const bank = new Bank(sandbox);
export const network = new MobileNetwork(sandbox);

/** Opens a page in a language. */
export async function openState(page: Page, {path, reach}: PageState, language: Language): Promise<void> {
  const address = path.startsWith('/') ? origin + path : path;
  // The demo has a path for each language; pages of the Worker and of the platform have a query.
  const isDemo = path.startsWith('/') && !/^\/[pr]\//.test(path);
  await page.goto(!isDemo ? `${address}?lang=${language}` : language === 'tr' ? address : `${origin}/en${path}`);
  await reach?.(page, language);
  // In a screenshot of a whole page, the bar at the top of the window would otherwise cover the middle of the page.
  await page.evaluate(() => scrollTo(0, 0));
}

/** Both languages run at the same time, each in its own process. */
let numbers = Number(process.env['VITEST_POOL_ID'] ?? 0) * 40;
/** @returns A number that no other test uses. */
export function newNumber(): string {
  numbers += 1;
  return `55${String(Date.now() % 1_000_000).padStart(6, '0')}${String(numbers).padStart(2, '0')}`;
}

/** The builder has shown the elements in its frame. */
export const previewShown = (page: Page) => page.frameLocator('#preview').locator('#place > :defined').waitFor();
/** A preview says why it does not show an element. */
export const noteShown = (page: Page) =>
  (page.url().includes('/preview') ? page : page.frameLocator('#preview')).locator('#note').waitFor();

export const banksShown = (page: Page) => page.getByRole('radio', {name: 'Ziraat'}).waitFor();

/** Gets an order code, sends the amount if there is one, and waits until the page shows what arrived. */
export const pay = (amount?: string) => async (page: Page) => {
  const code = await new Shopper(page).getCode();
  if (!amount) return;
  // The page listens before the money is sent. Otherwise a slow page could miss the only event.
  const arrival = await page.evaluateHandle(() => ({
    promise: new Promise<void>((resolve) =>
      document.addEventListener('vezne-payment', ({payment}: Event & {payment?: {state: string}}) => {
        if (payment?.state !== 'waiting') resolve();
      }),
    ),
  }));
  await bank.receive(code, amount);
  await arrival.evaluate(({promise}) => promise);
};

/** Fills in the number form of the landing page and waits until the page asks for the PIN. */
export async function requestPin(page: Page): Promise<string> {
  const msisdn = newNumber();
  await page.locator('vezne-pin-subscribe [name=operator]').first().check();
  await page.locator('vezne-pin-subscribe [name=number]').fill(`0${msisdn}`);
  await page.locator('vezne-pin-subscribe [name=consent]').check();
  await page.locator('vezne-pin-subscribe [type=submit]').first().click();
  await page.locator('[autocomplete=one-time-code]').waitFor();
  return msisdn;
}

export async function enterPin(page: Page, pin: string): Promise<void> {
  await page.locator('[autocomplete=one-time-code]').fill(pin);
  await page.locator('vezne-pin-entry [type=submit]').first().click();
}

export async function readPin(msisdn: string): Promise<string> {
  for (;;) {
    const pin = await network.pinOf(msisdn).catch(() => undefined);
    if (pin) return pin;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

export async function subscribe(page: Page): Promise<string> {
  const msisdn = await requestPin(page);
  await enterPin(page, await readPin(msisdn));
  await page.locator('vezne-pin-subscribe > a[slot=manage]').waitFor();
  return msisdn;
}

/** Subscribes on the landing page, then opens the subscription that the merchant has learned of. */
export async function openMembership(page: Page, language: Language): Promise<void> {
  const msisdn = await subscribe(page);
  await page.goto(`${origin}${language === 'tr' ? '' : '/en'}/preview?element=vezne-subscription`);
  // The page shows the last two digits.
  const own = page.locator('option', {hasText: ` ${msisdn.slice(-2)} ·`}).first();
  await page.locator('#member').selectOption((await own.getAttribute('value')) ?? '');
  await page.locator('vezne-subscription button').first().waitFor();
}

/** Leads to the platform's bank page, or its payment page. */
export async function openPlatformPage(page: Page, button: 'first' | 'last'): Promise<void> {
  await page.locator('vezne-pay-button button')[button]().click();
  await page.waitForURL(`${sandbox}/**`);
}

/** Enters a number on the platform's payment page. */
export async function requestPagePin(page: Page): Promise<string> {
  const msisdn = newNumber();
  await openPlatformPage(page, 'last');
  await page.locator('#msisdn').fill(msisdn);
  await page.locator('main button').first().click();
  await page.locator('#pin').waitFor();
  return msisdn;
}

/** Opens the platform's page of a payment notice. */
export async function openNoticePage(page: Page, language: Language): Promise<void> {
  const order = newOrder();
  await openOffer(page, language, {order});
  await pay()(page);
  const {url} = await callMerchant<{url: string}>(origin, 'POST', 'payment-notices', {
    service: 'DEMO',
    order,
    amount: '2450.00',
    bank: 'garanti',
    notice: {name: 'Deniz Örnek', user_ip: '192.0.2.7'},
  });
  await page.goto(`${url}?lang=${language}`);
}

let orders = 0;
/** @returns A reference that no other order has. */
export function newOrder(): string {
  orders += 1;
  return `LOOK-${process.env['VITEST_POOL_ID']}-${Date.now()}-${orders}`;
}

/** Opens a new bill, or another offer. @returns its link. */
export async function openOffer(page: Page, language: Language, fields: object = {}): Promise<string> {
  const link = `${await makeLink(origin, fields)}?lang=${language}`;
  await page.goto(link);
  return link;
}

/** Pays a bill too much, makes the link of a refund, and opens its page. @param fields - What the merchant asks for. */
export const openRefund =
  (fields: object = {}) =>
  async (page: Page, language: Language): Promise<string> => {
    const order = newOrder();
    await openOffer(page, language, {order});
    await pay('2500.00')(page);
    const link = {service: 'DEMO', order, ...fields};
    const {id, url} = await callMerchant<{id: string; url: string}>(origin, 'POST', 'refund-links', link);
    await page.goto(`${url}?lang=${language}`);
    await page.locator('vezne-refund-contact [part=title]').waitFor();
    return id;
  };

/** Fills in the form of a refund, and shows the summary. */
export async function enterAccount(page: Page): Promise<void> {
  await page.locator('vezne-refund-contact [name=name]').fill('Deniz Örnek');
  await page.locator('vezne-refund-contact [name=iban]').fill('TR33 0006 1005 1978 6457 8413 26');
  await page.locator('vezne-refund-contact [type=submit]').click();
  await page.locator('vezne-refund-contact .buttons').waitFor();
}

export const SCRIPTS = /\/(?:checkout|subscribe|vezne|refund|vendor)\.js/;

/** Opens a page whose script does not come, and ends the wait of the style sheet for it, or stops this wait. */
export async function blockScript(page: Page, end: 'finish' | 'pause'): Promise<void> {
  await page.route(SCRIPTS, (route) => route.abort());
  await page.reload();
  await endWait(page, end);
}

/** The style sheet waits for the script with an animation. */
export const endWait = (page: Page, end: 'finish' | 'pause' = 'finish') =>
  page.evaluate((how) => {
    for (const animation of document.getAnimations())
      if ('animationName' in animation && /^vezne-(?:shown|hidden|lower)$/.test(`${animation.animationName}`))
        animation[how]();
  }, end);

/** A page with nothing but README.md's lines. */
export async function openSnippet(page: Page, language: Language): Promise<void> {
  const [, lines = ''] =
    /```html\n([^]*?)```/.exec(readFileSync(new URL('../../../README.md', import.meta.url), 'utf8')) ?? [];
  const head = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Lamp</title>`;
  const body = `${head}<main><h1>Lamp</h1>${lines.replaceAll('http://localhost:5173', origin)}</main>`;
  await page.route('**/snippet', (route) => route.fulfill({contentType: 'text/html', body}));
  await page.goto(`${origin}/snippet`);
}

/**
 * Makes the page's script older than the Worker, whose new version no longer has the files that the old script loads
 * later.
 */
export async function updateShop(page: Page): Promise<void> {
  let isOld = true;
  await page.route('**/checkout.js?*', (route) => {
    if (!isOld) return route.fulfill({contentType: 'text/javascript', body: '// The script of the new version.'});
    isOld = false;
    return route.continue();
  });
  await page.route('**/checkout/*.js', (route) => route.fulfill({status: 404}));
  await page.reload();
  await banksShown(page);
  await page.locator('vezne-checkout label.bank').first().click();
  await page.locator('vezne-checkout .problem').waitFor();
}
