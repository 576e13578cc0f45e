/** Sends a request to the platform once, and reads the reply. */

import {HOUR_MS, SECOND_MS} from '../lib/durations.ts';
import type {ReplyEnvelope} from './envelope.ts';
import type {PlatformFailure} from './failure.ts';
import type {PlatformInterface, PlatformRequest} from './interfaces.ts';

export type PlatformReply =
  | {readonly envelope: ReplyEnvelope; readonly retryAfterMs: number | null}
  | {readonly failure: PlatformFailure; readonly cause?: unknown};

/** A `fetch` with limits for the reply's time and size. */
export type PlatformFetch = (url: string, init: RequestInit & ReplyBounds) => Promise<Response>;

export interface ReplyBounds {
  /** Longest time from the first byte sent to the last byte read. */
  readonly timeoutMs: number;
  readonly maxReplyBytes: number;
}

const NO_CONTENT = 204;
const TOO_MANY_REQUESTS = 429;
/** What HTTP 429 means if its body says nothing, which possibly a proxy in front of the platform wrote. */
const LIMITED: ReplyEnvelope = {success: false, status: '429', message: '', body: {}};
/** The longest delay that the platform may ask for. With a longer one, an error of the platform could stop us for days. */
const MAX_RETRY_AFTER_MS = HOUR_MS;

export async function sendRequest(
  fetchPlatform: PlatformFetch,
  {url, ...init}: PlatformRequest,
  read: PlatformInterface['read'],
  bounds: ReplyBounds,
): Promise<PlatformReply> {
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new DOMException('The deadline has passed', 'TimeoutError')),
    bounds.timeoutMs,
  );
  try {
    // Redirects are not followed, because they would carry `merchant` and `token` to a different host.
    const response = await fetchPlatform(url, {...init, ...bounds, redirect: 'manual', signal: deadline.signal});
    if (response.status >= 300 && response.status < 400) {
      void response.body?.cancel();
      return {failure: {outcome: 'unknown', fault: 'redirect'}};
    }
    const text = await readText(response, bounds.maxReplyBytes);
    const readable = text === null ? null : read(text, response.status);
    const envelope = response.status === TOO_MANY_REQUESTS ? {...LIMITED, ...readable, httpStatus: 429} : readable;
    if (envelope) return {envelope, retryAfterMs: readRetryAfter(response.headers)};
    if (response.status === NO_CONTENT) return {failure: {outcome: 'unknown', fault: 'no_content'}};
    return {
      failure: {outcome: 'unknown', fault: 'unreadable', ...(response.status >= 500 && {httpStatus: response.status})},
    };
  } catch (cause) {
    if (cause instanceof EgressError) return {failure: cause.failure, cause};
    return {failure: {outcome: 'unknown', fault: isTimeout(cause) ? 'timeout' : 'connection'}, cause};
  } finally {
    // A running timer keeps a Durable Object awake. `AbortSignal.timeout` would leave a timer behind after every call.
    clearTimeout(timer);
  }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && (cause.name === 'TimeoutError' || cause.name === 'AbortError');
}

/** A request failed, and the egress knows more about the failure than an error of `fetch` says. */
export class EgressError extends Error {
  override readonly name = 'EgressError';

  /**
   * @param reason - The egress's own description of the failure, for the log.
   * @param relayDelayMs - After how long the relay accepts calls, if it refused this one because it is busy or has just
   * started, which says nothing about the platform; otherwise 0.
   */
  constructor(
    readonly failure: PlatformFailure & {readonly outcome: 'unsent' | 'unknown'},
    readonly reason: string,
    readonly relayDelayMs = 0,
  ) {
    super(reason);
  }
}

/** After how long a relay that refused the call itself accepts calls, in milliseconds; 0 for every other cause. */
export const relayDelayOf = (cause: unknown): number => (cause instanceof EgressError ? cause.relayDelayMs : 0);

/** Reads the body as text; returns null when it is longer than `maxBytes`. */
export async function readText(response: Response, maxBytes: number): Promise<string | null> {
  if (!response.body) return '';
  const length = statedLength(response.headers);
  if (length !== null && length <= maxBytes) return response.text();
  // Reading with a reader takes half the time of `for await`.
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    bytes += next.value.byteLength;
    if (bytes > maxBytes) {
      void reader.cancel().catch(() => {});
      return null;
    }
    text += decoder.decode(next.value, {stream: true});
  }
  return text + decoder.decode();
}

/**
 * The length of the body in bytes, if the headers state it and HTTP ends the body there; otherwise null. A chunked or
 * compressed body may be longer than its `Content-Length`.
 */
function statedLength(headers: Headers): number | null {
  const length = headers.get('content-length') ?? '';
  const isExact = !headers.has('transfer-encoding') && !headers.has('content-encoding');
  return isExact && /^\d{1,9}$/.test(length) ? Number(length) : null;
}

/** Reads the body as bytes. When it is longer than `maxBytes`, the function returns null without reading the rest. */
export async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/**
 * Reads the delay in `Retry-After`, in milliseconds, at most an hour; null without the header. A date is compared with
 * the server's own `Date`, because its clock may differ from ours.
 */
export function readRetryAfter(headers: Headers): number | null {
  const text = headers.get('retry-after')?.trim() ?? '';
  const sentAt = Date.parse(headers.get('date') ?? '') || Date.now();
  const delayMs = /^\d+$/.test(text) ? Number(text) * SECOND_MS : Date.parse(text) - sentAt;
  return Number.isNaN(delayMs) ? null : Math.min(Math.max(0, delayMs), MAX_RETRY_AFTER_MS);
}
