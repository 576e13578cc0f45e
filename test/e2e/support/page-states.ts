/**
 * The states of the demo's, the sandbox's and the platform's pages, and how a test reaches each state. The states of the
 * elements alone are in the folder `test/widgets/support/states`.
 */

import process from 'node:process';
import type {Page} from 'playwright-core';
import {inject} from 'vitest';
import {Bank} from './bank.ts';
import {MobileNetwork} from './mobile-network.ts';
import {makeLink} from './offers.ts';
import {Shopper} from './shopper.ts';

export type Language = 'tr' | 'en';

export interface PageState {
  /** The path of the Turkish page, or the whole address of a page of the sandbox. */
  readonly path: string;
  readonly reach?: (page: Page, language: Language) => Promise<unknown>;
}

const {page: origin, sandbox} = inject('addresses');
const bank = new Bank(sandbox);
const network = new MobileNetwork(sandbox);

/** Opens a page in a language. */
export async function openState(page: Page, {path, reach}: PageState, language: Language): Promise<void> {
  const address = path.startsWith('/') ? origin + path : path;
  // The demo has a path for each language; pages of the Worker and of the platform have a query.
  const isDemo = path.startsWith('/') && !path.startsWith('/p/');
  await page.goto(!isDemo ? `${address}?lang=${language}` : language === 'tr' ? address : `${origin}/en${path}`);
  await reach?.(page, language);
  // In a screenshot of a whole page, the bar at the top of the window would otherwise cover the middle of the page.
  await page.evaluate(() => scrollTo(0, 0));
}

/** Both languages run at the same time, each in its own process. */
let numbers = Number(process.env['VITEST_POOL_ID'] ?? 0) * 40;
/** @returns A number that no other test uses. */
function newNumber(): string {
  numbers += 1;
  return `55${String(Date.now() % 1_000_000).padStart(6, '0')}${String(numbers).padStart(2, '0')}`;
}

const banksShown = (page: Page) => page.getByRole('radio', {name: 'Ziraat'}).waitFor();

