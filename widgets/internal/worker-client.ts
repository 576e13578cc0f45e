/** The only place that talks to the Worker. Every failure leaves here as a `Problem`, unless the caller hung up. */
import {isProblem, type Accept} from './accept.ts';
import {Problem, refused} from './problem.ts';

const DEADLINE_MS = 15_000;

export interface WorkerRequest<T> {
  readonly accept: Accept<T>;
  readonly signal: AbortSignal;
  readonly token?: string;
  /** Makes it a POST. */
  readonly body?: object;
  /** The same request, under way since before the elements were here. */
  readonly begun?: Promise<Response> | undefined;
}

/** How the Worker is asked, whatever about. */
export abstract class WorkerClient {
  constructor(
    /** Where the Worker is, without a slash at the end. */
    readonly address: string,
  ) {}

  protected async ask<T>(path: string, {accept, signal, token, body, begun}: WorkerRequest<T>): Promise<T> {
    const headers: Record<string, string> = {};
    if (body) headers['content-type'] = 'application/json';
    if (token) headers['authorization'] = `Bearer ${token}`;
    const hangUp = new AbortController();
    const stop = () => hangUp.abort();
    const deadline = setTimeout(stop, DEADLINE_MS);
    signal.addEventListener('abort', stop);
    try {
      signal.throwIfAborted();
      const asked =
        begun ??
        fetch(this.address + path, {
          headers,
          signal: hangUp.signal,
          credentials: 'omit',
          ...(body && {method: 'POST', body: JSON.stringify(body)}),
        });
      const answer = asked.then((response) => read(response, accept));
      return await (begun ? Promise.race([answer, aborted(hangUp.signal)]) : answer);
    } catch (thrown) {
      signal.throwIfAborted();
      if (thrown instanceof Problem) throw thrown;
      if (hangUp.signal.aborted) throw new Problem('timeout', true);
      throw new Problem(navigator.onLine ? 'network' : 'offline', true);
    } finally {
      clearTimeout(deadline);
      signal.removeEventListener('abort', stop);
    }
  }
}

/** Fails when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

async function read<T>(response: Response, accept: Accept<T>): Promise<T> {
  const text = await response.text();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // What is no JSON is judged by its status below.
  }
  if (response.ok) {
    if (accept(value)) return value;
    throw new Problem('unreadable', true);
  }
  // Only seconds are read: a date would have to be held against this device's clock.
  const retryAfterMs = (Number(response.headers.get('retry-after')) || 0) * 1000;
  if (isProblem(value)) throw await refused(value.code, value.retryable, retryAfterMs);
  if (response.status === 429) throw await refused('rate_limited', true, retryAfterMs);
  throw new Problem('unreadable', true, retryAfterMs);
}
