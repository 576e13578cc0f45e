/** Creates valid and forged requests, and posts them to the relay as an attacker could. */

import {createHmac, randomBytes} from 'node:crypto';
import {request} from 'node:http';
import {encodeRequest} from '../../../worker/platform/relay/protocol.ts';
import {SECRET} from './relay-server.ts';

export interface SignedRequest {
  readonly bytes: Uint8Array;
  readonly signature: string;
}

type Request = Parameters<typeof encodeRequest>[1];

/** Creates a request as the Worker would. */
export function signedRequest(
  overrides: Partial<Request & {nonce: string; at: number}> = {},
  secret = SECRET,
): SignedRequest {
  const {nonce = randomBytes(16).toString('hex'), at = Date.now(), ...rest} = overrides;
  const bytes = encodeRequest(
    {nonce, at},
    {
      deadlineMs: 15_000,
      maxReplyBytes: 1_000_000,
      base: 'phs',
      method: 'POST',
      path: '/refund/create',
      headers: {},
      body: 'amount=1.00',
      ...rest,
    },
  );
  return signBytes(bytes, secret);
}

/** Signs bytes as the format describes, without the code of the Worker or the relay. */
export function signBytes(bytes: Uint8Array, secret = SECRET, purpose = 'forward'): SignedRequest {
  const id = createHmac('sha256', secret).update('vezne-relay key v1').digest('hex').slice(0, 12);
  const hex = createHmac('sha256', secret).update(`vezne-relay ${purpose} v1\n`).update(bytes).digest('hex');
  return {bytes, signature: `${id}:${hex}`};
}

export interface RelayReply {
  readonly status: number;
  readonly signature: string | undefined;
  readonly text: string;
  /** The JSON line before the platform's answer; null if the reply has no signature. */
  readonly head: Record<string, unknown> | null;
}

export function post(relay: string, {bytes, signature}: SignedRequest, path = '/v1/forward'): Promise<RelayReply> {
  return new Promise((resolve, reject) => {
    const posted = request(
      `${relay}${path}`,
      {method: 'POST', agent: false, headers: {'vezne-signature': signature, 'content-length': bytes.length}},
      async (answer) => {
        const text = Buffer.concat(await answer.toArray()).toString();
        const signedBy = answer.headers['vezne-signature'] as string | undefined;
        resolve({
          status: answer.statusCode ?? 0,
          signature: signedBy,
          text,
          head: signedBy === undefined ? null : (JSON.parse(text.split('\n', 1)[0] ?? '') as Record<string, unknown>),
        });
      },
    );
    posted.on('error', reject);
    posted.end(bytes);
  });
}
