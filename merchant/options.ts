/** The client's options, and types for the parts of the runtime that the client uses. */

/**
 * The options of the runtime's `fetch`. `Signal` is derived from this type, because the type `AbortSignal` does not
 * exist in every runtime.
 */
type FetchInit = typeof globalThis extends {fetch(input: never, init?: infer I): unknown} ? NonNullable<I> : unknown;

/** The runtime's `AbortSignal`. If the project loads no types of a runtime, only the part that the client uses. */
export type Signal = FetchInit extends {signal?: infer S}
  ? NonNullable<S>
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      addEventListener(type: 'abort', listener: () => void, options?: {once: boolean}): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/**
 * The part of `fetch` that the client uses. You can pass the `fetch` of the runtime or of a service binding, or a
 * function that calls one of these.
 */
export type Fetch = (
  url: string,
  init: {method: string; headers: Record<string, string>; body?: string; redirect: 'manual'; signal: Signal},
) => Promise<{readonly status: number; readonly headers: {get(name: string): string | null}; text(): Promise<string>}>;

export interface VezneOptions {
  /**
   * URL of the Worker, such as `https://pay.shop.example`. `http` is allowed only for the same machine, because every
   * call carries the key.
   */
  readonly url: string;
  /** An API key, or the root key `MERCHANT_API_KEY` of the Worker. Keep it on a server, never in a page. */
  readonly key: string | undefined;
  /** Replaces the runtime's `fetch`. To use a service binding, pass `env.VEZNE.fetch.bind(env.VEZNE)`. */
  readonly fetch?: Fetch | undefined;
  /**
   * Maximum duration of a call in milliseconds, including all retries and the delays between them; 40,000 by default.
   * Each call can override it.
   */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries of a call; 2 by default, and 0 turns retries off. The client makes only safe retries. */
  readonly retries?: number | undefined;
}

export interface CallOptions {
  /**
   * Cancels the call, which then rejects with the signal's reason. A write that was already sent may be done anyway.
   */
  readonly signal?: Signal | undefined;
  /** Maximum duration of this call in milliseconds, including retries and delays. */
  readonly timeoutMs?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * Identifies this write, with up to 255 visible ASCII characters. If you repeat the call with the same key within 72
   * hours, you get the same answer, and the write is done once. By default the client generates a key for each call. If
   * your process may restart before it receives the answer, pass a key of your own that is derived from your order.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface WorkerAddress {
  /** URL of the Worker, without a trailing slash. */
  readonly base: string;
  readonly key: string;
}

interface ResolvedOptions {
  readonly address: WorkerAddress;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly retries: number;
}

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Checks the options and adds the defaults.
 * @throws {TypeError} The message names the invalid option, but does not contain its value, because the merchant may
 * have passed the key as a different option.
 */
export function resolveOptions({
  url,
  key,
  fetch = (...request) => globalThis.fetch(...request),
  timeoutMs = 40_000,
  retries = 2,
}: VezneOptions): ResolvedOptions {
  if (typeof key !== 'string' || !VISIBLE_ASCII.test(key))
    throw new TypeError(
      '`key` must be an API key or the Worker’s MERCHANT_API_KEY, with visible ASCII characters only.',
    );
  if (!(retries >= 0)) throw new TypeError('`retries` must be 0 or more.');
  return {address: {base: readUrl(url), key}, fetch, timeoutMs: resolveTimeout({timeoutMs}, timeoutMs), retries};
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !allowed || url.username || url.password || url.search || url.hash) {
    throw new TypeError(
      '`url` must be the Worker’s URL, such as https://pay.shop.example. Use http for the same machine only.',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Returns the timeout of a call, or the default. @throws {TypeError} if it is not above 0. */
export function resolveTimeout({timeoutMs}: CallOptions, defaultMs: number): number {
  const ms = timeoutMs ?? defaultMs;
  if (ms > 0) return ms;
  throw new TypeError('`timeoutMs` must be a number of milliseconds above 0.');
}

/** Returns the key of a write. Generates one if the caller gave no key. @throws {TypeError} if the key is invalid. */
export function resolveIdempotencyKey({idempotencyKey: key}: WriteOptions): string {
  if (key === undefined) return crypto.randomUUID();
  if (key.length <= 255 && VISIBLE_ASCII.test(key)) return key;
  throw new TypeError('`idempotencyKey` must have 1 to 255 visible ASCII characters.');
}
