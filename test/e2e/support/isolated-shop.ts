/**
 * For a test file that stops servers: starts separate servers for the file, and opens the shop page for a new shopper
 * in each test.
 */

import {afterAll, beforeAll, beforeEach} from 'vitest';
import {Bank} from './bank.ts';
import {useChromium} from './chromium.ts';
import {Shopper} from './shopper.ts';
import {Stack} from './stack.ts';

export interface IsolatedShop {
  readonly stack: Stack;
  readonly bank: Bank;
  readonly shopper: Shopper;
}

/**
 * @param vars - Configuration of the Worker that differs from the default.
 * @returns An object whose fields are set before the first test runs.
 */
export function useIsolatedShop(vars: () => Promise<Record<string, string>> = async () => ({})): IsolatedShop {
  const openProfile = useChromium();
  const shop = {} as {-readonly [name in keyof IsolatedShop]: IsolatedShop[name]};
  beforeAll(async () => {
    shop.stack = await Stack.start({vars: await vars()});
    shop.bank = new Bank(shop.stack.addresses.sandbox);
  });
  beforeEach(async () => {
    const profile = await openProfile();
    shop.shopper = new Shopper(await profile.newPage());
    await shop.shopper.page.goto(`${shop.stack.addresses.page}/shop`);
  });
  afterAll(() => shop.stack.stop());
  return shop;
}
