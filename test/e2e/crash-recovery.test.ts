/** Tests what a shopper sees when servers are killed or the platform is down. These tests have separate servers. */

import {describe, expect, test} from 'vitest';
import {useIsolatedShop} from './support/isolated-shop.ts';

const shop = useIsolatedShop();

// This test runs first. If another order waited for its payment, its failed sweeps would open the circuit.
describe('A platform outage', () => {
  test('while the platform is down, the page says why there is no code, and later it shows the code', async () => {
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

describe('Killed servers', () => {
  test('after the Worker and the sandbox were killed and restarted, the shopper pays with the same code', async () => {
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

  test('a page that was waiting when the Worker was killed shows a transfer that arrived meanwhile', async () => {
    const {bank, shopper, stack} = shop;
    const code = await shopper.getCode();
    await shopper.waitForText('Ödemenizi bekliyoruz');
    await stack.killWorker();
    await shopper.waitForText('Bağlantı kurulamıyor; denemeye devam ediyoruz.');
    await bank.receive(code, '149.90');
    await stack.startWorker();
    await shopper.waitForText('Ödemeniz alındı');
  });
});
