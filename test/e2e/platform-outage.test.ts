/** A payment platform that is away, and what a shopper sees of it. These tests have a stack of their own. */

import {describe, expect, test} from 'vitest';
import {useIsolatedShop} from './support/isolated-shop.ts';

const shop = useIsolatedShop();

describe('A shopper whose platform is away', () => {
  test('still sees the banks, hears why there is no code yet, and gets it when the platform is back', async () => {
    const {bank, shopper, stack} = shop;
    await shopper.finds('radio', 'Ziraat Bankası').waitFor();
    await stack.killSandbox();
    await shopper.page.reload();
    await shopper.choosesBank();
    await shopper.reads('Ödeme hizmeti şu an yanıt vermiyor');
    expect(await shopper.finds('button', 'Yeniden dene').isEnabled()).toBe(true);
    await stack.startSandbox();
    const code = await shopper.readsCode();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
  });
});
