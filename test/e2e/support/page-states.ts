/**
 * The states of the demo's, the sandbox's and the platform's pages, and how a test reaches each state. The states of the
 * elements alone are in the folder `test/widgets/support/states`.
 */

import type {Page} from 'playwright-core';
import {vi} from 'vitest';
import {TAGS} from '../../../demo/builder/elements.ts';
import {statesOf} from '../../../demo/builder/states.ts';
import {callMerchant} from './offers.ts';
import {
  bank,
  banksShown,
  blockScript,
  enterAccount,
  enterPin,
  network,
  newNumber,
  newOrder,
  noteShown,
  openMembership,
  openNoticePage,
  openOffer,
  openPlatformPage,
  openRefund,
  openSnippet,
  origin,
  pay,
  previewShown,
  readPin,
  requestPagePin,
  requestPin,
  sandbox,
  subscribe,
  updateShop,
  type Language,
  type PageState,
} from './page-actions.ts';
import {Shopper} from './shopper.ts';

/** Each state of an element that has an address. */
const PREVIEW_STATES: Readonly<Record<string, PageState>> = Object.fromEntries(
  TAGS.flatMap((element) =>
    statesOf(element).map((state): [string, PageState] => [
      `${element} in the state ${state}`,
      {
        path: `/preview?element=${element}&state=${state}`,
        reach: (page) => page.locator('#place[data-made]').waitFor(),
      },
    ]),
  ),
);

/** What each kind of page shows until its script has run. */
const BEFORE_SCRIPT: Readonly<Record<string, PageState>> = Object.fromEntries(
  [
    '/shop',
    '/shop?pay=platform',
    '/club',
    '/club?visit=network',
    '/p/gold',
    '/p/club',
    `/r/${'x'.repeat(30)}`,
    'the snippet',
  ]
    .map((path): [string, PageState] => [path, path.startsWith('/') ? {path} : {path: '/bank', reach: openSnippet}])
    .flatMap(([name, {path, reach}]): [string, PageState][] => {
      const block = (end: 'finish' | 'pause') => async (page: Page, language: Language) => {
        await reach?.(page, language);
        await blockScript(page, end);
      };
      return [
        [`${name} before its script`, {path, reach: block('pause')}],
        [`${name} whose script does not come`, {path, reach: block('finish')}],
        [`${name} without JavaScript`, {path, ...(reach && {reach}), options: {javaScriptEnabled: false}}],
      ];
    }),
);

