import {abortAllDurableObjects, evictDurableObject} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {expect, inject, test} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {PlatformClient} from '../../../../worker/platform/client.ts';
import {phsInterface} from '../../../../worker/platform/interfaces.ts';
import {CachedToken} from '../../../../worker/platform/token-source.ts';
import {unlimited} from '../../../support/unlimited-quotas.ts';
import {advance, MINUTE, SECOND} from '../../support/clock.ts';
import {replaceBindings, platformObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {logLines} from '../../support/log-lines.ts';
import {callPlatform, callsDuring, control, countCalls, setLine, setFault} from '../../support/sandbox.ts';
import {failureOf} from '../../support/stub-transport.ts';

freshWorker();

const GET = '/getToken';
const tokenOf = async (result: Promise<unknown>) => ((await result) as {token: string}).token;

const CONNECTIONS = 25;
let open = 0;
const queue: (() => void)[] = [];

/**
 * Limits the number of open connections, as a network does. Further calls wait without a timeout, because the test
 * machine may be slow.
 */
const connect: typeof fetch = async (input, {signal: _deadline, ...init} = {}) => {
  if (open >= CONNECTIONS) await new Promise<void>((resolve) => queue.push(resolve));
  open += 1;
  try {
    return await fetch(input, init);
  } finally {
    open -= 1;
    queue.shift()?.();
  }
};

/** The platform client of one isolate, with its own cache of the token. */
function isolate(): PlatformClient {
  return new PlatformClient({
    interfaces: {phs: phsInterface({baseUrl: `${inject('platformUrl')}/phs`, merchantId: '123', parameters: 'form'})},
    tokens: new CachedToken(() => platformObject()),
    quotas: unlimited,
    fetch: connect,
    clock: {now: Date.now, wait: () => Promise.resolve(), random: () => 0},
  });
}
const search = (client: PlatformClient) => client.call('transactionSearch', {code: 'DEMO', length: 1});

const refusal = async () => (await platformObject().tokenProblems()).refusal;

test('a hundred calls of ten isolates with an expired token cause one request for a new token', async () => {
  const isolates = Array.from({length: 10}, isolate);
  await Promise.all(isolates.map(search));
  await control('tokens/expire');
  const before = await countCalls(GET);
  await Promise.all(Array.from({length: 100}, (_, index) => search(isolates[index % 10] ?? isolate())));
  expect((await countCalls(GET)) - before).toBe(1);
});

test('a thousand isolates that start at the same time cause at most one request for a token', async () => {
  await control('tokens/expire');
  const tokens = await Promise.all(Array.from({length: 1000}, () => tokenOf(platformObject().renewToken('stale'))));
  expect(await countCalls(GET)).toBeLessThanOrEqual(1);
  expect(new Set(tokens).size).toBe(1);
});

test('the token is renewed only if the caller’s stale token is the stored one', async () => {
  const first = await tokenOf(platformObject().currentToken());
  expect(await tokenOf(platformObject().renewToken('another'))).toBe(first);
  const second = await tokenOf(platformObject().renewToken(first));
  expect(second).not.toBe(first);
  expect(await tokenOf(platformObject().renewToken(first))).toBe(second);
  expect(await tokenOf(platformObject().currentToken())).toBe(second);
  expect(await countCalls(GET)).toBe(1);
});

test('the token survives an eviction and a crash', async () => {
  const token = await tokenOf(platformObject().currentToken());
  await evictDurableObject(platformObject());
  expect(await tokenOf(platformObject().currentToken())).toBe(token);
  await abortAllDurableObjects();
  expect(await tokenOf(platformObject().currentToken())).toBe(token);
  expect(await countCalls(GET)).toBe(0);
});

test.for([
  ['of the key', 'ERR_007'],
  ['because of too many calls', '429'],
] as const)(
  'the delay before the next token request doubles with each refusal %s, up to five minutes',
  async ([, status]) => {
    const stale = await tokenOf(platformObject().currentToken());
    await setFault({operation: GET, kind: 'status', status});
    for (const seconds of [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]) {
      expect(
        await callsDuring(GET, () => Promise.all(Array.from({length: 10}, () => platformObject().renewToken(stale)))),
      ).toBe(1);
      expect(await platformObject().renewToken(stale)).toEqual({retryAfterMs: seconds * SECOND});
      await advance(seconds * SECOND - 1);
      expect(await callsDuring(GET, () => platformObject().renewToken(stale))).toBe(0);
      await advance(1);
    }
    expect(await refusal()).toBe(status);
    expect(logLines('token_refused')[0]).toEqual({
      level: 'error',
      event: 'token_refused',
      platform_status: status,
      retry_in_ms: 2000,
    });
    await setFault({operation: GET, kind: 'clear'});
    expect(await tokenOf(platformObject().renewToken(stale))).not.toBe(stale);
    expect(await refusal()).toBeNull();
  },
);

test('if the platform cannot be reached or has an internal error, the key does not count as refused', async () => {
  const stale = await tokenOf(platformObject().currentToken());
  const failed = {refusal: null, isUnreachable: true};
  await setLine('refused');
  expect(await platformObject().renewToken(stale)).toEqual({retryAfterMs: 5 * SECOND});
  expect(await platformObject().tokenProblems()).toEqual(failed);
  await setLine('open');
  await setFault({operation: GET, kind: 'status', status: '500'});
  expect(await platformObject().renewToken(stale)).toEqual({retryAfterMs: 5 * SECOND});
  expect(await platformObject().tokenProblems()).toEqual(failed);
  await setFault({operation: GET, kind: 'clear'});
  await advance(MINUTE);
  expect(await tokenOf(platformObject().renewToken(stale))).not.toBe(stale);
  expect(await platformObject().tokenProblems()).toEqual({...failed, isUnreachable: false});
});

test('while the platform refuses every token, thirty calls request only a few new tokens', async () => {
  const client = isolate();
  await search(client);
  await setFault({operation: '/transaction/search', kind: 'status', status: 'ERR_016'});
  const requests = await callsDuring(GET, async () => {
    for (let call = 0; call < 30; call += 1) expect(await failureOf(search(client))).not.toBeNull();
  });
  expect(requests).toBeLessThanOrEqual(5);
  expect(logLines('token_refused')[0]).toMatchObject({level: 'error', platform_status: 'ERR_016', retry_in_ms: 2_000});
  expect(await refusal()).toBe('ERR_016');
});

test('a call counts as unsent if no token could be obtained for it', async () => {
  const client = isolate();
  await search(client);
  await control('tokens/expire');
  await setFault({operation: GET, kind: 'status', status: 'ERR_002', times: 1});
  expect(await failureOf(client.call('orderCodeCreate', {code: 'DEMO', order: 'S-NEVER', amount: '1.00'}))).toEqual({
    outcome: 'unsent',
    retryAfterMs: 2 * SECOND,
  });
  expect(await callPlatform('/orderToReference/check', {code: 'DEMO', order: 'S-NEVER'})).toMatchObject({
    status: 'ERR_014',
  });
});

test('the name of the token object consists of the merchant’s id and the platform’s URL', () => {
  const {objects} = contextOf(env);
  expect(objects.platform().name).toBe(`123 ${inject('platformUrl')}/phs`);
});

test('the delay after a refused key also holds after an eviction, and a changed key is tried immediately', async () => {
  const stale = await tokenOf(platformObject().currentToken());
  await setFault({operation: GET, kind: 'status', status: 'ERR_007', times: 1});
  await platformObject().renewToken(stale);
  await evictDurableObject(platformObject());
  expect(await refusal()).toBe('ERR_007');
  expect(await callsDuring(GET, () => platformObject().renewToken(stale))).toBe(0);
  await replaceBindings(platformObject(), {MERCHANT_KEY: 'sandbox-another-key'});
  expect(await callsDuring(GET, () => platformObject().renewToken(stale))).toBe(1);
});
