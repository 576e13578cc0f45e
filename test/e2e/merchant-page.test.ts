/**
 * Tests a merchant's page whose origin differs from the Worker's. The page has only the script tag and one element.
 * `test/widgets` tests pages with several elements or scripts, and offers that are not on sale.
 */

import {afterAll, beforeAll, beforeEach, describe, expect, inject, test} from 'vitest';
import {sharedChromium, useChromium} from './support/chromium.ts';
import {MerchantServer, merchantPage, strictPolicy} from './support/merchant-server.ts';
import {Shopper} from './support/shopper.ts';

const {page: worker, merchant} = inject('addresses');

let server: MerchantServer;
beforeAll(async () => {
  server = await MerchantServer.start(merchant);
});
afterAll(() => server.stop());

const openProfile = useChromium();
let shopper: Shopper;
beforeEach(async () => {
  shopper = new Shopper(await (await openProfile()).newPage());
});

/** Tries to create a policy, as another script of the page could. */
function makePolicy(name: string): void {
  const {trustedTypes} = globalThis as unknown as {trustedTypes: {createPolicy(name: string, rules: object): object}};
  trustedTypes.createPolicy(name, {createHTML: (text: string) => text});
}

/** Counts the policies that a script can reach from the page's objects. */
function countPolicies(): number {
  const {trustedTypes, TrustedTypePolicy} = globalThis as unknown as {
    trustedTypes: object;
    TrustedTypePolicy: new () => object;
  };
  return [globalThis, trustedTypes, document, ...document.querySelectorAll('*')]
    .flatMap((holder) => Reflect.ownKeys(holder).map((key): unknown => Reflect.get(holder, key)))
    .filter((value) => value instanceof TrustedTypePolicy).length;
}

/** Tries to have text parsed as markup, as another script of the page could. */
function writeMarkup(): void {
  document.body.innerHTML = '<b>text</b>';
}

describe("A merchant's page", () => {
  test('no other script of a strict page can use the Trusted Types policy of the elements', async () => {
    // A stricter page leaves out the policies of the elements that it does not have.
    const policy = strictPolicy(worker).replace(/; trusted-types .*/, '; trusted-types vezne-transfer');
    server.serve({html: merchantPage(worker), headers: {'content-security-policy': policy}});
    // This test does not use `useChromium`, which fails a test in which a policy blocks something.
    const page = await (await sharedChromium()).newPage();
    try {
      await page.goto(merchant);
      await new Shopper(page).getCode();
      await expect(page.evaluate(makePolicy, 'vezne-transfer')).rejects.toThrow(/already exists/);
      await expect(page.evaluate(makePolicy, 'vezne-subscription')).rejects.toThrow(/disallowed/);
      await expect(page.evaluate(writeMarkup)).rejects.toThrow(/requires 'TrustedHTML'/);
      expect(await page.evaluate(countPolicies)).toBe(0);
    } finally {
      await page.close();
    }
  });

  // If a page's origin is not allowed, the browser does not let the page read the Worker's refusal. The elements find
  // out about the refusal without reading it.
  test('a page of an origin that is not allowed says that it cannot take payments', async () => {
    // The sandbox takes pages of every loopback origin, so this page has another.
    const shop = 'https://shop.example/';
    await shopper.page.context().grantPermissions(['local-network-access']);
    await shopper.page.route(shop, (route) =>
      route.fulfill({contentType: 'text/html; charset=utf-8', body: merchantPage(worker)}),
    );
    await shopper.page.goto(shop);
    await shopper.waitForText('Bu sayfada şu an ödeme alınamıyor');
  });
});
