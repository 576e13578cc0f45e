/** What the Worker believes: only what the relay signed, about the very question that was asked. */

import * as fc from 'fast-check';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {EgressError} from '../../worker/platform/transport.ts';
import {page, RawPlatform} from './support/raw-platform.ts';
import {clientOf, type RelayServer, startRelay} from './support/relay-server.ts';
import {signed} from './support/signed-request.ts';

let platform: RawPlatform;
let relay: RelayServer;
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  platform = await RawPlatform.start();
  relay = await startRelay(platform.url);
  platform.answer = () => page('{"status":"000","refund_id":7}');
});
afterAll(async () => {
  await Promise.all([relay.stop(), platform.stop()]);
  vi.restoreAllMocks();
});

interface Answer {
  status: number;
  signature: string;
  bytes: Buffer;
}

/** Refunds by way of somebody who alters the relay's answers. */
async function refundThrough(alter: (answer: Answer) => Answer): Promise<unknown> {
  const client = clientOf(relay.url, platform.url, {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      const {status, signature, bytes} = alter({
        status: response.status,
        signature: response.headers.get('vezne-signature') ?? '',
        bytes: Buffer.from(await response.arrayBuffer()),
      });
      return new Response(new Uint8Array(bytes), {status, headers: {'vezne-signature': signature}});
    },
  });
  try {
    const answer = await client.fetch(`${platform.url}/phs/refund/create`, {
      method: 'POST',
      body: 'x',
      timeoutMs: 20_000,
      maxReplyBytes: 1_000,
    });
    return await answer.text();
  } catch (error) {
    if (error instanceof EgressError) return {...error.failure, reason: error.reason};
    throw error;
  }
}

const NOT_SIGNED = {outcome: 'unknown', fault: 'connection', reason: 'relay: not signed'};
const UNSENT = Buffer.from('{"v":1,"outcome":"unsent","reason":"unreachable","retry_after_ms":2000}\n');

test('an untouched answer is believed', async () => {
  expect(await refundThrough((answer) => answer)).toBe('{"status":"000","refund_id":7}');
});

test('an answer with any byte changed, taken away or added is no answer', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({min: 0, max: 1, noNaN: true, maxExcluded: true}),
      fc.integer({min: 1, max: 255}),
      fc.constantFrom('change', 'drop', 'add'),
      async (share, by, how) => {
        const told = await refundThrough((answer) => {
          const at = Math.floor(share * answer.bytes.length);
          const before = answer.bytes.subarray(0, at);
          const byte = answer.bytes[at] ?? 0;
          if (how === 'change')
            return {...answer, bytes: Buffer.concat([before, Buffer.from([byte ^ by]), answer.bytes.subarray(at + 1)])};
          return {
            ...answer,
            bytes:
              how === 'drop'
                ? Buffer.concat([before, answer.bytes.subarray(at + 1)])
                : Buffer.concat([before, Buffer.from([by]), answer.bytes.subarray(at)]),
          };
        });
        // Dropping or doubling one of two equal neighbours changes nothing.
        if (typeof told !== 'string') expect(told).toEqual(NOT_SIGNED);
        else expect(told).toBe('{"status":"000","refund_id":7}');
      },
    ),
    {numRuns: 100},
  );
});

test('"not sent" is believed from nobody but the relay, and only of this question', async () => {
  const forged = signed(UNSENT, 'another-secret-that-is-long-enough-00', `reply ${'0'.repeat(32)}`);
  const ofAnother = signed(UNSENT, undefined, `reply ${'0'.repeat(32)}`);
  const ofAQuestion = signed(UNSENT, undefined, 'forward');
  for (const {bytes, signature} of [forged, ofAnother, ofAQuestion, {...forged, signature: ''}]) {
    expect(await refundThrough((answer) => ({...answer, bytes: Buffer.from(bytes), signature}))).toEqual(NOT_SIGNED);
  }
  let kept: Answer | undefined;
  await refundThrough((answer) => (kept = answer));
  expect(await refundThrough((answer) => kept ?? answer)).toEqual(NOT_SIGNED);
});

test('what a terminator in front of the relay says is not the relay’s word', async () => {
  for (const status of [200, 302, 401, 404, 413, 502, 503]) {
    expect(await refundThrough((answer) => ({...answer, status, signature: '', bytes: Buffer.from('<html>')}))).toEqual(
      NOT_SIGNED,
    );
  }
});

test('a truly signed answer of a later version is not guessed at', async () => {
  for (const text of [
    '{"v":2,"outcome":"unsent","reason":"x","retry_after_ms":1}\n',
    '{"v":1,"outcome":"unsent"}\n',
    '{"v":1,"outcome":"sent"}\n',
    '{"v":1,"outcome":"answered","status":99,"headers":{}}\n',
    'x\n',
    '{}',
  ]) {
    const nonces: string[] = [];
    const client = clientOf(relay.url, platform.url, {
      fetch: async (_input, init) => {
        const nonce = (
          JSON.parse(new TextDecoder().decode(init?.body as Uint8Array).split('\n', 1)[0] ?? '') as {nonce: string}
        ).nonce;
        nonces.push(nonce);
        const {bytes, signature} = signed(Buffer.from(text), undefined, `reply ${nonce}`);
        return Promise.resolve(new Response(new Uint8Array(bytes), {headers: {'vezne-signature': signature}}));
      },
    });
    const call = client.fetch(`${platform.url}/phs/bank/getAll`, {
      method: 'POST',
      timeoutMs: 20_000,
      maxReplyBytes: 1_000,
    });
    await expect(call).rejects.toMatchObject({failure: {outcome: 'unknown', fault: 'connection'}});
    expect(nonces.length).toBe(1);
  }
});
