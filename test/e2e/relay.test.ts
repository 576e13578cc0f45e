/** A checkout whose Worker reaches the platform by a relay. These tests have a stack of their own. */

import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {freePort} from '../../scripts/lib/ports.mjs';
import {type RelayProcess, runRelay} from '../relay/support/relay-process.ts';
import {SECRET as RELAY_SECRET} from '../relay/support/secret.ts';
import {useIsolatedShop} from './support/isolated-shop.ts';

let relay: RelayProcess;
let startRelay: () => Promise<RelayProcess>;
const listen = freePort().then((port) => `127.0.0.1:${port}`);
const shop = useIsolatedShop(async () => ({EGRESS: 'relay', RELAY_URL: `http://${await listen}`, RELAY_SECRET}));
beforeAll(async () => {
  const {sandbox} = shop.stack.addresses;
  const settings = {
    RELAY_LISTEN: await listen,
    RELAY_SECRET,
    PHS_URL: `${sandbox}/phs`,
    MICROPAYMENT_URL: `${sandbox}/micropayment`,
    PAYMENT_PAGE_URL: `${sandbox}/pay`,
    LANDING_URL: `${sandbox}/landing`,
  };
  startRelay = () => runRelay(settings);
  relay = await startRelay();
});
afterAll(() => relay.end('SIGKILL'));

describe('A shopper whose shop reaches the platform by a relay', () => {
  test('chooses a bank, gets a code, pays, and sees by itself that the money came', async () => {
    const {bank, shopper} = shop;
    const code = await shopper.getsCode();
    await bank.receive(code, '149.90');
    await shopper.reads('Ödemeniz alındı');
    const lines = relay
      .output()
      .split('\n')
      .filter((line) => line.includes('"forwarded"'))
      .map((line) => JSON.parse(line) as {base: string; outcome: string});
    expect(lines.length).toBeGreaterThanOrEqual(4);
    expect(relay.output()).not.toContain(code);
  });

  test('hears why there is no code while the relay is away, and gets it when it is back', async () => {
    const {bank, shopper} = shop;
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
