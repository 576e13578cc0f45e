/** Sends one request once and reads its reply. */

import {EgressError} from './egress-error.ts';
import type {PlatformFailure} from './failure.ts';
import type {Envelope, Family, PlatformRequest} from './interfaces/interface.ts';
import {readText} from './read-text.ts';
import {readRetryAfter} from './retry-after.ts';

export type Reply =
  | {readonly envelope: Envelope; readonly retryAfterMs: number | null}
  | {readonly failure: PlatformFailure; readonly cause?: unknown};

/** `fetch`, told how long and how much it may take. */
export type PlatformFetch = (url: string, init: RequestInit & Bounds) => Promise<Response>;

export interface Bounds {
  /** From the first byte sent to the last byte read. */
  readonly timeoutMs: number;
  readonly maxReplyBytes: number;
}

export async function send(
  fetchPlatform: PlatformFetch,
  {url, ...init}: PlatformRequest,
  read: Family['read'],
  bounds: Bounds,
): Promise<Reply> {
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new DOMException('The deadline is over', 'TimeoutError')),
    bounds.timeoutMs,
  );
  try {
    // A followed redirect would carry `merchant` and `token` to another host.
    const response = await fetchPlatform(url, {...init, ...bounds, redirect: 'manual', signal: deadline.signal});
    if (response.status >= 300 && response.status < 400) {
      void response.body?.cancel();
      return {failure: {outcome: 'unknown', fault: 'redirect'}};
    }
    const text = await readText(response, bounds.maxReplyBytes);
    const envelope = text === null ? null : read(text, response.status);
    if (envelope) return {envelope, retryAfterMs: readRetryAfter(response.headers)};
    return {
      failure: {outcome: 'unknown', fault: 'unreadable', ...(response.status >= 500 && {httpStatus: response.status})},
    };
  } catch (cause) {
    if (cause instanceof EgressError) return {failure: cause.failure, cause};
    return {failure: {outcome: 'unknown', fault: isTimeout(cause) ? 'timeout' : 'connection'}, cause};
  } finally {
    // A timer that runs on keeps an object from sleeping, which `AbortSignal.timeout` would do after every call.
    clearTimeout(timer);
  }
}

function isTimeout(cause: unknown): boolean {
  return cause instanceof Error && (cause.name === 'TimeoutError' || cause.name === 'AbortError');
}
