/** What the relay is asked for: a line of JSON, a line end, and the body to send. Both sides hold the format by the vectors of `test/relay/vectors.json`. */

import {toHex} from '../../lib/crypto.ts';

/** The platform's interfaces, as the relay knows them: where they are is the relay's own configuration. */
export type BaseId = 'phs' | 'micropayment' | 'payment_page' | 'landing';

export interface Stamp {
  /** 32 hex digits, never used again. */
  readonly nonce: string;
  /** When it was made, epoch milliseconds. */
  readonly at: number;
}

export interface Question {
  readonly deadlineMs: number;
  readonly maxReplyBytes: number;
  readonly base: BaseId;
  readonly method: string;
  /** Below the base, with its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const encoder = new TextEncoder();

export function newStamp(now: number): Stamp {
  return {nonce: toHex(crypto.getRandomValues(new Uint8Array(16)).buffer), at: now};
}

export function writeEnvelope(
  {nonce, at}: Stamp,
  {deadlineMs, maxReplyBytes, base, method, path, headers, body}: Question,
): Uint8Array {
  const head = {v: 1, nonce, at, deadline_ms: deadlineMs, max_reply_bytes: maxReplyBytes, base, method, path, headers};
  return encoder.encode(`${JSON.stringify(head)}\n${body}`);
}

/** A question that has nothing else to say. */
export function writeStamp({nonce, at}: Stamp): Uint8Array {
  return encoder.encode(JSON.stringify({v: 1, nonce, at}));
}
