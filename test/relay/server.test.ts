/** Tests the relay under many concurrent calls, with slow clients and with broken connections. */

import {once} from 'node:events';
import {connect} from 'node:net';
import {afterAll, beforeAll, expect, test, type TestContext, vi} from 'vitest';
import {httpResponse, RawPlatform} from './support/raw-platform.ts';
import {clientOf, type RelayServer, startRelay} from './support/relay-server.ts';
import {post, signedRequest} from './support/signed-request.ts';

const WAIT = {timeout: 60_000, interval: 20};

beforeAll(() => void vi.spyOn(process.stdout, 'write').mockImplementation(() => true));
afterAll(() => void vi.restoreAllMocks());

/** Starts a platform and a relay in front of it, for one test. */
async function open(
  {onTestFinished}: TestContext,
  environment: Record<string, string> = {},
): Promise<{platform: RawPlatform; relay: RelayServer}> {
  const platform = await RawPlatform.start();
  const relay = await startRelay(platform.url, environment);
  onTestFinished(async () => void (await Promise.all([relay.stop(), platform.stop()])));
  return {platform, relay};
}

test.concurrent('a call above the concurrency limit is not sent, and its reply says when to retry', async (context) => {
  const {platform, relay} = await open(context, {RELAY_CONCURRENCY: '3'});
  const answers: (() => void)[] = [];
  platform.answer = (_request, socket) => {
    answers.push(() => socket.write(httpResponse('{}')));
    return null;
  };
  const running = Array.from({length: 3}, () => post(relay.url, signedRequest()));
  await vi.waitFor(() => expect(platform.requests.length).toBe(3), WAIT);
  expect(await post(relay.url, signedRequest())).toMatchObject({
    head: {outcome: 'unsent', reason: 'busy', retry_after_ms: 1_000},
  });
  const call = clientOf(relay.url, platform.url).fetch(`${platform.url}/phs/bank/getAll`, {
    method: 'POST',
    timeoutMs: 20_000,
    maxReplyBytes: 1_000,
  });
  await expect(call).rejects.toMatchObject({
    failure: {outcome: 'unsent', retryAfterMs: 1_000, tried: true},
    relayDelayMs: 1_000,
  });
  for (const answer of answers) answer();
  expect((await Promise.all(running)).map(({head}) => head?.['outcome'])).toEqual(['answered', 'answered', 'answered']);
  platform.answer = () => httpResponse('{}');
  expect(await post(relay.url, signedRequest())).toMatchObject({head: {outcome: 'answered'}});
  expect(platform.requests.length).toBe(4);
});

test.concurrent('two hundred concurrent calls each get their own answer', async (context) => {
  const {platform, relay} = await open(context, {RELAY_CONCURRENCY: '200'});
  platform.answer = ({body}) => httpResponse(body.toString());
  const client = clientOf(relay.url, platform.url);
  const texts = await Promise.all(
    Array.from({length: 200}, async (_, index) =>
      (
        await client.fetch(`${platform.url}/phs/a`, {
          method: 'POST',
          body: `n=${index}`,
          timeoutMs: 20_000,
          maxReplyBytes: 100,
        })
      ).text(),
    ),
  );
  expect(texts).toEqual(Array.from({length: 200}, (_, index) => `n=${index}`));
});

test.concurrent('the relay closes the connection of a client that never completes its request', async (context) => {
  const {relay} = await open(context);
  const {hostname, port} = new URL(relay.url);
  const starts = [
    '',
    'POST /v1/forward HTTP/1.1\r\nhost: a\r\n',
    'POST /v1/forward HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nx',
  ];
  await Promise.all(
    starts.map(async (start) => {
      const socket = connect(Number(port), hostname, () => socket.write(start));
      socket.on('error', () => {}).resume();
      await once(socket, 'close');
    }),
  );
  expect(await post(relay.url, signedRequest())).toMatchObject({head: {outcome: 'answered'}});
});

test.concurrent('a call without an answer ends at its deadline, with an unknown outcome', async (context) => {
  const {platform, relay} = await open(context);
  platform.answer = () => null;
  expect(await post(relay.url, signedRequest({deadlineMs: 2_000}))).toMatchObject({
    head: {outcome: 'unknown', reason: 'deadline'},
  });
  expect(platform.requests.length).toBe(1);
});

test.concurrent('without a complete, valid answer, the outcome of a call is unknown', async (context) => {
  const {platform, relay} = await open(context);
  const ends: [answer: RawPlatform['answer'], reason: string][] = [
    [(_request, socket) => (socket.resetAndDestroy(), null), 'connection'],
    [(_request, socket) => (socket.end(), null), 'connection'],
    [(_request, socket) => (socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n{"a"'), null), 'connection'],
    [
      (_request, socket) => (socket.end('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\n{"a"\r\n'), null),
      'connection',
    ],
    [() => 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'connection'],
    [() => 'nonsense\r\n\r\n', 'connection'],
    [() => `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\ncontent-length: 0\r\n\r\n`, 'connection'],
  ];
  for (const [answer, reason] of ends) {
    platform.answer = answer;
    expect(await post(relay.url, signedRequest({deadlineMs: 15_000}))).toMatchObject({
      head: {outcome: 'unknown', reason},
    });
  }
  // An answer without `content-length` is valid. It ends when its connection ends.
  platform.answer = (_request, socket) => (socket.end('HTTP/1.1 200 OK\r\n\r\n{"a":1}'), null);
  expect((await post(relay.url, signedRequest())).text).toMatch(/\n\{"a":1\}$/);
  expect(platform.requests.length).toBe(ends.length + 1);
});

test.concurrent('the relay aborts a call if the Worker disconnects', async (context) => {
  const {platform, relay} = await open(context);
  let closed = false;
  platform.answer = (_request, socket) => (socket.on('close', () => (closed = true)), null);
  const caller = new AbortController();
  const call = clientOf(relay.url, platform.url).fetch(`${platform.url}/phs/a`, {
    method: 'POST',
    timeoutMs: 20_000,
    maxReplyBytes: 100,
    signal: caller.signal,
  });
  await vi.waitFor(() => expect(platform.requests.length).toBe(1), WAIT);
  caller.abort();
  await expect(call).rejects.toThrow('abort');
  await vi.waitFor(() => expect(closed).toBe(true), WAIT);
});
