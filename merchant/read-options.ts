import type {CallOptions, Fetch, VezneOptions, WriteOptions, Address} from './options.ts';

interface Settings {
  readonly address: Address;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly retries: number;
}

const VISIBLE = /^[\x21-\x7e]+$/;
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @throws {TypeError} that says what is wrong and does not repeat it: a key may stand in the wrong place. */
export function readOptions({
  url,
  key,
  fetch = (...request) => globalThis.fetch(...request),
  timeoutMs = 40_000,
  retries = 2,
}: VezneOptions): Settings {
  if (typeof key !== 'string' || !VISIBLE.test(key))
    throw new TypeError('`key` is the Worker’s MERCHANT_API_KEY: visible ASCII characters.');
  if (!(retries >= 0)) throw new TypeError('`retries` is a number from 0 on.');
  return {address: {base: readUrl(url), key}, fetch, timeoutMs: readTimeout({timeoutMs}, timeoutMs), retries};
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
export function readTimeout({timeoutMs}: CallOptions, otherwise: number): number {
  const ms = timeoutMs ?? otherwise;
  if (ms > 0) return ms;
  throw new TypeError('`timeoutMs` is a number of milliseconds, more than 0.');
}

/** The key of a write; a new one where none is given. @throws {TypeError} */
export function readIdempotencyKey({idempotencyKey: key}: WriteOptions): string {
  if (key === undefined) return crypto.randomUUID();
  if (key.length <= 255 && VISIBLE.test(key)) return key;
  throw new TypeError('`idempotencyKey` is up to 255 visible ASCII characters.');
}
