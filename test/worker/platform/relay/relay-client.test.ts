/** Tests that the Worker accepts only replies that the relay signed for exactly the request that the Worker sent. */

import * as fc from 'fast-check';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {EgressError} from '../../../../worker/platform/transport.ts';
import {httpResponse, RawPlatform} from '../../../relay/support/raw-platform.ts';
import {clientOf, type RelayServer, startRelay} from '../../../relay/support/relay-server.ts';
import {signBytes} from '../../../relay/support/signed-request.ts';

let platform: RawPlatform;
let relay: RelayServer;
beforeAll(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  platform = await RawPlatform.start();
  relay = await startRelay(platform.url);
  platform.answer = () => httpResponse('{"status":"000","refund_id":7}');
});
afterAll(async () => {
  await Promise.all([relay.stop(), platform.stop()]);
  vi.restoreAllMocks();
});

interface RelayReply {
  status: number;
  signature: string;
  bytes: Buffer;
}

/**
 * Creates a refund through an attacker who alters the relay's replies.
 * @returns the text of the platform's answer, or the failure that the Worker reports.
 */
async function refundThrough(alter: (reply: RelayReply) => RelayReply): Promise<unknown> {
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

test('the Worker accepts an unaltered reply', async () => {
  expect(await refundThrough((reply) => reply)).toBe('{"status":"000","refund_id":7}');
});

test('the Worker refuses a reply in which any byte is changed, removed or added', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.double({min: 0, max: 1, noNaN: true, maxExcluded: true}),
      fc.integer({min: 1, max: 255}),
      fc.constantFrom('change', 'drop', 'add'),
      async (position, value, change) => {
        const result = await refundThrough((reply) => {
          const at = Math.floor(position * reply.bytes.length);
          const before = reply.bytes.subarray(0, at);
          const byte = reply.bytes[at] ?? 0;
          if (change === 'change')
            return {
              ...reply,
              bytes: Buffer.concat([before, Buffer.from([byte ^ value]), reply.bytes.subarray(at + 1)]),
            };
          return {
            ...reply,
            bytes:
              change === 'drop'
                ? Buffer.concat([before, reply.bytes.subarray(at + 1)])
                : Buffer.concat([before, Buffer.from([value]), reply.bytes.subarray(at)]),
          };
        });
        expect(result).toEqual(NOT_SIGNED);
      },
    ),
    {numRuns: 100},
  );
});

test('the Worker refuses a reply that the relay did not sign, or signed for another request or purpose', async () => {
  const forged = signBytes(UNSENT, 'another-secret-that-is-long-enough-00', `reply ${'0'.repeat(32)}`);
  const forAnotherRequest = signBytes(UNSENT, undefined, `reply ${'0'.repeat(32)}`);
  const forAnotherPurpose = signBytes(UNSENT, undefined, 'forward');
  for (const {bytes, signature} of [forged, forAnotherRequest, forAnotherPurpose, {...forged, signature: ''}]) {
    expect(await refundThrough((reply) => ({...reply, bytes: Buffer.from(bytes), signature}))).toEqual(NOT_SIGNED);
  }
  let recorded: RelayReply | undefined;
  await refundThrough((reply) => (recorded = reply));
  expect(await refundThrough((reply) => recorded ?? reply)).toEqual(NOT_SIGNED);
});

test('the Worker does not mistake the answer of a TLS terminator for a reply of the relay', async () => {
  for (const status of [200, 302, 401, 404, 413, 502, 503]) {
    expect(await refundThrough((reply) => ({...reply, status, signature: '', bytes: Buffer.from('<html>')}))).toEqual(
      NOT_SIGNED,
    );
  }
});

test('the outcome is unknown if the relay signed a reply with an unknown version or format', async () => {
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
        const {bytes, signature} = signBytes(Buffer.from(text), undefined, `reply ${nonce}`);
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
