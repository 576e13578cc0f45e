/** A page of a merchant's own, on another origin than the Worker: nothing but the script tag and an element. */

import {afterAll, beforeAll, beforeEach, describe, expect, inject, test} from 'vitest';
import {Bank} from './support/bank.ts';
import {useChromium} from './support/chromium.ts';
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

describe("A merchant's page", () => {
  test('under the strictest policy takes a payment from the first tap to the last, and its policy stops nothing', async () => {
    server.serve({html: merchantPage(worker), headers: {'content-security-policy': strictPolicy(worker)}});
    await shopper.page.goto(merchant);
    const code = await shopper.getsCode();
    await shopper.finds('button', 'Kodu kopyala').click();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
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
