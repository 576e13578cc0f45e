/** Servers that are killed, and what a shopper sees of it. These tests have a stack of their own. */

import {describe, expect, test} from 'vitest';
import {useIsolatedShop} from './support/isolated-shop.ts';

const shop = useIsolatedShop();

describe('A shopper with a code', () => {
  test('whose shop and platform are both killed finds the same code afterwards, pays, and the page says so', async () => {
    const {bank, shopper, stack} = shop;
    const code = await shopper.getsCode();
    const orders = await bank.countOrders();
    await Promise.all([stack.killWorker(), stack.killSandbox()]);
    await Promise.all([stack.startWorker(), stack.startSandbox()]);
    await shopper.page.reload();
    expect(await shopper.readsCode()).toBe(code);
    expect(await bank.countOrders()).toBe(orders);
    await bank.receive(code, '149.90');
    await shopper.page.reload();
    await shopper.reads('Ödemeniz alındı');
  });

  test('sees the money come though the Worker was killed while the page waited', async () => {
    const {bank, shopper, stack} = shop;
    const code = await shopper.getsCode();
    await shopper.reads('Ödemenizi bekliyoruz');
    await stack.killWorker();
    await shopper.reads('Bağlantı kurulamıyor; denemeye devam ediyoruz.');
    await stack.startWorker();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
  });

  test('who paid while everything was away is told when it is back', async () => {
    const {bank, shopper, stack} = shop;
    const code = await shopper.getsCode();
    await shopper.reads('Ödemenizi bekliyoruz');
    await stack.killWorker();
    await bank.receive(code, '149.90');
    await stack.startWorker();
    await shopper.reads('Ödemeniz alındı');
  });
});
