import {createHmac, timingSafeEqual} from 'node:crypto';
import type {ForwardResult, UnknownReason, UnsentReason} from './forward.ts';

/** What the Worker asks for: a line of JSON, a line end, and the body to send, all under one signature. */

/** The platform's interfaces, as the Worker's configuration names their addresses. */
export const INTERFACES = ['phs', 'micropayment', 'payment_page', 'landing'] as const;
export type InterfaceId = (typeof INTERFACES)[number];

/** What every question carries, so that it is answered once. */
export interface Stamp {
  /** 32 hex digits, never used again. */
  readonly nonce: string;
  /** When it was made, epoch milliseconds. */
  readonly at: number;
}

export interface Envelope extends Stamp {
  /** From its arrival to the last byte of the platform's answer. */
  readonly deadlineMs: number;
  /** A longer answer is not read to its end. */
  readonly maxReplyBytes: number;
  readonly base: InterfaceId;
  readonly method: 'GET' | 'POST';
  /** Below the base, with its query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** No envelope is longer. The platform's forms have a few kB. */
export const MAX_ENVELOPE_BYTES = 131_072;
export const MAX_REPLY_BYTES = 16_000_000;
const MAX_DEADLINE_MS = 60_000;

/** Null where it is none, or of another version. */
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

/** The stamp of a question that has nothing else to say. */
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

function isCount(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= most;
}

/** Names in lower case, values that fit in one line of a request. */
function isHeaders(value: unknown): value is Record<string, string> {
  if (!isRecord(value)) return false;
  return Object.entries(value).every(
    ([name, text]) => /^[a-z0-9-]{1,64}$/.test(name) && typeof text === 'string' && /^[\x20-\x7e]{0,4096}$/.test(text),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the Worker is told: a line of JSON, a line end, and the platform's answer, all signed together with the question's nonce. */

export type ForwardReply =
  | (ForwardResult & {readonly outcome: 'answered'})
  /** Certainly nothing was sent, and this envelope never will be. */
  | {
      readonly outcome: 'unsent';
      readonly reason: UnsentReason | 'busy' | 'address' | 'header' | 'base';
      readonly retryAfterMs: number;
    }
  | {readonly outcome: 'unknown'; readonly reason: UnknownReason | AdmissionRefusal};

export function encodeForwardReply(verdict: ForwardReply): Buffer {
  switch (verdict.outcome) {
    case 'answered': {
      const {body, ...head} = verdict;
      return encode(head, body);
    }
    case 'unsent': {
      const {outcome, reason, retryAfterMs} = verdict;
      return encode({outcome, reason, retry_after_ms: retryAfterMs});
    }
    case 'unknown':
      return encode(verdict);
  }
}

/** What the relay says of itself. */
export interface RelayInfo {
  /** Its clock, epoch milliseconds. */
  readonly now: number;
  readonly startedAt: number;
  /** The addresses that calls leave this host from; behind a translating router nobody else sees them. */
  readonly sources: readonly string[];
  /** What its operator says the platform sees; null where nothing is said. */
  readonly address: string | null;
}

export function encodeRelayInfo({now, startedAt, sources, address}: RelayInfo): Buffer {
  return encode({outcome: 'about', now, started_at: startedAt, sources, address});
}

function encode(head: object, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({v: 1, ...head})}\n`), body]);
}

/** Why an envelope is not let in. None of them says that it was not let in before. */
export type AdmissionRefusal = 'repeated' | 'old' | 'ahead' | 'started_since' | 'full';

/**
 * Who sent these bytes: HMAC-SHA-256 over a purpose and all of them. A signature reads `<key id>:<hex>`; a sender that
 * is between two secrets gives one for each, so that either side may learn of a new secret first.
 */

export interface Key {
  /** Tells keys apart, and is good for nothing else. */
  readonly id: string;
  readonly secret: string;
}

/** What the bytes are for, so that one kind never passes for another. */
export type Purpose = 'forward' | 'about' | `reply ${string}`;

export const SIGNATURE_HEADER = 'vezne-signature';

const SIGNATURES = /^[0-9a-f]{12}:[0-9a-f]{64}(?: [0-9a-f]{12}:[0-9a-f]{64}){0,3}$/;

export function deriveKey(secret: string): Key {
  return {id: createHmac('sha256', secret).update('vezne-relay key v1').digest('hex').slice(0, 12), secret};
}

export function sign(key: Key, purpose: Purpose, bytes: Uint8Array): string {
  return `${key.id}:${mac(key, purpose, bytes).toString('hex')}`;
}

/** The key that made one of the signatures; null where none of ours did. */
export function findSigner(signatures: string, keys: readonly Key[], purpose: Purpose, bytes: Uint8Array): Key | null {
  if (!SIGNATURES.test(signatures)) return null;
  for (const signature of signatures.split(' ')) {
    const [id, hex = ''] = signature.split(':');
    const key = keys.find((one) => one.id === id);
    if (key && timingSafeEqual(Buffer.from(hex, 'hex'), mac(key, purpose, bytes))) return key;
  }
  return null;
}

function mac({secret}: Key, purpose: Purpose, bytes: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`vezne-relay ${purpose} v1\n`).update(bytes).digest();
}
