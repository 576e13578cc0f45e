/** A relay that many lean on at once, or that somebody wants to keep busy. */

import {once} from 'node:events';
import {connect} from 'node:net';
import {afterEach, beforeEach, expect, test, vi} from 'vitest';
import {page, RawPlatform} from './support/raw-platform.ts';
import {clientOf, type RelayServer, startRelay} from './support/relay-server.ts';
import {post, question} from './support/signed-request.ts';

const SOON = {timeout: 20_000, interval: 20};

let platform: RawPlatform;
let relay: RelayServer;
beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  platform = await RawPlatform.start();
});
afterEach(async () => {
  await Promise.all([relay.stop(), platform.stop()]);
  vi.restoreAllMocks();
});

test('more calls at once than it was told are not sent, and are told when to come back', async () => {
  relay = await startRelay(platform.url, {RELAY_CONCURRENCY: '3'});
  const answers: (() => void)[] = [];
  platform.answer = (_request, socket) => {
    answers.push(() => socket.write(page('{}')));
    return null;
  };
  const running = Array.from({length: 3}, () => post(relay.url, question()));
  await vi.waitFor(() => expect(platform.heard.length).toBe(3), SOON);
  expect(await post(relay.url, question())).toMatchObject({
    head: {outcome: 'unsent', reason: 'busy', retry_after_ms: 1_000},
  });
  for (const answer of answers) answer();
  expect((await Promise.all(running)).map(({head}) => head?.['outcome'])).toEqual(['answered', 'answered', 'answered']);
  platform.answer = () => page('{}');
  expect(await post(relay.url, question())).toMatchObject({head: {outcome: 'answered'}});
  expect(platform.heard.length).toBe(4);
});

test('two hundred calls at once are each answered with their own', async () => {
  relay = await startRelay(platform.url, {RELAY_CONCURRENCY: '200'});
  platform.answer = ({body}) => page(body.toString());
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

test('who never ends its request is let go of', async () => {
  relay = await startRelay(platform.url);
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
  expect(await post(relay.url, question())).toMatchObject({head: {outcome: 'answered'}});
});

test('the deadline is the envelope’s, and says whether anything was sent', async () => {
  relay = await startRelay(platform.url);
  platform.answer = () => null;
  expect(await post(relay.url, question({deadlineMs: 2_000}))).toMatchObject({
    head: {outcome: 'unknown', reason: 'deadline'},
  });
  expect(platform.heard.length).toBe(1);
});

test('what is cut off is not known, and what ends properly is', async () => {
  relay = await startRelay(platform.url);
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
    expect(await post(relay.url, question({deadlineMs: 15_000}))).toMatchObject({head: {outcome: 'unknown', reason}});
  }
  // Without a length an answer ends with its connection.
  platform.answer = (_request, socket) => (socket.end('HTTP/1.1 200 OK\r\n\r\n{"a":1}'), null);
  expect((await post(relay.url, question())).text).toMatch(/\n\{"a":1\}$/);
  expect(platform.heard.length).toBe(ends.length + 1);
});

test('a Worker that hangs up ends its call', async () => {
  relay = await startRelay(platform.url);
  let closed = false;
  platform.answer = (_request, socket) => (socket.on('close', () => (closed = true)), null);
  const end = new AbortController();
  const call = clientOf(relay.url, platform.url).fetch(`${platform.url}/phs/a`, {
    method: 'POST',
    timeoutMs: 20_000,
    maxReplyBytes: 100,
    signal: end.signal,
  });
  await vi.waitFor(() => expect(platform.heard.length).toBe(1), SOON);
  end.abort();
  await expect(call).rejects.toThrow('abort');
  await vi.waitFor(() => expect(closed).toBe(true), SOON);
});
