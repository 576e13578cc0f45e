/** Tests a checkout whose Worker calls the platform through a relay. This test has separate servers. */

import {afterAll, beforeAll, expect, test} from 'vitest';
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

test('while the relay is down, the page says why there is no code; later the shopper pays', async () => {
  const {bank, shopper} = shop;
  await shopper.find('radio', 'Ziraat Bankası').waitFor();
  await relay.end('SIGKILL');
  await shopper.chooseBank();
  await shopper.waitForText('Ödeme hizmeti şu an yanıt vermiyor');
  expect(await shopper.find('button', 'Yeniden dene').isEnabled()).toBe(true);
  relay = await startRelay();
  const code = await shopper.readCode();
  await bank.receive(code, '149.90');
  await shopper.waitForText('Ödemeniz alındı');
  expect(relay.output()).toContain('"event":"forwarded"');
  expect(relay.output()).not.toContain(code);
});
