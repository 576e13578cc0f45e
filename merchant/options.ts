/** What merchants configure, and what of the runtime the client relies on. */

/** What the runtime's `fetch` takes: some runtimes declare `AbortSignal` where no type can ask for it. */
type FetchInit = typeof globalThis extends {fetch(input: never, init?: infer I): unknown} ? NonNullable<I> : unknown;

/** The runtime's `AbortSignal`; where no types of a runtime are loaded, the part of it that is used. */
export type Signal = FetchInit extends {signal?: infer S}
  ? NonNullable<S>
  : {
      readonly aborted: boolean;
      readonly reason: unknown;
      addEventListener(type: 'abort', listener: () => void, options?: {once: boolean}): void;
      removeEventListener(type: 'abort', listener: () => void): void;
    };

/** The part of `fetch` that is used: a runtime's own, a service binding's, or one that logs. */
export type Fetch = (
  url: string,
  init: {method: string; headers: Record<string, string>; body?: string; redirect: 'manual'; signal: Signal},
) => Promise<{readonly status: number; readonly headers: {get(name: string): string | null}; text(): Promise<string>}>;

export interface VezneOptions {
  /** Address of the Worker: `https://pay.shop.example`. `http` is taken on this machine only: the key travels with every call. */
  readonly url: string;
  /** `MERCHANT_API_KEY` of the Worker. It belongs on a server, never in a page. */
  readonly key: string | undefined;
  /** In place of the runtime's `fetch`: `env.VEZNE.fetch.bind(env.VEZNE)` goes through a service binding. */
  readonly fetch?: Fetch | undefined;
  /** How long a call may take in all, with every retry and pause, milliseconds; 40,000 unless said. A call can say its own. */
  readonly timeoutMs?: number | undefined;
  /** How often a call is tried again, where that is safe; 2 unless said, 0 for never. */
  readonly retries?: number | undefined;
}

export interface CallOptions {
  /** Ends the call; it is rejected with the signal's reason. A write that was sent may still be carried out. */
  readonly signal?: Signal | undefined;
  /** How long this call may take in all, milliseconds. */
  readonly timeoutMs?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * Names this write: asked again under the same key within 72 hours it gets the same answer and happens once. Up to
   * 255 visible ASCII characters. The client makes one for each call; give your own, made of your order, where your
   * process may end and begin again before it knows the answer.
   */
  readonly idempotencyKey?: string | undefined;
}

export interface WorkerAddress {
  /** Address of the Worker, without a slash at its end. */
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

/** @throws {TypeError} that says what is wrong and does not repeat it: a key may stand in the wrong place. */
export function resolveOptions({
  url,
  key,
  fetch = (...request) => globalThis.fetch(...request),
  timeoutMs = 40_000,
  retries = 2,
}: VezneOptions): ResolvedOptions {
  if (typeof key !== 'string' || !VISIBLE_ASCII.test(key))
    throw new TypeError('`key` is the Worker’s MERCHANT_API_KEY: visible ASCII characters.');
  if (!(retries >= 0)) throw new TypeError('`retries` is a number from 0 on.');
  return {address: {base: readUrl(url), key}, fetch, timeoutMs: resolveTimeout({timeoutMs}, timeoutMs), retries};
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const allowed = url?.protocol === 'https:' || (url?.protocol === 'http:' && LOOPBACK.test(url.hostname));
  if (!url || !allowed || url.username || url.password || url.search || url.hash) {
    throw new TypeError(
      '`url` is the address of the Worker, such as https://pay.shop.example; http is for this machine only.',
    );
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** @throws {TypeError} */
export function resolveTimeout({timeoutMs}: CallOptions, otherwise: number): number {
  const ms = timeoutMs ?? otherwise;
  if (ms > 0) return ms;
  throw new TypeError('`timeoutMs` is a number of milliseconds, more than 0.');
}

/** The key of a write; a new one where none is given. @throws {TypeError} */
export function resolveIdempotencyKey({idempotencyKey: key}: WriteOptions): string {
  if (key === undefined) return crypto.randomUUID();
  if (key.length <= 255 && VISIBLE_ASCII.test(key)) return key;
  throw new TypeError('`idempotencyKey` is up to 255 visible ASCII characters.');
}