export const PAGE_STATES: Readonly<Record<string, PageState>> = {
  'the builder': {path: '/', reach: previewShown},
  'the builder with every choice': {
    path: '/?element=vezne-checkout&theme=dark&accent=ffcc00&radius=4&density=0.8&font=serif&fields=name,email',
    reach: previewShown,
  },
  'the builder with a component for React': {path: '/?element=vezne-pin-subscribe&format=react', reach: previewShown},
  'the builder with the untried tag': {path: '/?format=gtm', reach: previewShown},
  'the builder with a link and its QR code': {path: '/?format=link', reach: previewShown},
  'the builder for an element without a link': {path: '/?element=vezne-activity&format=link', reach: noteShown},
  'the builder without JavaScript': {path: '/', options: {javaScriptEnabled: false}},
  'a preview that has no order yet': {path: '/preview?element=vezne-payment-status', reach: noteShown},
  'a preview of a refund': {
    path: '/preview?element=vezne-refund-contact',
    reach: (page) => page.locator('vezne-refund-contact [part=title]').waitFor(),
  },
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
  'the delivery of a paid order': {
    path: '/shop',
    reach: async (page) => {
      await pay('149.90')(page);
      await page.locator('[slot=paid] a').click();
      await page.locator('#delivery').waitFor();
    },
  },
  'the buttons to the platform': {
    path: '/shop?pay=platform',
    reach: (page) => page.locator('vezne-pay-button button').first().waitFor(),
  },
  'the buttons to the platform, for an order that was paid in the shop': {
    path: '/shop',
    reach: async (page, language) => {
      await pay('149.90')(page);
      await page.goto(`${origin}${language === 'tr' ? '' : '/en'}/pay`);
      await page.locator('#paid-order').waitFor();
    },
  },
  'the platform’s bank page': {path: '/shop?pay=platform', reach: (page) => openPlatformPage(page, 'first')},
  'the platform’s bank page with an account': {
    path: '/shop?pay=platform',
    reach: async (page) => {
      await openPlatformPage(page, 'first');
      await page.locator('.banks a').first().click();
      await page.locator('#sent').waitFor();
    },
  },
  'the platform’s bank page of a paid order': {
    path: '/shop?pay=platform',
    reach: async (page) => {
      await openPlatformPage(page, 'first');
      await bank.receive(new URL(page.url()).pathname.split('/').at(-1) ?? '', '149.90');
      await page.reload();
      await page.locator('.done').waitFor();
    },
  },
  'the platform’s payment page': {path: '/shop?pay=platform', reach: (page) => openPlatformPage(page, 'last')},
  'the platform’s payment page with a wrong number': {
    path: '/shop?pay=platform',
    reach: async (page) => {
      await openPlatformPage(page, 'last');
      await page.locator('main button').first().click();
      await page.locator('.error').waitFor();
    },
  },
  'the platform’s payment page while it asks for the PIN': {path: '/shop?pay=platform', reach: requestPagePin},
  'the platform’s payment page that is done': {
    path: '/shop?pay=platform',
    reach: async (page) => {
      await page.locator('#pin').fill(await readPin(await requestPagePin(page)));
      await page.locator('main button').first().click();
      await page.locator('.done').waitFor();
    },
  },
  'the platform’s page of a payment notice': {path: '/p/gold', reach: openNoticePage},
  'the platform’s page of a payment notice that was sent': {
    path: '/p/gold',
    reach: async (page, language) => {
      await openNoticePage(page, language);
      await page.locator('main button').first().click();
      await page.locator('.done').waitFor();
    },
  },
  'a page that the platform does not have': {path: `${sandbox}/pay/phs/banks/none`},
  'the page that sends a bill by link': {
    path: '/bill',
    reach: async (page) => {
      await page.locator('#make button').click();
      await page.locator('.messages a').waitFor();
    },
  },
  'the page that sends a bill by link, paid too much': {
    path: '/bill',
    reach: async (page, language) => {
      await page.locator('#make button').click();
      const link = (await page.locator('.messages a').getAttribute('href')) ?? '';
      const payer = await page.context().newPage();
      await payer.goto(`${link}?lang=${language}`);
      await new Shopper(payer).getCode();
      await payer.close();
      await page.locator('#overpay').click();
      await page.locator('#give-back').click();
      await page.locator('.messages li').nth(1).waitFor();
    },
  },
  'a payment link': {path: '/p/gold', reach: banksShown},
  'a payment link with an order code': {path: '/p/gold', reach: pay()},
  'a payment link that was paid': {path: '/p/gold', reach: pay('149.90')},
  'a link that sells a subscription': {path: '/p/club', reach: (page) => page.locator('[name=number]').waitFor()},
  'a link of an offer that the merchant API made': {
    path: '/p/gold',
    reach: async (page, language) => {
      const end = new Date(Date.now() + 86_400_000).toISOString();
      await openOffer(page, language, {uses: 'many', expires_at: end});
      await banksShown(page);
    },
  },
  'a link of an offer that has expired': {
    path: '/p/gold',
    reach: async (page, language) => {
      await openOffer(page, language, {uses: 'many', expires_at: new Date(Date.now() + 2_000).toISOString()});
      while ((await page.locator('.notice').count()) === 0) await page.reload();
    },
  },
  'a bill in the colors of its offer': {
    path: '/p/gold',
    reach: async (page, language) => {
      await openOffer(page, language, {theme: {accent: '#ffcc00', scheme: 'dark'}});
      await banksShown(page);
    },
  },
  'a bill with a long title and without contacts': {
    path: '/p/gold',
    reach: async (page, language) => {
      const title = 'Kapadokya’dan el dokuması, kök boyalı, yün üzerine yün kilim; 180 × 240 cm, iade edilebilir';
      const fields = {
        title: {tr: title, en: title},
        amount: '1249999.90',
        seller: {name: 'Nevşehir El Sanatları Kooperatifi'},
      };
      await openOffer(page, language, fields);
      await banksShown(page);
    },
  },
  'a bill that another device has paid': {
    path: '/p/gold',
    reach: async (page, language) => {
      await openOffer(page, language);
      await pay('2450.00')(page);
      await page.evaluate(() => localStorage.clear());
      await page.reload();
      await page.locator('.notice').waitFor();
    },
  },
  'a bill that was cancelled': {
    path: '/p/gold',
    reach: async (page, language) => {
      const order = newOrder();
      const link = await openOffer(page, language, {order});
      await pay()(page);
      await callMerchant(origin, 'POST', 'orders/cancel', {service: 'DEMO', order});
      await page.evaluate(() => localStorage.clear());
      await page.goto(link);
      await page.locator('.notice').waitFor();
    },
  },
  'a link that does not exist': {path: '/p/nothing'},
  'a refund link': {path: '/bank', reach: openRefund()},
  'a refund link with an empty form that was sent': {
    path: '/bank',
    reach: async (page, language) => {
      await openRefund()(page, language);
      await page.locator('vezne-refund-contact [type=submit]').click();
      await page.locator('[aria-invalid=true]').first().waitFor();
    },
  },
  'a refund link before the details are sent': {
    path: '/bank',
    reach: async (page, language) => {
      await openRefund()(page, language);
      await enterAccount(page);
    },
  },
  'a refund link that was used': {
    path: '/bank',
    reach: async (page, language) => {
      await openRefund()(page, language);
      await enterAccount(page);
      await page.locator('vezne-refund-contact .buttons button').first().click();
      await page.locator('vezne-refund-contact [part=status]').waitFor();
    },
  },
  'a refund link that was used before': {
    path: '/bank',
    reach: async (page, language) => {
      await openRefund()(page, language);
      await enterAccount(page);
      await page.locator('vezne-refund-contact .buttons button').first().click();
      await page.locator('vezne-refund-contact [part=status]').waitFor();
      await page.reload();
      await page.locator('vezne-refund-contact [part=status]').waitFor();
    },
  },
  'a refund link that has expired': {path: '/bank', reach: openRefund({hours: 1e-5})},
  'a refund link that was withdrawn': {
    path: '/bank',
    reach: async (page, language) => {
      const id = await openRefund()(page, language);
      await callMerchant(origin, 'DELETE', `refund-links/${id}`, {});
      // The Worker keeps a link for some seconds.
      await vi.waitFor(
        async () => {
          await page.reload();
          await page.locator('vezne-refund-contact [part=status]').waitFor({timeout: 3_000});
        },
        {timeout: 60_000},
      );
    },
  },
  'a refund link that does not exist': {
    path: `/r/${'x'.repeat(30)}`,
    reach: (page) => page.locator('vezne-refund-contact [part=status]').waitFor(),
  },
  'the bank': {path: '/bank', reach: (page) => page.locator('option').first().waitFor({state: 'attached'})},
  'the club': {path: '/club', reach: (page) => page.locator('[name=number]').waitFor()},
  'the club with a free trial': {path: '/club?offer=trial', reach: (page) => page.locator('[name=number]').waitFor()},
  'the club with a free trial after the subscription': {path: '/club?offer=trial', reach: subscribe},
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
  'the phone beside the club': {
    path: '/club',
    reach: async (page) => {
      await readPin(await requestPin(page));
      await page.getByRole('tab').nth(1).click();
      await page.locator('.phone li').first().waitFor();
    },
  },
  'the club on mobile data': {
    path: '/club?visit=network',
    reach: async (page) => {
      await page.goto(`${page.url()}&number_token=${await network.tokenOf(newNumber())}`);
      await page.locator('vezne-one-click #confirm').waitFor();
    },
  },
  'the club without a recognized number': {
    path: '/club?visit=network',
    reach: (page) => page.locator('vezne-one-click [name=number]').waitFor(),
  },
  'the mobile network beside the club': {
    path: '/club?visit=network',
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
  'the page of a shopper without a subscription': {path: '/preview?element=vezne-subscription'},
  'the vendor registration with the platform’s form': {
    path: '/preview?element=vezne-vendor-form',
    reach: (page) => page.frameLocator('iframe').getByRole('checkbox').waitFor(),
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
    path: '/api?of=sandbox',
    reach: async (page) => {
      // A list of all calls of a run would be too long for axe.
      const faults = page.locator('#operations-faults-GET-faults');
      await faults.locator('.opblock-summary-control').click();
      await faults.getByRole('button', {name: 'Execute'}).click();
      await faults.locator('.live-responses-table .response').waitFor();
    },
  },
  ...PREVIEW_STATES,
  ...BEFORE_SCRIPT,
};
