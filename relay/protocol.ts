/** What the Worker asks for: a line of JSON, a line end, and the body to send, all under one signature. */

/** The platform's interfaces, as the Worker's configuration names their addresses. */
export const BASES = ['phs', 'micropayment', 'payment_page', 'landing'] as const;
export type BaseId = (typeof BASES)[number];

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
  readonly base: BaseId;
  readonly method: 'GET' | 'POST';
  /** Below the base, with its query. */
  readonly path: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** No envelope is longer. The platform's forms have a few kB. */
export const MOST_ENVELOPE_BYTES = 131_072;
export const MOST_REPLY_BYTES = 16_000_000;
const LONGEST_DEADLINE_MS = 60_000;

/** Null where it is none, or of another version. */
export function readEnvelope(bytes: Buffer): Envelope | null {
  const lineEnd = bytes.indexOf('\n');
  const head = readHead(lineEnd < 0 ? bytes : bytes.subarray(0, lineEnd));
  const stamp = head && readStampIn(head);
  if (!head || !stamp || lineEnd < 0) return null;
  const {deadline_ms: deadlineMs, max_reply_bytes: maxReplyBytes, base, method, path, headers} = head;
  const body = bytes.subarray(lineEnd + 1);
  if (!isCount(deadlineMs, LONGEST_DEADLINE_MS) || !isCount(maxReplyBytes, MOST_REPLY_BYTES)) return null;
  if (!isBase(base) || typeof path !== 'string' || !isHeaders(headers)) return null;
  if (method !== 'POST' && !(method === 'GET' && body.length === 0)) return null;
  return {...stamp, deadlineMs, maxReplyBytes, base, method, path, headers, body};
}

/** The stamp of a question that has nothing else to say. */
export function readStamp(bytes: Buffer): Stamp | null {
  const head = readHead(bytes);
  return head && readStampIn(head);
}

function readHead(bytes: Buffer): Record<string, unknown> | null {
  try {
    const head: unknown = JSON.parse(bytes.toString('utf8'));
    return isRecord(head) && head['v'] === 1 ? head : null;
  } catch {
    return null;
  }
}

function readStampIn({nonce, at}: Record<string, unknown>): Stamp | null {
  if (typeof nonce !== 'string' || !/^[0-9a-f]{32}$/.test(nonce)) return null;
  return isCount(at, Number.MAX_SAFE_INTEGER) ? {nonce, at} : null;
}

function isBase(value: unknown): value is BaseId {
  return BASES.some((base) => base === value);
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
