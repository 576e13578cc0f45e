/** For test files that break servers: a stack of their own, and for each test a shopper at its shop. */

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

/** What tests read of it is there once they run. @param vars The Worker's configuration, where it is not the usual. */
export function useIsolatedShop(vars: () => Promise<Record<string, string>> = async () => ({})): IsolatedShop {
  const openProfile = useChromium();
  const shop = {} as {-readonly [name in keyof IsolatedShop]: IsolatedShop[name]};
  beforeAll(async () => {
    shop.stack = await Stack.start(await vars());
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
