/** The relay's protocol: requests, replies and their signatures. `test/relay/vectors.json` holds both sides to it. */

import * as z from 'zod';
import {toHex} from '../../lib/crypto.ts';

/** The platform's interfaces, as the relay knows them: where they are is the relay's own configuration. */
export type BaseId = 'phs' | 'micropayment' | 'payment_page' | 'landing';

export interface RequestStamp {
  /** 32 hex digits, never used again. */
  readonly nonce: string;
  /** When it was made, epoch milliseconds. */
  readonly at: number;
}

export interface RelayRequest {
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

export function newStamp(now: number): RequestStamp {
  return {nonce: toHex(crypto.getRandomValues(new Uint8Array(16)).buffer), at: now};
}

/** A line of JSON, a line end, and the body to send. */
export function encodeRequest(
  {nonce, at}: RequestStamp,
  {deadlineMs, maxReplyBytes, base, method, path, headers, body}: RelayRequest,
): Uint8Array {
  const head = {v: 1, nonce, at, deadline_ms: deadlineMs, max_reply_bytes: maxReplyBytes, base, method, path, headers};
  return encoder.encode(`${JSON.stringify(head)}\n${body}`);
}

/** A question that has nothing else to say. */
export function encodeStamp({nonce, at}: RequestStamp): Uint8Array {
  return encoder.encode(JSON.stringify({v: 1, nonce, at}));
}

/** Why; it goes into the log. */
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
  /** The addresses that calls leave its host from. */
  sources: z.array(z.string()),
  /** What its operator says the platform sees. */
  address: z.string().nullable(),
});
const Head = z.discriminatedUnion('outcome', [Answered, Unsent, Unknown, RelayInfo]);

export type RelayInfo = z.infer<typeof RelayInfo>;
/** A line of JSON, a line end, and the platform's answer. */
export type RelayReply = {readonly head: z.infer<typeof Head>; readonly body: Uint8Array<ArrayBuffer>};

/** Reads bytes whose signature is good; null where they are of another version. */
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

/** What the bytes are for, so that one kind never passes for another. */
export type Purpose = 'forward' | 'about' | `reply ${string}`;

export const SIGNATURE_HEADER = 'vezne-signature';

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/** Signs and verifies messages between Worker and relay: HMAC-SHA-256 over a purpose and all bytes, as `relay/signature.ts` does. */
export class SigningKey {
  private constructor(
    /** Tells keys apart, and is good for nothing else. */
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

  /** Whether one of ours made this signature. */
  async verifies(signature: string, purpose: Purpose, bytes: Uint8Array): Promise<boolean> {
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
