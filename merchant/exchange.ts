import {VezneConnectionError} from './errors.ts';
import type {CallOptions, Fetch} from './options.ts';
import type {ApiRequest} from './request.ts';

export interface Reply {
  readonly status: number;
  /** By name, in any case; null where there is none. */
  readonly header: (name: string) => string | null;
  readonly text: string;
}

interface Bounds {
  readonly signal: CallOptions['signal'];
  readonly timeoutMs: number;
  readonly idempotencyKey: string | undefined;
}

/** The longest a timer counts; a longer one would end at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends one request once and reads all of its reply. Time and signal bound it even where a `fetch` does not listen.
 * @throws {VezneConnectionError} or the signal's reason.
 */
export async function exchange(
  fetch: Fetch,
  {url, ...init}: ApiRequest,
  {signal, timeoutMs, idempotencyKey}: Bounds,
): Promise<Reply> {
  if (signal?.aborted) throw signal.reason;
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  // Made here, so that its trace shows whose call it was.
  const late = new VezneConnectionError('timed_out', 'There was no answer in time.', {idempotencyKey});
  const timer = setTimeout(() => stop.abort(late), Math.min(timeoutMs, LONGEST_TIMER_MS));
  try {
    // A followed redirect would carry the key to another host.
    const answer = receive(fetch(url, {...init, redirect: 'manual', signal: stop.signal}));
    return await Promise.race([answer, rejectWhenAborted(stop.signal)]);
  } catch (cause) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw new VezneConnectionError('connection_failed', 'There is no connection to the Worker, or it broke.', {
      idempotencyKey,
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

async function receive(answer: ReturnType<Fetch>): Promise<Reply> {
  const response = await answer;
  return {status: response.status, header: (name) => response.headers.get(name), text: await response.text()};
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), {once: true});
  });
}
