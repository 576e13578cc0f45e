/**
 * The relay's protocol: requests, replies and their signatures. Tests check both sides against
 * `test/relay/vectors.json`.
 */

import * as z from 'zod';
import {toHex} from '../../lib/crypto.ts';

/** The relay's names for the platform's interfaces; their base URLs are in the relay's own configuration. */
export type BaseId = 'phs' | 'micropayment' | 'payment_page' | 'landing';

export interface RequestStamp {
  /** 32 hex digits, used once. */
  readonly nonce: string;
  /** When the request was made, epoch milliseconds. */
  readonly at: number;
}

export interface RelayRequest {
  readonly deadlineMs: number;
  readonly maxReplyBytes: number;
  readonly base: BaseId;
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const encoder = new TextEncoder();

export function newStamp(now: number): RequestStamp {
  return {nonce: toHex(crypto.getRandomValues(new Uint8Array(16)).buffer), at: now};
}

/** Encodes a request: a line of JSON, a line end, and the body to send. */
export function encodeRequest(
  {nonce, at}: RequestStamp,
  {deadlineMs, maxReplyBytes, base, method, path, headers, body}: RelayRequest,
): Uint8Array {
  const head = {v: 1, nonce, at, deadline_ms: deadlineMs, max_reply_bytes: maxReplyBytes, base, method, path, headers};
  return encoder.encode(`${JSON.stringify(head)}\n${body}`);
}

/** Encodes a request that consists of its stamp alone, such as `about`. */
export function encodeStamp({nonce, at}: RequestStamp): Uint8Array {
  return encoder.encode(JSON.stringify({v: 1, nonce, at}));
}

/** Why nothing was sent or the outcome is unknown; for the log. */
const Reason = z.string().regex(/^[a-z_]{1,32}$/);

const Answered = z.object({
  v: z.literal(1),
  outcome: z.literal('answered'),
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.string()),
});
const Unsent = z.object({
  v: z.literal(1),
  outcome: z.literal('unsent'),
  reason: Reason,
  retry_after_ms: z.int().nonnegative().max(3_600_000),
});
const Unknown = z.object({v: z.literal(1), outcome: z.literal('unknown'), reason: Reason});
const RelayInfo = z.object({
  v: z.literal(1),
  outcome: z.literal('about'),
  /** The relay's clock, epoch milliseconds. */
  now: z.int(),
  started_at: z.int(),
  /** The IP addresses that calls leave the relay's host from. */
  sources: z.array(z.string()),
  /** The IP address that the platform sees, as the relay's operator configured it. */
  address: z.string().nullable(),
});
const Head = z.discriminatedUnion('outcome', [Answered, Unsent, Unknown, RelayInfo]);

export type RelayInfo = z.infer<typeof RelayInfo>;
/** A decoded reply; on the wire a line of JSON, a line end, and the platform's answer. */
export type RelayReply = {readonly head: z.infer<typeof Head>; readonly body: Uint8Array<ArrayBuffer>};

/** Decodes bytes whose signature was verified; null when another version of the protocol wrote them. */
export function decodeReply(bytes: Uint8Array<ArrayBuffer>): RelayReply | null {
  const lineEnd = bytes.indexOf(0x0a);
  if (lineEnd < 0) return null;
  try {
    const head = Head.safeParse(JSON.parse(new TextDecoder().decode(bytes.subarray(0, lineEnd))));
    return head.success ? {head: head.data, body: bytes.subarray(lineEnd + 1)} : null;
  } catch {
    return null;
  }
}

/** What signed bytes are for. It is part of the signature, so that one kind of message cannot pass for another. */
export type Purpose = 'forward' | 'about' | `reply ${string}`;

export const SIGNATURE_HEADER = 'vezne-signature';

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * Signs and verifies messages between Worker and relay: HMAC-SHA-256 over the purpose and all bytes.
 * `relay/protocol.ts` is the counterpart.
 */
export class SigningKey {
  private constructor(
    /** Identifies the key, and reveals nothing about the secret. */
    readonly id: string,
    private readonly key: HmacKey,
  ) {}

  static async of(secret: string): Promise<SigningKey> {
    const key = await crypto.subtle.importKey('raw', encoder.encode(secret), {name: 'HMAC', hash: 'SHA-256'}, false, [
      'sign',
      'verify',
    ]);
    const id = toHex(await crypto.subtle.sign('HMAC', key, encoder.encode('vezne-relay key v1'))).slice(0, 12);
    return new SigningKey(id, key);
  }

  /** `<key id>:<hex>` */
  async sign(purpose: Purpose, bytes: Uint8Array): Promise<string> {
    return `${this.id}:${toHex(await crypto.subtle.sign('HMAC', this.key, withPurpose(purpose, bytes)))}`;
  }

  /** Whether this key made the signature. */
  async verify(signature: string, purpose: Purpose, bytes: Uint8Array): Promise<boolean> {
    const [, id, hex] = /^([0-9a-f]{12}):([0-9a-f]{64})$/.exec(signature) ?? [];
    return (
      id === this.id &&
      hex !== undefined &&
      crypto.subtle.verify('HMAC', this.key, fromHex(hex), withPurpose(purpose, bytes))
    );
  }
}

function withPurpose(purpose: Purpose, bytes: Uint8Array): Uint8Array {
  const head = encoder.encode(`vezne-relay ${purpose} v1\n`);
  const all = new Uint8Array(head.length + bytes.length);
  all.set(head);
  all.set(bytes, head.length);
  return all;
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
