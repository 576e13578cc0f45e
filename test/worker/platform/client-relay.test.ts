/** Tests what the platform client does with calls that the relay itself refuses: because it starts, or is busy. */

import {expect, test} from 'vitest';
import {EgressError} from '../../../worker/platform/transport.ts';
import {clientWithTransport, failureOf, success, FakeClock} from '../support/stub-transport.ts';

const ORDER = {code: 'KTP', order: 'S-1'};

test('while a relay starts, reads wait for it, commands are not repeated, and no circuit opens', async () => {
  const clock = new FakeClock();
  let startedAt = clock.now();
  const {client, sent} = clientWithTransport(
    () => {
      const retryAfterMs = startedAt + 2_001 - clock.now();
      if (retryAfterMs <= 0) return success({order: '8'});
      throw new EgressError({outcome: 'unknown', fault: 'connection'}, 'relay: started_since', retryAfterMs);
    },
    {clock},
  );
  for (let call = 0; call < 20; call += 1)
    expect(await failureOf(client.call('orderComplete', ORDER))).toMatchObject({outcome: 'unknown'});
  expect([client.hasOpenCircuit, sent.length]).toEqual([false, 20]);
  for (let call = 0; call < 20; call += 1) {
    startedAt = clock.now();
    await client.call('orderCodeCheck', ORDER);
  }
  expect([clock.waits, sent.length]).toEqual([Array.from({length: 20}, () => 2_001), 60]);
});

const noConnection = () => Promise.reject(new TypeError('No connection'));
const busy = () => {
  throw new EgressError({outcome: 'unsent', retryAfterMs: 1_000, tried: true}, 'relay: busy', 1_000);
};

test('a busy relay opens no circuit, and a read waits for it twice', async () => {
  const clock = new FakeClock();
  const {client, sent} = clientWithTransport(busy, {clock});
  for (let call = 0; call < 20; call += 1)
    expect(await failureOf(client.call('orderCodeCheck', ORDER))).toMatchObject({retryAfterMs: 1_000});
  expect([client.hasOpenCircuit, sent.length, clock.waits.length]).toEqual([false, 60, 40]);
});

test('/health can tell that a relay refuses calls, and for how long', async () => {
  const reported: [operation: string, open: boolean][] = [];
  const reporter = {
    recordCall: () => {},
    recordCircuit: (_interface: string, operation: string, open: boolean) => void reported.push([operation, open]),
  };
  let isBusy = true;
  const {client} = clientWithTransport(() => (isBusy ? busy() : success()), {reporter});
  await failureOf(client.call('orderComplete', ORDER));
  isBusy = false;
  await client.call('orderComplete', ORDER);
  expect(reported).toEqual([
    ['', true],
    ['orderComplete', true],
    ['', false],
    ['orderComplete', false],
  ]);
});

test('what a busy relay refuses hides no failing platform', async () => {
  const {client, sent} = clientWithTransport((_sent, count) => (count % 5 < 3 ? busy() : noConnection()));
  for (let call = 0; call < 100; call += 1) await failureOf(client.call('orderComplete', ORDER));
  expect([client.hasOpenCircuit, sent.length]).toEqual([true, 24]);
});

test('a probe that a relay refuses is repeated when the relay accepts calls', async () => {
  let answer: () => string | Promise<Response> = noConnection;
  const clock = new FakeClock();
  const {client, sent} = clientWithTransport(() => answer(), {clock});
  for (let call = 0; call < 10; call += 1) await failureOf(client.call('orderComplete', ORDER));
  answer = busy;
  clock.advance(15_000);
  await failureOf(client.call('orderComplete', ORDER));
  expect([client.hasOpenCircuit, sent.length]).toEqual([true, 11]);
  expect(await failureOf(client.call('orderComplete', ORDER))).toEqual({outcome: 'unsent', retryAfterMs: 1_000});
  answer = () => success({order: '8'});
  clock.advance(1_000);
  await client.call('orderCodeCheck', ORDER);
  await client.call('orderComplete', ORDER);
  expect([client.hasOpenCircuit, sent.length]).toEqual([false, 13]);
});
