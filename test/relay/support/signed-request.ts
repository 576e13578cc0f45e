/** Whoever has got hold of a question, or of no secret at all, and posts it to the relay. */

import {createHmac, randomBytes} from 'node:crypto';
import {request} from 'node:http';
import {encodeRequest} from '../../../worker/platform/relay/protocol.ts';
import {SECRET} from './relay-server.ts';

export interface Posted {
  readonly bytes: Uint8Array;
  readonly signature: string;
}

type Question = Parameters<typeof encodeRequest>[1];

/** A question as the Worker would ask it. */
export function question(more: Partial<Question & {nonce: string; at: number}> = {}, secret = SECRET): Posted {
  const {nonce = randomBytes(16).toString('hex'), at = Date.now(), ...rest} = more;
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
  return signed(bytes, secret);
}

/** Signs by the description of the format, with neither side's code. */
export function signed(bytes: Uint8Array, secret = SECRET, purpose = 'forward'): Posted {
  const id = createHmac('sha256', secret).update('vezne-relay key v1').digest('hex').slice(0, 12);
  const hex = createHmac('sha256', secret).update(`vezne-relay ${purpose} v1\n`).update(bytes).digest('hex');
  return {bytes, signature: `${id}:${hex}`};
}

export interface Told {
  readonly status: number;
  readonly signature: string | undefined;
  readonly text: string;
  /** The line before the platform's answer; null where the answer is no relay's. */
  readonly head: Record<string, unknown> | null;
}

export function post(relay: string, {bytes, signature}: Posted, path = '/v1/forward'): Promise<Told> {
  return new Promise((resolve, reject) => {
    const asked = request(
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
    asked.on('error', reject);
    asked.end(bytes);
  });
}
