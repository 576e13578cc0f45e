/**
 * The Worker's side of the relay's protocol: requests, replies and their signatures. Tests compare both sides with
 * `test/relay/vectors.json`.
 */

import * as z from 'zod/mini';
import {toHex, utf8} from '../../lib/crypto.ts';

/** The relay's names for the platform's interfaces; their base URLs are in the relay's own configuration. */
export type BaseId = 'phs' | 'micropayment' | 'payment_page' | 'landing';

export interface RequestStamp {
  /** 32 hex digits, which no other request uses. */
  readonly nonce: string;
  /** The time of the request, epoch milliseconds. */
  readonly at: number;
}

export interface RelayRequest {
  readonly deadlineMs: number;
  readonly maxReplyBytes: number;
  readonly base: BaseId;
  readonly method: string;
  /** The path below the base URL, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function newStamp(now: number): RequestStamp {
  return {nonce: toHex(crypto.getRandomValues(new Uint8Array(16)).buffer), at: now};
}

/** Encodes a request: one line of JSON, and after it the body to send to the platform. */
export function encodeRequest(
  {nonce, at}: RequestStamp,
  {deadlineMs, maxReplyBytes, base, method, path, headers, body}: RelayRequest,
): Uint8Array {
  const head = {v: 1, nonce, at, deadline_ms: deadlineMs, max_reply_bytes: maxReplyBytes, base, method, path, headers};
  return utf8(`${JSON.stringify(head)}\n${body}`);
}

/** Encodes a request that contains only its stamp, such as `about`. */
export function encodeStamp({nonce, at}: RequestStamp): Uint8Array {
  return utf8(JSON.stringify({v: 1, nonce, at}));
}

/** Creates the schemas of replies. They are created on first use, because most Workers have no relay. */
function createHeadSchema() {
  /** Says in the log why nothing was sent, or why the outcome is unknown. */
  const Reason = z.string().check(z.regex(/^[a-z_]{1,32}$/));
  const Delay = z.int().check(z.minimum(0), z.maximum(3_600_000));
  const Answered = z.object({
    v: z.literal(1),
    outcome: z.literal('answered'),
    status: z.int().check(z.minimum(200), z.maximum(599)),
    headers: z.record(z.string(), z.string()),
  });
  const Unsent = z.object({
    v: z.literal(1),
    outcome: z.literal('unsent'),
    reason: Reason,
    retry_after_ms: Delay,
  });
  const Unknown = z.object({
    v: z.literal(1),
    outcome: z.literal('unknown'),
    reason: Reason,
    retry_after_ms: z.optional(Delay),
  });
  const About = z.object({
    v: z.literal(1),
    outcome: z.literal('about'),
    /** The relay's clock, epoch milliseconds. */
    now: z.int(),
    started_at: z.int(),
    /** The IP addresses from which calls leave the relay's host. */
    sources: z.array(z.string()),
    /** The IP address that the platform sees, if the relay's operator configured it. */
    address: z.nullable(z.string()),
  });
  return z.discriminatedUnion('outcome', [Answered, Unsent, Unknown, About]);
}

type HeadSchema = ReturnType<typeof createHeadSchema>;
type Head = z.infer<HeadSchema>;
let headSchema: HeadSchema | undefined;

export type RelayInfo = Extract<Head, {outcome: 'about'}>;
/** A decoded reply. Encoded, it is one line of JSON, and after it the body of the platform's reply. */
export type RelayReply = {readonly head: Head; readonly body: Uint8Array<ArrayBuffer>};

/** Decodes bytes whose signature was verified. Returns null if they are no reply of this version of the protocol. */
export function decodeReply(bytes: Uint8Array<ArrayBuffer>): RelayReply | null {
  const lineEnd = bytes.indexOf(0x0a);
  if (lineEnd < 0) return null;
  try {
    const parsed = (headSchema ??= createHeadSchema()).safeParse(
      JSON.parse(new TextDecoder().decode(bytes.subarray(0, lineEnd))),
    );
    return parsed.success ? {head: parsed.data, body: bytes.subarray(lineEnd + 1)} : null;
  } catch {
    return null;
  }
}

/** What signed bytes are for. The signature covers the purpose, so that a message is valid for only one purpose. */
export type Purpose = 'forward' | 'about' | `reply ${string}`;

export const SIGNATURE_HEADER = 'vezne-signature';

type HmacKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

/**
 * Signs and verifies messages between Worker and relay, with an HMAC-SHA-256 of the purpose and all bytes. The relay's
 * counterpart of this class is in `relay/protocol.ts`.
 */
export class SigningKey {
  private constructor(
    /** Identifies the key without revealing anything about the secret. */
    readonly id: string,
    private readonly key: HmacKey,
  ) {}

  static async of(secret: string): Promise<SigningKey> {
    const key = await crypto.subtle.importKey('raw', utf8(secret), {name: 'HMAC', hash: 'SHA-256'}, false, [
      'sign',
      'verify',
    ]);
    const id = toHex(await crypto.subtle.sign('HMAC', key, utf8('vezne-relay key v1'))).slice(0, 12);
    return new SigningKey(id, key);
  }

  /** Returns the signature, `<key id>:<hex>`. */
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
  const head = utf8(`vezne-relay ${purpose} v1\n`);
  const all = new Uint8Array(head.length + bytes.length);
  all.set(head);
  all.set(bytes, head.length);
  return all;
}

function fromHex(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
