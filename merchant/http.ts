import type {Answers, EndpointName, Inputs} from './contract.ts';
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
import {routes, type Route} from './routes.ts';

/** Calls one endpoint of the merchant API. @throws {VezneError}, {TypeError}, or the reason of the call's signal. */
export type Call = <N extends EndpointName>(name: N, input: Inputs[N], options?: WriteOptions) => Promise<Answers[N]>;

/**
 * Makes the one function that all methods call. The key is in it and nowhere else, so that no inspection of a client
 * shows it.
 * @throws {TypeError} where an option is wrong.
 */
export function createCall(options: VezneOptions): Call {
  const {address, fetch, timeoutMs, retries} = resolveOptions(options);

  return async <N extends EndpointName>(name: N, input: Inputs[N], own: WriteOptions = {}): Promise<Answers[N]> => {
    const {signal} = own;
    const route = routes[name];
    const idempotencyKey = route.write ? resolveIdempotencyKey(own) : undefined;
    const request = buildRequest(address, route, input, idempotencyKey);
    const end = performance.now() + resolveTimeout(own, timeoutMs);
    for (let failures = 0; ;) {
      const leftMs = end - performance.now();
      try {
        // Half of what is left, while there is another try: a connection that went dead must not cost all of it.
        const reply = await sendOnce(fetch, request, {
          signal,
          timeoutMs: failures < retries ? leftMs / 2 : leftMs,
          idempotencyKey,
        });
        return parseAnswer(reply, idempotencyKey) as Answers[N];
      } catch (error) {
        if (!(error instanceof VezneError) || !shouldRetry(error, route.write)) throw error;
        if (!isInProgress(error)) failures += 1;
        const waitMs = retryDelayMs(error, failures);
        if (failures > retries || waitMs >= end - performance.now()) throw error;
        await delay(waitMs, signal);
      }
    }
  };
}

/** @throws the signal's reason, as soon as there is one. */
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
 * The request of one call: fields that the path names stand there, the others in the query of a GET or in a JSON body.
 * @throws {TypeError} where a field of the path is missing or would lead elsewhere.
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
    // Dots are a way up even when they are encoded.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`\`${name}\` is missing, or cannot stand in an address.`);
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
  /** By name, in any case; null where there is none. */
  readonly header: (name: string) => string | null;
  readonly text: string;
}

interface SendOptions {
  readonly signal: CallOptions['signal'];
  readonly timeoutMs: number;
  readonly idempotencyKey: string | undefined;
}

/** The longest a timer counts; a longer one would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Sends one request once and reads all of its reply. Time and signal bound it even where a `fetch` does not listen.
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
  // Made here, so that its trace shows whose call it was.
  const late = new VezneConnectionError('timed_out', 'There was no answer in time.', {idempotencyKey});
  const timer = setTimeout(() => stop.abort(late), Math.min(timeoutMs, MAX_TIMER_MS));
  try {
    // A followed redirect would carry the key to another host.
    const answer = readReply(fetch(url, {...init, redirect: 'manual', signal: stop.signal}));
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

async function readReply(answer: ReturnType<Fetch>): Promise<HttpReply> {
  const response = await answer;
  return {status: response.status, header: (name) => response.headers.get(name), text: await response.text()};
}

function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), {once: true});
  });
}

/** What a problem (RFC 9457) of the Worker's holds, as far as it is one. */
interface Problem extends Pick<VezneErrorDetails, 'fields' | 'platform' | 'command'> {
  readonly code: string;
  readonly title?: string;
  readonly retryable: boolean;
  readonly request_id?: string;
}

/**
 * The body of a good answer.
 * @throws {VezneError} for every other.
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
      'The answer is no JSON object. Is `url` the address of the Worker?',
      details,
    );
  }
  if (isProblem(body)) {
    const {code, title, fields, platform, command, retryable} = body;
    throw new VezneError(code, problemMessage(title ?? `HTTP ${status}`, body), {
      ...details,
      requestId: body.request_id ?? requestId,
      fields,
      platform,
      command,
      retryable,
    });
  }
  const redirected = status >= 300 && status < 400 ? ' Redirects are not followed.' : '';
  throw new VezneError('unexpected_answer', `HTTP ${status}, and not from the Worker.${redirected}`, {
    ...details,
    retryable: status >= 500 || status === 429,
  });
}

/** What to read in a log: field names and the platform's status, nothing a shopper typed. */
function problemMessage(title: string, {fields = [], platform}: Problem): string {
  const wrong = fields.map(({path, message}) => ` ${path || 'body'}: ${message}`).join('');
  return `${title}${wrong}${platform ? ` The platform said ${platform.status}.` : ''}`;
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

/** Seconds or a date (RFC 9110 10.2.3). */
function parseRetryAfter(text: string | null): number | undefined {
  if (text === null) return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** What is tried again, and after which pause. */

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;

/**
 * Whether the same request may be sent once more without harm and with hope. A write goes under the key it had, so that
 * the Worker does it once however often it is asked.
 */
export function shouldRetry(error: VezneError, write: boolean): boolean {
  if (!error.retryable) return false;
  if (error instanceof VezneConnectionError || isInProgress(error)) return true;
  // A limit that does not say when it is over is not over in a moment.
  if (error.status === 429) return error.retryAfterMs !== undefined;
  // A write that broke inside the Worker stays open under its key for a minute, and is `outcome_unknown` then.
  if (write && error.code === 'internal') return false;
  return error.status !== undefined && error.status >= 500;
}

/** The write of this key is under way, by an attempt whose answer was lost: its answer will be there in a moment. */
export function isInProgress({code}: VezneError): boolean {
  return code === 'in_progress';
}

/** Full jitter on what grows with every failure, on top of what the Worker asks for. */
export function retryDelayMs({retryAfterMs = 0}: VezneError, failures: number): number {
  return retryAfterMs + Math.random() * Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** failures);
}
