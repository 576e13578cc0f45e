/** Sends calls to the Worker: builds requests, reads answers, and retries when a retry is safe. */

import {VezneError, VezneConnectionError, type VezneErrorDetails} from './errors.ts';
import {
  type CallOptions,
  type VezneOptions,
  type WriteOptions,
  resolveIdempotencyKey,
  resolveOptions,
  resolveTimeout,
  type WorkerAddress,
  type Fetch,
} from './options.ts';

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below `/merchant/v1/`. `{name}` is a field of the input. */
  readonly path: string;
  /** Whether the request carries an `Idempotency-Key`. */
  readonly write: boolean;
}

/** Calls one endpoint of the merchant API. @throws {VezneError}, {TypeError}, or the reason of the call's signal. */
export type Call = <A extends object>(route: Route, input: object, options?: WriteOptions) => Promise<A>;

/**
 * Creates the function with which all methods send a call. Only the function's closure contains the API key, so the key
 * is not visible when a client is inspected or logged.
 * @throws {TypeError} if an option is invalid.
 */
export function createCall(options: VezneOptions): Call {
  const {address, fetch, timeoutMs, retries} = resolveOptions(options);

  return async <A extends object>(route: Route, input: object, callOptions: WriteOptions = {}): Promise<A> => {
    const {signal} = callOptions;
    const idempotencyKey = route.write ? resolveIdempotencyKey(callOptions) : undefined;
    const request = buildRequest(address, route, input, idempotencyKey);
    const deadline = performance.now() + resolveTimeout(callOptions, timeoutMs);
    for (let failures = 0; ;) {
      const remainingMs = deadline - performance.now();
      try {
        // If a retry is still allowed, an attempt gets half of the remaining time. So after a dead connection, there is
        // time for the retry.
        const reply = await sendOnce(fetch, request, {
          signal,
          timeoutMs: failures < retries ? remainingMs / 2 : remainingMs,
          idempotencyKey,
        });
        return parseAnswer(reply, idempotencyKey) as A;
      } catch (error) {
        if (!(error instanceof VezneError) || !shouldRetry(error, route.write)) throw error;
        if (!isInProgress(error)) failures += 1;
        const waitMs = retryDelayMs(error, failures);
        if (failures > retries || waitMs >= deadline - performance.now()) throw error;
        await delay(waitMs, signal);
      }
    }
  };
}

/** Waits for `ms` milliseconds. @throws the signal's reason if the signal aborts before that. */
function delay(ms: number, signal: CallOptions['signal']): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, {once: true});
  });
}

export interface ApiRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/**
 * Builds the request of one call. Fields whose names are in the path are inserted into the path. The other fields are
 * sent in the query of a GET request, or in a JSON body.
 * @throws {TypeError} if a field of the path is missing or would change the path.
 */
export function buildRequest(
  {base, key}: WorkerAddress,
  {method, path, write}: Route,
  input: object,
  idempotencyKey: string | undefined,
): ApiRequest {
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(fields.get(name) ?? '');
    // URL parsers treat `.` and `..` as path steps even when they are percent-encoded.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`\`${name}\` is missing, or is not allowed in a URL path.`);
    fields.delete(name);
    return encodeURIComponent(value);
  });
  const url = `${base}/merchant/v1/${filled}`;
  const headers: Record<string, string> = {accept: 'application/json', authorization: `Bearer ${key}`};
  if (write && idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
  if (method === 'GET') {
    const query = new URLSearchParams(
      [...fields].map(([name, value]): [string, string] => [name, String(value)]),
    ).toString();
    return {url: query === '' ? url : `${url}?${query}`, method, headers};
  }
  headers['content-type'] = 'application/json';
  return {url, method, headers, body: JSON.stringify(Object.fromEntries(fields))};
}

export interface HttpReply {
  readonly status: number;
  /** Reads a header by its name, in any case; null if it is absent. */
  readonly header: (name: string) => string | null;
  readonly text: string;
}

interface SendOptions {
  readonly signal: CallOptions['signal'];
  readonly timeoutMs: number;
  readonly idempotencyKey: string | undefined;
}

/** The longest delay that `setTimeout` supports; a longer delay would fire immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends a request once and reads the complete reply. The call ends on timeout or when the caller's signal aborts, even
 * if the `fetch` function ignores its signal.
 * @throws {VezneConnectionError} or the signal's reason.
 */
