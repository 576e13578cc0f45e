/** What a shopper sees when servers are killed. These tests have their own stack. */

import {describe, expect, test} from 'vitest';
import {useIsolatedShop} from './support/isolated-shop.ts';

const shop = useIsolatedShop();

describe('Killed servers', () => {
  test('after Worker and sandbox were killed and restarted, the shopper pays with the same code', async () => {
    const {bank, shopper, stack} = shop;
    const code = await shopper.getCode();
    const orders = await bank.countOrders();
    await Promise.all([stack.killWorker(), stack.killSandbox()]);
    await Promise.all([stack.startWorker(), stack.startSandbox()]);
    await shopper.page.reload();
    expect(await shopper.readCode()).toBe(code);
    expect(await bank.countOrders()).toBe(orders);
    await bank.receive(code, '149.90');
    await shopper.page.reload();
    await shopper.waitForText('Ödemeniz alındı');
  });

  test('a page that was waiting when the Worker was killed still shows the payment', async () => {
    const {bank, shopper, stack} = shop;
    const code = await shopper.getCode();
    await shopper.waitForText('Ödemenizi bekliyoruz');
    await stack.killWorker();
    await shopper.waitForText('Bağlantı kurulamıyor; denemeye devam ediyoruz.');
    await stack.startWorker();
    await bank.receive(code, '149.90');
    await shopper.waitForText('Ödemeniz alındı');
  });

  test('a transfer that arrived while the Worker was down is shown when the Worker is back', async () => {
    const {bank, shopper, stack} = shop;
    const code = await shopper.getCode();
    await shopper.waitForText('Ödemenizi bekliyoruz');
    await stack.killWorker();
    await bank.receive(code, '149.90');
    await stack.startWorker();
    await shopper.waitForText('Ödemeniz alındı');
  });
});
