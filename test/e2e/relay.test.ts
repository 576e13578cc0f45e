/** A checkout whose Worker reaches the platform by a relay. These tests have a stack of their own. */
import type {Browser, BrowserContext} from 'playwright-core';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {freePort} from '../../scripts/parts/ports.mjs';
import {type RelayProcess, runRelay} from '../relay/kit/relay-process.ts';
import {SECRET as RELAY_SECRET} from '../relay/kit/secret.ts';
import {Bank} from '../support/bank.ts';
import {launchChromium, newProfile} from '../support/chromium.ts';
import {Stack} from '../support/servers.ts';
import {Shopper} from '../support/shopper.ts';

let browser: Browser;
let stack: Stack;
let bank: Bank;
let relay: RelayProcess;
let startRelay: () => Promise<RelayProcess>;
beforeAll(async () => {
  const listen = `127.0.0.1:${await freePort()}`;
  [browser, stack] = await Promise.all([launchChromium(), Stack.start({EGRESS: 'relay', RELAY_URL: `http://${listen}`, RELAY_SECRET})]);
  const {sandbox} = stack.addresses;
  bank = new Bank(sandbox);
  startRelay = () => runRelay({RELAY_LISTEN: listen, RELAY_SECRET, PHS_URL: `${sandbox}/phs`, MICROPAYMENT_URL: `${sandbox}/micropayment`, PAYMENT_PAGE_URL: `${sandbox}/pay`, LANDING_URL: `${sandbox}/landing`});
  relay = await startRelay();
});
afterAll(() => Promise.all([browser.close(), stack.stop(), relay.end('SIGKILL')]));

let profile: BrowserContext;
let shopper: Shopper;
beforeEach(async () => {
  profile = await newProfile(browser);
  shopper = new Shopper(await profile.newPage());
  await shopper.page.goto(`${stack.addresses.page}/shop`);
});
afterEach(() => profile.close());

describe('A shopper whose shop reaches the platform by a relay', () => {
  test('chooses a bank, gets a code, pays, and sees by itself that the money came', async () => {
    const code = await shopper.getsCode();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
    const lines = relay.output().split('\n').filter((line) => line.includes('"forwarded"')).map((line) => JSON.parse(line) as {base: string; outcome: string});
    expect(lines.length).toBeGreaterThanOrEqual(4);
    expect(relay.output()).not.toContain(code);
  });

  test('hears why there is no code while the relay is away, and gets it when it is back', async () => {
    await shopper.finds('radio', 'Ziraat Bankası').waitFor();
    await relay.end('SIGKILL');
    await shopper.choosesBank();
    await shopper.reads('Ödeme hizmeti şu an yanıt vermiyor');
    relay = await startRelay();
    const code = await shopper.readsCode();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
  });
});
