/**
 * Worker and relay each implement the format of requests and replies. The vectors in `vectors.json`, made by a third
 * program, prove that both implementations agree.
 */

import {expect, test} from 'vitest';
import {readEnvelope, readStamp, encodeForwardReply, deriveKey, sign, findSigner} from '../../relay/protocol.ts';
import type {Operation} from '../../worker/platform/operation.ts';
import {operations} from '../../worker/platform/operations/index.ts';
import {
  type BaseId,
  encodeRequest,
  encodeStamp,
  SigningKey,
  decodeReply,
} from '../../worker/platform/relay/protocol.ts';
import vectors from './vectors.json' with {type: 'json'};

const {secrets, key_ids: ids, nonce, at} = vectors;
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const keys = secrets.map(deriveKey);

test('Worker and relay derive the same key id from a secret', async () => {
  expect(keys.map(({id}) => id)).toEqual(ids);
  expect(await Promise.all(secrets.map(async (secret) => (await SigningKey.of(secret)).id))).toEqual(ids);
});

test.for(vectors.envelopes)(
  'the Worker encodes and signs a $request.method request, and the relay verifies and reads it',
  async ({request, text: expected, signatures}) => {
    const headers = request.headers as Record<string, string>;
    const encoded = encodeRequest({nonce, at}, {...request, headers, base: request.base as BaseId});
    expect(text(encoded)).toBe(expected);
    const bytes = Buffer.from(expected);
    for (const [index, secret] of secrets.entries()) {
      expect(await (await SigningKey.of(secret)).sign('forward', encoded)).toBe(signatures[index]);
      expect(findSigner(signatures[index] ?? '', keys, 'forward', bytes)).toEqual(keys[index]);
    }
    expect(findSigner(signatures.join(' '), keys.slice(1), 'forward', bytes)).toEqual(keys[1]);
    expect(readEnvelope(bytes)).toEqual({nonce, at, ...request, body: Buffer.from(request.body)});
  },
);

test('the Worker encodes and signs a request for the relay’s information, and the relay verifies and reads it', async () => {
  const {text: expected, signature} = vectors.stamp;
  const encoded = encodeStamp({nonce, at});
  expect(text(encoded)).toBe(expected);
  expect(await (await SigningKey.of(secrets[0] ?? '')).sign('about', encoded)).toBe(signature);
  expect(findSigner(signature, keys, 'about', Buffer.from(expected))).toEqual(keys[0]);
  expect(readStamp(Buffer.from(expected))).toEqual({nonce, at});
});

test('the relay accepts the deadline and the maximum reply size of every operation of the Worker', () => {
  for (const [name, {deadlineMs, maxReplyBytes}] of Object.entries<Operation>(operations)) {
    const request = {
      deadlineMs,
      maxReplyBytes,
      base: 'phs' as const,
      method: 'POST',
      path: '/a',
      headers: {},
      body: '',
    };
    expect(readEnvelope(Buffer.from(encodeRequest({nonce, at}, request))), name).not.toBe(null);
  }
});

test.for(vectors.replies)(
  'the relay encodes and signs a reply with the outcome $reply.outcome, and the Worker verifies and reads it',
  async ({reply, body, text: expected, signature}) => {
    const {retry_after_ms: retryAfterMs, ...rest} = reply;
    const encoded = encodeForwardReply({
      ...rest,
      ...(retryAfterMs !== undefined && {retryAfterMs}),
      ...(rest.outcome === 'answered' && {body: Buffer.from(body)}),
    } as Parameters<typeof encodeForwardReply>[0]);
    expect(text(encoded)).toBe(expected);
    const [key = deriveKey('')] = keys;
    expect(sign(key, `reply ${nonce}`, encoded)).toBe(signature);
    const bytes = new Uint8Array(Buffer.from(expected));
    expect(await (await SigningKey.of(secrets[0] ?? '')).verify(signature, `reply ${nonce}`, bytes)).toBe(true);
    const read = decodeReply(bytes);
    expect([read?.head, text(read?.body ?? new Uint8Array())]).toEqual([{v: 1, ...reply}, body]);
  },
);
