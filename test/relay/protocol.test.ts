/** Worker and relay each have the format in words of their own; these vectors, made by a third program, hold them together. */

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

test('both sides name a secret alike', async () => {
  expect(keys.map(({id}) => id)).toEqual(ids);
  expect(await Promise.all(secrets.map(async (secret) => (await SigningKey.of(secret)).id))).toEqual(ids);
});

test.for(vectors.envelopes)(
  'the Worker writes and signs a question, and the relay knows and reads it: $question.method',
  async ({question, text: wanted, signatures}) => {
    const headers = question.headers as Record<string, string>;
    const written = encodeRequest({nonce, at}, {...question, headers, base: question.base as BaseId});
    expect(text(written)).toBe(wanted);
    const bytes = Buffer.from(wanted);
    for (const [index, secret] of secrets.entries()) {
      expect(await (await SigningKey.of(secret)).sign('forward', written)).toBe(signatures[index]);
      expect(findSigner(signatures[index] ?? '', keys, 'forward', bytes)).toEqual(keys[index]);
    }
    expect(findSigner(signatures.join(' '), keys.slice(1), 'forward', bytes)).toEqual(keys[1]);
    expect(readEnvelope(bytes)).toEqual({nonce, at, ...question, body: Buffer.from(question.body)});
  },
);

test('the Worker asks the relay for itself', async () => {
  const {text: wanted, signature} = vectors.stamp;
  const written = encodeStamp({nonce, at});
  expect(text(written)).toBe(wanted);
  expect(await (await SigningKey.of(secrets[0] ?? '')).sign('about', written)).toBe(signature);
  expect(findSigner(signature, keys, 'about', Buffer.from(wanted))).toEqual(keys[0]);
  expect(readStamp(Buffer.from(wanted))).toEqual({nonce, at});
});

test('every operation of the Worker’s fits into an envelope', () => {
  for (const [name, {deadlineMs, maxReplyBytes}] of Object.entries<Operation>(operations)) {
    const question = {
      deadlineMs,
      maxReplyBytes,
      base: 'phs' as const,
      method: 'POST',
      path: '/a',
      headers: {},
      body: '',
    };
    expect(readEnvelope(Buffer.from(encodeRequest({nonce, at}, question))), name).not.toBe(null);
  }
});

test.for(vectors.replies)(
  'the relay writes and signs an answer, and the Worker believes and reads it: $verdict.outcome',
  async ({verdict, body, text: wanted, signature}) => {
    const {retry_after_ms: retryAfterMs, ...rest} = verdict;
    const written = encodeForwardReply({
      ...rest,
      ...(retryAfterMs !== undefined && {retryAfterMs}),
      ...(rest.outcome === 'answered' && {body: Buffer.from(body)}),
    } as Parameters<typeof encodeForwardReply>[0]);
    expect(text(written)).toBe(wanted);
    const [key = deriveKey('')] = keys;
    expect(sign(key, `reply ${nonce}`, written)).toBe(signature);
    const bytes = new Uint8Array(Buffer.from(wanted));
    expect(await (await SigningKey.of(secrets[0] ?? '')).verifies(signature, `reply ${nonce}`, bytes)).toBe(true);
    const read = decodeReply(bytes);
    expect([read?.head, text(read?.body ?? new Uint8Array())]).toEqual([{v: 1, ...verdict}, body]);
  },
);
