/** The format of requests and replies between Worker and relay, and their signatures. */

import {createHmac, timingSafeEqual} from 'node:crypto';
import type {ForwardResult, UnknownReason, UnsentReason} from './forward.ts';

// The Worker's request (the envelope): a line of JSON, a line end, and the body to send. One signature covers the whole
// envelope.

/** The platform's interfaces; the Worker's configuration has one URL for each. */
export const INTERFACES = ['phs', 'micropayment', 'payment_page', 'landing'] as const;
export type InterfaceId = (typeof INTERFACES)[number];

/** Identifies a request, so that the relay does not forward it twice. */
export interface Stamp {
  /** 32 hex digits, used for one request only. */
  readonly nonce: string;
  /** When the Worker created the request, in epoch milliseconds. */
  readonly at: number;
}

export interface Envelope extends Stamp {
  /** Maximum time from the envelope's arrival to the last byte of the platform's answer. */
  readonly deadlineMs: number;
  /** Maximum length of the platform's answer. The relay stops reading a longer answer. */
  readonly maxReplyBytes: number;
  readonly base: InterfaceId;
  readonly method: 'GET' | 'POST';
  /** The path below the base URL, with its query. */
  readonly path: string;
  /** Header values by their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** The longest envelope allowed. The bodies that the Worker sends to the platform have a few kB. */
export const MAX_ENVELOPE_BYTES = 131_072;
export const MAX_REPLY_BYTES = 16_000_000;
const MAX_DEADLINE_MS = 60_000;

/** Returns null if the bytes are not a valid envelope, or if the envelope has a different version. */
export function readEnvelope(bytes: Buffer): Envelope | null {
  const lineEnd = bytes.indexOf('\n');
  const head = parseHead(lineEnd < 0 ? bytes : bytes.subarray(0, lineEnd));
  const stamp = head && parseStamp(head);
  if (!head || !stamp || lineEnd < 0) return null;
  const {deadline_ms: deadlineMs, max_reply_bytes: maxReplyBytes, base, method, path, headers} = head;
  const body = bytes.subarray(lineEnd + 1);
  if (!isCount(deadlineMs, MAX_DEADLINE_MS) || !isCount(maxReplyBytes, MAX_REPLY_BYTES)) return null;
  if (!isInterfaceId(base) || typeof path !== 'string' || !isHeaders(headers)) return null;
  if (method !== 'POST' && !(method === 'GET' && body.length === 0)) return null;
  return {...stamp, deadlineMs, maxReplyBytes, base, method, path, headers, body};
}

/** Reads the stamp of a request that contains nothing else. */
export function readStamp(bytes: Buffer): Stamp | null {
  const head = parseHead(bytes);
  return head && parseStamp(head);
}

function parseHead(bytes: Buffer): Record<string, unknown> | null {
  try {
    const head: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(head) && head['v'] === 1 ? head : null;
  } catch {
    return null;
  }
}

function parseStamp({nonce, at}: Record<string, unknown>): Stamp | null {
  if (typeof nonce !== 'string' || !/^[0-9a-f]{32}$/.test(nonce)) return null;
  return isCount(at, Number.MAX_SAFE_INTEGER) ? {nonce, at} : null;
}

function isInterfaceId(value: unknown): value is InterfaceId {
  return INTERFACES.some((base) => base === value);
}

function isCount(value: unknown, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= max;
}

/** Checks that names are in lower case and that each value fits into one line of a request. */
function isHeaders(value: unknown): value is Record<string, string> {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(
    ([name, text]) => /^[a-z0-9-]{1,64}$/.test(name) && typeof text === 'string' && /^[\x20-\x7e]{0,4096}$/.test(text),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// The relay's reply: a line of JSON, a line end, and the platform's answer, all signed together with the request's
// nonce.

export type ForwardReply =
  | (ForwardResult & {readonly outcome: 'answered'})
  /** The relay certainly sent nothing of this call, and will never send it. */
  | {
      readonly outcome: 'unsent';
      readonly reason: UnsentReason | 'busy' | 'address' | 'header' | 'base';
      readonly retryAfterMs: number;
    }
  | {
      readonly outcome: 'unknown';
      readonly reason: UnknownReason | AdmissionRefusal;
      /** After how long a relay that has just started admits new envelopes; absent for every other reason. */
      readonly retryAfterMs?: number;
    };

export function encodeForwardReply(reply: ForwardReply): Buffer {
  switch (reply.outcome) {
    case 'answered': {
      const {body, ...head} = reply;
      return encode(head, body);
    }
    case 'unsent':
    case 'unknown': {
      const {outcome, reason, retryAfterMs} = reply;
      return encode({outcome, reason, retry_after_ms: retryAfterMs});
    }
  }
}

/** The relay's information about itself. */
export interface RelayInfo {
  /** The relay's clock, in epoch milliseconds. */
  readonly now: number;
  readonly startedAt: number;
  /**
   * The addresses of this host from which calls are sent. Behind a NAT router, the platform sees a different address.
   */
  readonly sources: readonly string[];
  /** The address that the platform sees, if the operator configured it; otherwise null. */
  readonly address: string | null;
}

export function encodeRelayInfo({now, startedAt, sources, address}: RelayInfo): Buffer {
  return encode({outcome: 'about', now, started_at: startedAt, sources, address});
}

function encode(head: object, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({v: 1, ...head})}\n`), body]);
}

/**
 * Why the relay refuses an envelope. A refusal does not prove that the relay sent nothing: it may have admitted the
 * same envelope earlier.
 */
export type AdmissionRefusal = 'repeated' | 'old' | 'ahead' | 'started_since' | 'full';

// A signature is an HMAC-SHA-256 over a purpose and all bytes, written as `<key id>:<hex>`. While secrets are rotated,
// a sender adds one signature for each of its secrets. So the Worker and the relay can get the new secret in either
// order.

export interface Key {
  /** Names the key in a signature. It is not secret. */
  readonly id: string;
  readonly secret: string;
}

/** What the signed bytes are for. A signature for one purpose is not valid for another. */
export type Purpose = 'forward' | 'about' | `reply ${string}`;

export const SIGNATURE_HEADER = 'vezne-signature';

const SIGNATURES = /^[0-9a-f]{12}:[0-9a-f]{64}(?: [0-9a-f]{12}:[0-9a-f]{64}){0,3}$/;

export function deriveKey(secret: string): Key {
  return {id: createHmac('sha256', secret).update('vezne-relay key v1').digest('hex').slice(0, 12), secret};
}

export function sign(key: Key, purpose: Purpose, bytes: Uint8Array): string {
  return `${key.id}:${mac(key, purpose, bytes).toString('hex')}`;
}

/** Returns the known key that made one of the signatures, or null if there is none. */
export function findSigner(signatures: string, keys: readonly Key[], purpose: Purpose, bytes: Uint8Array): Key | null {
  if (!SIGNATURES.test(signatures)) return null;
  for (const signature of signatures.split(' ')) {
    const [id, hex = ''] = signature.split(':');
    const key = keys.find((candidate) => candidate.id === id);
    if (key && timingSafeEqual(Buffer.from(hex, 'hex'), mac(key, purpose, bytes))) return key;
  }
  return null;
}

function mac({secret}: Key, purpose: Purpose, bytes: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`vezne-relay ${purpose} v1\n`).update(bytes).digest();
}