/** Gets an order code, sends the amount if there is one, and waits until the page shows what arrived. */
const pay = (amount?: string) => async (page: Page) => {
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
async function requestPin(page: Page): Promise<string> {
  const msisdn = newNumber();
  await page.locator('vezne-pin-subscribe [name=operator]').first().check();
  await page.locator('vezne-pin-subscribe [name=number]').fill(`0${msisdn}`);
  await page.locator('vezne-pin-subscribe [name=consent]').check();
  await page.locator('vezne-pin-subscribe [type=submit]').first().click();
  await page.locator('[autocomplete=one-time-code]').waitFor();
  return msisdn;
}

async function enterPin(page: Page, pin: string): Promise<void> {
  await page.locator('[autocomplete=one-time-code]').fill(pin);
  await page.locator('vezne-pin-entry [type=submit]').first().click();
}

async function readPin(msisdn: string): Promise<string> {
  for (;;) {
    const pin = await network.pinOf(msisdn).catch(() => undefined);
    if (pin) return pin;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function subscribe(page: Page): Promise<string> {
  const msisdn = await requestPin(page);
  await enterPin(page, await readPin(msisdn));
  await page.locator('vezne-pin-subscribe > a[slot=manage]').waitFor();
  return msisdn;
}

/** Subscribes on the landing page, then opens the subscription that the merchant has learned of. */
async function openMembership(page: Page, language: Language): Promise<void> {
  const msisdn = await subscribe(page);
  await page.goto(`${origin}${language === 'tr' ? '' : '/en'}/membership`);
  // The page shows the last two digits.
  const own = page.locator('option', {hasText: ` ${msisdn.slice(-2)} ·`}).first();
  await page.locator('#member').selectOption((await own.getAttribute('value')) ?? '');
  await page.locator('#sign-in button').click();
  await page.locator('vezne-subscription button').first().waitFor();
}

/**
 * Makes the page's script older than the Worker, whose new version no longer has the files that the old script loads
 * later.
 */
async function updateShop(page: Page): Promise<void> {
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

export const PAGE_STATES: Readonly<Record<string, PageState>> = {
  'the start page': {path: '/', reach: banksShown},
  'the start page with an order code': {path: '/', reach: pay()},
  'the start page with a paid order': {path: '/', reach: pay('149.90')},
  'the shop': {path: '/shop', reach: banksShown},
  'the shop with its settings open': {path: '/shop', reach: (page) => page.locator('.demo-menu').first().click()},
  'the shop with its pages open': {path: '/shop', reach: (page) => page.locator('.demo-menu').last().click()},
  'the shop with an order code': {path: '/shop', reach: pay()},
  'the shop with a part of the amount': {path: '/shop', reach: pay('100.00')},
  'the shop with a paid order': {path: '/shop', reach: pay('149.90')},
  'the shop with too much money': {path: '/shop', reach: pay('200.00')},
  'the shop whose script is outdated': {path: '/shop', reach: updateShop},
  'the bank beside the shop': {
    path: '/shop',
    reach: async (page) => {
      await pay('149.90')(page);
      await page.getByRole('tab').nth(1).click();
      await page.locator('.counter summary').click();
    },
  },
  'the page of an order that does not exist': {path: '/order'},
  'the page of a paid order': {
    path: '/shop',
    reach: async (page) => {
      await pay('149.90')(page);
      await page.locator('p[slot=paid] a').click();
      await page.locator('#delivery').waitFor();
    },
  },
  'the page of an order whose money has not arrived': {
    path: '/shop',
    reach: async (page, language) => {
      await pay()(page);
      await page.goto(`${origin}${language === 'tr' ? '' : '/en'}/order`);
      await page.locator('#order-open').waitFor();
    },
  },
  'the page with two ways to pay': {
    path: '/pay',
    reach: (page) => page.locator('vezne-pay-button button').first().waitFor(),
  },
  'the page with two ways to pay, for an order that was paid in the shop': {
    path: '/shop',
    reach: async (page, language) => {
      await pay('149.90')(page);
      await page.goto(`${origin}${language === 'tr' ? '' : '/en'}/pay`);
      await page.locator('#paid-order').waitFor();
    },
  },
  'the platform’s bank page': {
    path: '/pay',
    reach: async (page) => {
      await page.locator('vezne-pay-button button').first().click();
      await page.locator('main a').first().waitFor();
    },
  },
  'the platform’s payment page': {
    path: '/pay',
    reach: async (page) => {
      await page.locator('vezne-pay-button button').last().click();
      await page.locator('#operator').waitFor();
    },
  },
  'the page that sends a bill by link': {
    path: '/bill',
    reach: async (page) => {
      await page.locator('#make button').click();
      await page.locator('.messages a').waitFor();
    },
  },
  'a payment link': {path: '/p/gold', reach: banksShown},
  'a payment link with an order code': {path: '/p/gold', reach: pay()},
  'a payment link that was paid': {path: '/p/gold', reach: pay('149.90')},
  'a payment link whose script does not load': {
    path: '/p/gold',
    reach: async (page) => {
      await page.route('**/checkout.js?*', (route) => route.abort());
      await page.reload();
      await page.locator('.fallback button').click({trial: true});
    },
  },
  'a link that sells a subscription': {path: '/p/club', reach: (page) => page.locator('[name=number]').waitFor()},
  'a bill in the colors of its offer': {
    path: '/p/gold',
    reach: async (page, language) => {
      const theme = {accent: '#ffcc00', scheme: 'dark'};
      await page.goto(`${await makeLink(origin, {theme})}?lang=${language}`);
      await banksShown(page);
    },
  },
  'a bill that another device has paid': {
    path: '/p/gold',
    reach: async (page, language) => {
      const bill = `${await makeLink(origin)}?lang=${language}`;
      await page.goto(bill);
      await pay('2450.00')(page);
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await page.locator('.notice').waitFor();
    },
  },
  'a link that does not exist': {path: '/p/nothing'},
  'the bank': {path: '/bank', reach: (page) => page.locator('option').first().waitFor({state: 'attached'})},
  'the club': {path: '/club', reach: (page) => page.locator('[name=number]').waitFor()},
  'the club with a free trial': {path: '/trial', reach: (page) => page.locator('[name=number]').waitFor()},
  'the club with a free trial after the subscription': {path: '/trial', reach: subscribe},
  'the club with an empty form that was sent': {
    path: '/club',
    reach: async (page) => {
      await page.locator('vezne-pin-subscribe [type=submit]').first().click();
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  'the club while it asks for the PIN': {path: '/club', reach: requestPin},
  'the club after a wrong PIN': {
    path: '/club',
    reach: async (page) => {
      const pin = await readPin(await requestPin(page));
      await enterPin(page, pin === '0000' ? '1111' : '0000');
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  'the club after the subscription': {path: '/club', reach: subscribe},
  'the terms of the club': {path: '/terms'},
  'the phone beside the club': {
    path: '/club',
    reach: async (page) => {
      await readPin(await requestPin(page));
      await page.getByRole('tab').nth(1).click();
      await page.locator('.phone li').first().waitFor();
    },
  },
  'the one-click page': {
    path: '/one-click',
    reach: async (page) => {
      await page.goto(`${page.url()}?number_token=${await network.tokenOf(newNumber())}`);
      await page.locator('vezne-one-click #confirm').waitFor();
    },
  },
  'the one-click page without a recognized number': {
    path: '/one-click',
    reach: (page) => page.locator('vezne-one-click [name=number]').waitFor(),
  },
  'the mobile network beside the one-click page': {
    path: '/one-click',
    reach: async (page) => {
      await page.locator('#to-network').click();
      await page.locator('#network-number:focus').fill('12');
      await page.locator('#network button').click();
    },
  },
  'the page of a subscription': {path: '/club', reach: openMembership},
  'the page of a subscription that asks before it cancels': {
    path: '/club',
    reach: async (page, language) => {
      await openMembership(page, language);
      await page.locator('vezne-subscription button').first().click();
    },
  },
  'the page of a subscription that was cancelled': {
    path: '/club',
    reach: async (page, language) => {
      await openMembership(page, language);
      await page.locator('vezne-subscription button').first().click();
      await page.locator('vezne-subscription .danger').click();
      await page.locator('vezne-result').waitFor();
    },
  },
  'the page of a shopper without a subscription': {path: '/membership'},
  'the vendor registration': {path: '/market'},
  'the vendor registration with the platform’s form': {
    path: '/market',
    reach: async (page) => {
      await page.locator('#apply button').click();
      await page.frameLocator('iframe').getByRole('checkbox').waitFor();
    },
  },
  'the API page': {path: '/api', reach: (page) => page.locator('.opblock').first().waitFor()},
  'the API page with an answer': {
    path: '/api#/Refunds/createRefund',
    reach: async (page) => {
      const refund = page.locator('#operations-Refunds-createRefund');
      const body = refund.getByLabel('Request body');
      // A refund of an unknown order is always refused.
      await body.fill((await body.inputValue()).replace(/"order": *"[^"]*"/, '"order": "NOT-PAID"'));
      await refund.getByRole('button', {name: 'Execute'}).click();
      await refund.locator('.live-responses-table .response').waitFor();
    },
  },
  'the sandbox': {
    path: '/controls',
    reach: async (page) => {
      // A list of all calls of a run would be too long for axe.
      const faults = page.locator('#operations-faults-GET-faults');
      await faults.locator('.opblock-summary-control').click();
      await faults.getByRole('button', {name: 'Execute'}).click();
      await faults.locator('.live-responses-table .response').waitFor();
    },
  },
};
