/** A payment platform that is away, and what a shopper sees of it. These tests have a stack of their own. */
import type {Browser, BrowserContext} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {Bank} from '../support/bank.ts';
import {launchChromium, newProfile} from '../support/chromium.ts';
import {Stack} from '../support/servers.ts';
import {Shopper} from '../support/shopper.ts';

let browser: Browser;
let stack: Stack;
let bank: Bank;
beforeAll(async () => {
  [browser, stack] = await Promise.all([launchChromium(), Stack.start()]);
  bank = new Bank(stack.addresses.sandbox);
});
afterAll(() => Promise.all([browser.close(), stack.stop()]));

let profile: BrowserContext;
let shopper: Shopper;
beforeEach(async () => {
  profile = await newProfile(browser);
  shopper = new Shopper(await profile.newPage());
  await shopper.page.goto(`${stack.addresses.page}/shop`);
});
afterEach(() => profile.close());

describe('A shopper whose platform is away', () => {
  test('still sees the banks, hears why there is no code yet, and gets it when the platform is back', async () => {
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
