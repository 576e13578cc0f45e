/** Caches the platform token in this isolate, and calls the `Platform` object only if the cache is empty or stale. */

import {PlatformError} from './failure.ts';

export type TokenResult =
  | {readonly token: string}
  /** No token is available now. The `Platform` object will not request a token before `retryAfterMs` has passed. */
  | {readonly retryAfterMs: number};

/** The methods of the `Platform` object that this file calls. */
interface TokenObject {
  currentToken(): Promise<TokenResult>;
  renewToken(stale: string): Promise<TokenResult>;
}

export class CachedToken implements TokenSource {
  #token: string | undefined;

  constructor(private readonly tokenObject: () => TokenObject) {}

  current(): string | Promise<string> {
    return this.#token ?? this.#fetch();
  }

  async renew(stale: string): Promise<string> {
    if (this.#token !== undefined && this.#token !== stale) return this.#token;
    return this.#cache(await orUnsent(this.tokenObject().renewToken(stale)));
  }

  async #fetch(): Promise<string> {
    return this.#cache(await orUnsent(this.tokenObject().currentToken()));
  }

  #cache(result: TokenResult): string {
    // No matter how the request for the token failed, the call that needs the token was not sent.
    if ('retryAfterMs' in result) throw new PlatformError('tokenGet', {outcome: 'unsent', ...result});
    return (this.#token = result.token);
  }
}

const UNREACHED_DELAY_MS = 1_000;

/** If the runtime restarts the `Platform` object while it answers, the call that needs the token counts as not sent. */
async function orUnsent(result: Promise<TokenResult>): Promise<TokenResult> {
  try {
    return await result;
  } catch (cause) {
    throw new PlatformError('tokenGet', {outcome: 'unsent', retryAfterMs: UNREACHED_DELAY_MS}, {cause});
  }
}

export interface TokenSource {
  /**
   * Returns the current token. If the token is known, returns it without a promise, so that the caller needs no timer.
   */
  current(): string | Promise<string>;
  /** Returns a token that is newer than `stale`. */
  renew(stale: string): Promise<string>;
}
