/** What a shopper sees while the platform is down. This test has its own stack. */

import {describe, expect, test} from 'vitest';
import {useIsolatedShop} from './support/isolated-shop.ts';

const shop = useIsolatedShop();

describe('A platform outage', () => {
  test('while the platform is down, the page says why there is no code; later it shows the code', async () => {
    const {bank, shopper, stack} = shop;
    await shopper.find('radio', 'Ziraat Bankası').waitFor();
    await stack.killSandbox();
    await shopper.page.reload();
    await shopper.chooseBank();
    await shopper.waitForText('Ödeme hizmeti şu an yanıt vermiyor');
    expect(await shopper.find('button', 'Yeniden dene').isEnabled()).toBe(true);
    await stack.startSandbox();
    const code = await shopper.readCode();
    await bank.receive(code, '149.90');
    await shopper.waitForText('Ödemeniz alındı');
  });
});