export async function sendOnce(
  fetch: Fetch,
  {url, ...init}: ApiRequest,
  {signal, timeoutMs, idempotencyKey}: SendOptions,
): Promise<HttpReply> {
  if (signal?.aborted) throw signal.reason;
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  // The error is created before the timer fires, so that its stack trace shows the caller.
  const timeoutError = new VezneConnectionError('timed_out', 'No answer arrived in time.', {idempotencyKey});
  const timer = setTimeout(() => stop.abort(timeoutError), Math.min(timeoutMs, MAX_TIMER_MS));
  try {
    // Redirects are not followed, because they would carry the key to a different host.
    const reply = readReply(fetch(url, {...init, redirect: 'manual', signal: stop.signal}));
    return await Promise.race([reply, rejectWhenAborted(stop.signal)]);
  } catch (cause) {
    if (stop.signal.aborted) throw stop.signal.reason;
    throw new VezneConnectionError(
      'connection_failed',
      'The client could not connect to the Worker, or the connection broke.',
      {
        idempotencyKey,
        cause,
      },
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

async function readReply(pending: ReturnType<Fetch>): Promise<HttpReply> {
  const response = await pending;
  return {status: response.status, header: (name) => response.headers.get(name), text: await response.text()};
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), {once: true});
  });
}

/** The fields of the Worker's problem document (RFC 9457) that the client reads. */
interface Problem extends Pick<VezneErrorDetails, 'fields' | 'platform'> {
  readonly code: string;
  readonly command_id?: string;
  readonly title?: string;
  readonly retryable: boolean;
  readonly request_id?: string;
}

/**
 * Returns the body of a successful answer.
 * @throws {VezneError} for any other answer.
 */
export function parseAnswer(reply: HttpReply, idempotencyKey: string | undefined): object {
  const {status, header} = reply;
  const body = parseObject(reply.text);
  const requestId = header('x-request-id') ?? undefined;
  const details = {status, requestId, idempotencyKey, retryAfterMs: parseRetryAfter(header('retry-after'))};
  if (status >= 200 && status < 300) {
    if (body) return body;
    throw new VezneConnectionError(
      'unreadable_answer',
      'The answer is not a JSON object. Is `url` the URL of the Worker?',
      details,
    );
  }
  if (isProblem(body)) {
    const {code, title, fields, platform, command_id: commandId, retryable} = body;
    throw new VezneError(code, problemMessage(title ?? `HTTP ${status}`, body), {
      ...details,
      requestId: body.request_id ?? requestId,
      fields,
      platform,
      commandId,
      retryable,
    });
  }
  const redirectHint = status >= 300 && status < 400 ? ' The client does not follow redirects.' : '';
  throw new VezneError('unexpected_answer', `HTTP ${status}, but the answer is not from the Worker.${redirectHint}`, {
    ...details,
    retryable: status >= 500 || status === 429,
  });
}

/** A message that is safe to log. It contains names of fields and the platform's status, but nothing from the input. */
function problemMessage(title: string, {fields = [], platform}: Problem): string {
  const fieldErrors = fields.map(({path, message}) => ` ${path || 'body'}: ${message}`).join('');
  return `${title}${fieldErrors}${platform ? ` The platform answered ${platform.status}.` : ''}`;
}

function isProblem(body: object | undefined): body is Problem {
  const {code, retryable, fields = []} = (body ?? {}) as Partial<Problem>;
  return typeof code === 'string' && typeof retryable === 'boolean' && Array.isArray(fields);
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Parses `Retry-After`, which is a number of seconds or a date (RFC 9110, 10.2.3), into a delay in milliseconds. */
function parseRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

// The functions below decide which errors the client retries, and after which delay.

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;

/**
 * Whether a retry of the same request is safe and may succeed. Retrying a write with the same key is safe, because the
 * Worker does the write only once.
 */
export function shouldRetry(error: VezneError, write: boolean): boolean {
  if (!error.retryable) return false;
  if (error instanceof VezneConnectionError || isInProgress(error)) return true;
  // A 429 without `Retry-After` comes from a limit that will probably outlast the call's timeout.
  if (error.status === 429) return error.retryAfterMs !== undefined;
  // A retry would be useless: after an internal error, the Worker answers `in_progress` for a minute, and then
  // `outcome_unknown`.
  if (write && error.code === 'internal') return false;
  return error.status !== undefined && error.status >= 500;
}

/**
 * Whether the Worker is still processing an earlier attempt with the same key, whose answer did not reach the client. A
 * later retry gets the answer of that attempt.
 */
export function isInProgress({code}: VezneError): boolean {
  return code === 'in_progress';
}

/** The delay that the Worker asks for, plus an exponential backoff with full jitter. */
export function retryDelayMs({retryAfterMs = 0}: VezneError, failures: number): number {
  return retryAfterMs + Math.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
}
