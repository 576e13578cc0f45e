/**
 * Tests the doctor of Workers that call the platform through a relay. Each Worker has a different relay or a different
 * problem with it.
 */

import {afterAll, beforeAll, expect, inject, test, vi} from 'vitest';
import type {CheckName} from '../../worker/contract/checks.ts';
import type {Diagnosis} from '../../worker/contract/merchant/doctor.ts';
import {type RelayServer, SECRET, startRelay} from '../relay/support/relay-server.ts';
import {sendRequest} from './support/http-request.ts';
import {SandboxControls} from './support/sandbox-controls.ts';
import {planSandbox, planWorker} from './support/worker-plans.ts';
import {Workerd} from './support/workerd.ts';

const KEY = 'sandbox-merchant-api-key';

let sandbox: Workerd;
let workers: Workerd;
const relays: RelayServer[] = [];

async function relayTo(platform: string, environment: Record<string, string> = {}): Promise<RelayServer> {
  const relay = await startRelay(platform, environment);
  relays.push(relay);
  return relay;
}

beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  sandbox = await Workerd.start([planSandbox('sandbox', inject('bundles'))]);
  const platform = sandbox.url('sandbox');
  const [right, slow, moved, translated, elsewhere, narrow] = [
    await relayTo(platform),
    await relayTo(platform),
    await relayTo(platform, {RELAY_SOURCE: '127.0.0.5'}),
    await relayTo(platform, {RELAY_SOURCE: '127.0.0.5', RELAY_ADDRESS: '127.0.0.1'}),
    await relayTo(platform, {RELAY_ADDRESS: '192.0.2.9'}),
    await relayTo(platform, {PHS_URL: ''}),
  ];
  slow.shift(-10_000);
  const plan = (name: string, url: string, more: Record<string, string> = {}) =>
    planWorker(name, inject('bundles'), platform, {
      MICROPAYMENT_URL: `${platform}/micropayment`,
      MERCHANT_API_KEY: KEY,
      EGRESS: 'relay',
      RELAY_URL: url,
      RELAY_SECRET: SECRET,
      ...more,
    });
  workers = await Workerd.start([
    plan('right', right.url),
    plan('slow', slow.url),
    plan('moved', moved.url),
    plan('translated', translated.url),
    plan('elsewhere', elsewhere.url),
    plan('narrow', narrow.url),
    plan('stranger', right.url, {RELAY_SECRET: 'another-secret-that-is-long-enough-00'}),
    plan('nobody', 'http://127.0.0.1:1'),
    plan('platform', platform),
  ]);
});
afterAll(async () => {
  await Promise.all([...relays.map((relay) => relay.stop()), workers.stop(), sandbox.stop()]);
  vi.restoreAllMocks();
});

async function check(worker: string, name: CheckName): Promise<unknown> {
  const {text} = await sendRequest(`${workers.url(worker)}/merchant/v1/doctor`, {
    headers: {authorization: `Bearer ${KEY}`},
  });
  expect(text).not.toContain(SECRET);
  const {checks} = JSON.parse(text) as Diagnosis;
  const {name: _name, ...result} = checks.find((candidate) => candidate.name === name) ?? {name};
  return result;
}

const NO_RELAY = {
  state: 'failed',
  message: 'No relay with our secret answers at RELAY_URL.',
  action: 'Check that the relay runs and can be reached, and that RELAY_SECRET is the same on both sides.',
};

test.for<[what: string, worker: string, result: object]>([
  [
    'a relay whose host has the IP address in MERCHANT_IP',
    'right',
    {
      state: 'ok',
      message:
        'According to the relay’s host, calls leave from 127.0.0.1, which is MERCHANT_IP. The doctor cannot know which address the platform sees.',
      action: null,
    },
  ],
  [
    'a relay whose RELAY_ADDRESS is the IP address in MERCHANT_IP',
    'translated',
    {
      state: 'ok',
      message:
        'According to the relay’s RELAY_ADDRESS, calls leave from 127.0.0.1, which is MERCHANT_IP. The doctor cannot know which address the platform sees.',
      action: null,
    },
  ],
  [
    'a relay whose host has a private IP address',
    'moved',
    {
      state: 'warning',
      message:
        'The relay’s host has the private IP address 127.0.0.5, so the address that the platform sees is not known.',
      action:
        'Set the relay’s RELAY_ADDRESS to the public address of its network, which must be the address in MERCHANT_IP.',
    },
  ],
  [
    'a relay whose RELAY_ADDRESS is not the IP address in MERCHANT_IP',
    'elsewhere',
    {
      state: 'warning',
      message: 'Calls leave from 192.0.2.9, but MERCHANT_IP says 127.0.0.1.',
      action:
        'If 127.0.0.1 is registered at the platform, make the relay send from 127.0.0.1 (RELAY_SOURCE). If calls already reach the platform from 127.0.0.1, set RELAY_ADDRESS to 127.0.0.1 instead. Otherwise register 192.0.2.9 at the platform and set MERCHANT_IP to 192.0.2.9.',
    },
  ],
  [
    'a relay whose clock is behind',
    'slow',
    {
      state: 'failed',
      message: expect.stringMatching(
        /^The relay’s clock is (9|[1-5]\d) seconds behind the Worker’s, so the relay refuses all calls\.$/,
      ) as string,
      action: 'Set the clock of the relay’s host, preferably with NTP.',
    },
  ],
  ['a relay with a different secret', 'stranger', NO_RELAY],
  ['a RELAY_URL at which no server listens', 'nobody', NO_RELAY],
  ['a RELAY_URL that belongs to another server', 'platform', NO_RELAY],
])('the egress check of the doctor recognizes %s', async ([_what, worker, result]) => {
  expect(await check(worker, 'egress')).toEqual(result);
});

test('through a working relay, the checks of the token and the banks succeed', async () => {
  expect(await check('right', 'token')).toMatchObject({state: 'ok'});
  expect(await check('right', 'banks')).toMatchObject({state: 'ok'});
});

test('if the relay has no URL for an interface, the doctor says that the relay did not send the call', async () => {
  expect(await check('narrow', 'token')).toEqual({
    state: 'failed',
    message: 'The relay did not send this call.',
    action: 'The relay’s log says why. Compare PHS_URL in its environment with the Worker’s.',
  });
});

test('the doctor skips all other checks when calls do not get through the relay', async () => {
  for (const worker of ['stranger', 'nobody']) {
    for (const name of ['token', 'services', 'banks', 'landing', 'micropayment', 'clock'] as const) {
      expect(await check(worker, name)).toEqual({
        state: 'skipped',
        message: 'Not checked: the check of the egress failed.',
        action: null,
      });
    }
  }
});

test('when the platform refuses the IP address of the calls, the doctor says which one to register', async () => {
  const platform = new SandboxControls(sandbox.url('sandbox'));
  await platform.control('address', {allowed: false});
  expect(await check('right', 'token')).toEqual({
    state: 'failed',
    message: 'The platform does not accept the IP address of our calls. (ERR_002)',
    action:
      'Have the IP address of the relay’s calls (see egress) registered at the platform, and set MERCHANT_IP to it.',
  });
  await platform.control('address', {allowed: true});
});
