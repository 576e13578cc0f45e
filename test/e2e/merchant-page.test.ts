/** A page of a merchant's own, on another origin than the Worker: nothing but the script tag and an element. */

import {afterAll, beforeAll, beforeEach, describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';
import {launchChromium, useChromium} from './support/chromium.ts';
import {MerchantServer, merchantPage, strictPolicy} from './support/merchant-server.ts';
import {Shopper} from './support/shopper.ts';

const {page: worker, sandbox, merchant} = inject('addresses');
const bank = new Bank(sandbox);

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

function serveStrictly(html: string, ...trustedTypes: string[]): void {
  server.serve({html, headers: {'content-security-policy': strictPolicy(worker, ...trustedTypes)}});
}

/** What another script of the page may try: to make a policy. */
function makePolicy(name: string): void {
  const {trustedTypes} = globalThis as unknown as {trustedTypes: {createPolicy(name: string, rules: object): object}};
  trustedTypes.createPolicy(name, {createHTML: (text: string) => text});
}

/** To find the policies that something on the page leads to. */
function countPolicies(): number {
  const {trustedTypes, TrustedTypePolicy} = globalThis as unknown as {
    trustedTypes: object;
    TrustedTypePolicy: new () => object;
  };
  return [globalThis, trustedTypes, document, ...document.querySelectorAll('*')]
    .flatMap((holder) => Reflect.ownKeys(holder).map((key): unknown => Reflect.get(holder, key)))
    .filter((value) => value instanceof TrustedTypePolicy).length;
}

/** To have text read as markup. */
function writeMarkup(): void {
  document.body.innerHTML = '<b>text</b>';
}

describe("A merchant's page", () => {
  test('under the strictest policy takes a payment from the first tap to the last, and its policy stops nothing', async () => {
    serveStrictly(merchantPage(worker), 'vezne-transfer');
    await shopper.page.goto(merchant);
    const code = await shopper.getsCode();
    await shopper.finds('button', 'Kodu kopyala').click();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
  });

  test('under the strictest policy shows a checkout and, later, a subscription: two files, each with its own policy', async () => {
    serveStrictly(merchantPage(worker), 'vezne-transfer', 'vezne-subscription');
    await shopper.page.goto(merchant);
    await shopper.getsCode();
    await shopper.page.evaluate(() => {
      const element = document.createElement('vezne-pin-subscribe');
      element.setAttribute('offer', 'club');
      document.body.append(element);
    });
    await shopper.reads('Cep telefonu numaranız');
    await shopper.finds('button', 'Kodu kopyala').click();
  });

  test('under the strictest policy shows a checkout and a subscription at once: one file with one policy', async () => {
    const elements =
      '<vezne-checkout offer="gold"></vezne-checkout><vezne-pin-subscribe offer="club"></vezne-pin-subscribe>';
    serveStrictly(merchantPage(worker, elements), 'vezne-all');
    await shopper.page.goto(merchant);
    await shopper.reads('Cep telefonu numaranız');
    await shopper.getsCode();
  });

  test('has no way for another script to the Trusted Types policy of the elements', async () => {
    serveStrictly(merchantPage(worker), 'vezne-transfer');
    // Not a profile of `useChromium`, which fails a test where a policy stops something.
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(merchant);
      await new Shopper(page).getsCode();
      await expect(page.evaluate(makePolicy, 'vezne-transfer')).rejects.toThrow(/already exists/);
      await expect(page.evaluate(makePolicy, 'vezne-subscription')).rejects.toThrow(/disallowed/);
      await expect(page.evaluate(writeMarkup)).rejects.toThrow(/requires 'TrustedHTML'/);
      expect(await page.evaluate(countPolicies)).toBe(0);
    } finally {
      await browser.close();
    }
  });

  test('hears from the elements what happens', async () => {
    server.serve({html: merchantPage(worker)});
    await shopper.page.goto(merchant);
    await shopper.page.evaluate(() => {
      const heard: string[] = [];
      Object.assign(window, {heard});
      for (const type of ['vezne-bank-select', 'vezne-order-code', 'vezne-copy', 'vezne-payment', 'vezne-error']) {
        document.addEventListener(type, () => heard.push(type));
      }
    });
    const code = await shopper.getsCode();
    await shopper.finds('button', 'Kodu kopyala').click();
    await shopper.reads('Ödemenizi bekliyoruz');
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
    const heard = await shopper.page.evaluate(() => (window as unknown as {heard: string[]}).heard);
    expect(heard.filter((type) => type !== 'vezne-payment')).toEqual([
      'vezne-bank-select',
      'vezne-order-code',
      'vezne-copy',
    ]);
    expect(heard.filter((type) => type === 'vezne-payment').length).toBeGreaterThanOrEqual(2);
  });

  test('may load the script twice and adds no second of anything', async () => {
    server.serve({
      html: merchantPage(worker).replace(
        '<vezne-checkout',
        `<script type="module" src="${worker}/vezne.js?again"></script><vezne-checkout`,
      ),
    });
    await shopper.page.goto(merchant);
    await shopper.getsCode();
  });

  test('that names an offer nobody sells says so, with a way on', async () => {
    server.serve({html: merchantPage(worker, '<vezne-checkout offer="silver"></vezne-checkout>')});
    await shopper.page.goto(merchant);
    await shopper.reads('Bu teklif şu an satışta değil');
  });

  // The browser hides the Worker's refusal from a page it does not know; the elements find out all the same.
  test('that the Worker does not know cannot take payments, and says so', async () => {
    server.serve({html: merchantPage(worker)});
    await shopper.page.goto(merchant.replace('localhost', '127.0.0.1'));
    await shopper.reads('Bu sayfadan şu an ödeme alınamıyor');
  });
});
