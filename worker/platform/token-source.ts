/** This isolate's cache of the platform token. It calls the `Token` object only when the cache is empty or stale. */

import {PlatformError} from './failure.ts';

export type TokenResult =
  | {readonly token: string}
  /** No token is available now; a request before `retryAfterMs` has passed does not help. */
  | {readonly retryAfterMs: number};

/** The methods of the `Token` object that this file calls. */
interface TokenObject {
  current(): Promise<TokenResult>;
  renew(stale: string): Promise<TokenResult>;
}

export class CachedToken implements TokenSource {
  #token: string | undefined;

  constructor(private readonly tokenObject: () => TokenObject) {}

  async current(): Promise<string> {
    return this.#token ?? this.#cache(await orUnsent(this.tokenObject().current()));
  }

  async renew(stale: string): Promise<string> {
    if (this.#token !== undefined && this.#token !== stale) return this.#token;
    return this.#cache(await orUnsent(this.tokenObject().renew(stale)));
  }

  #cache(result: TokenResult): string {
    // However the request for a token failed, the call that needs it was not sent.
    if ('retryAfterMs' in result) throw new PlatformError('tokenGet', {outcome: 'unsent', ...result});
    return (this.#token = result.token);
  }
}

const UNREACHED_DELAY_MS = 1_000;

/** The runtime may move or restart the object while it answers. The call that needs the token was then not sent. */
async function orUnsent(result: Promise<TokenResult>): Promise<TokenResult> {
  try {
    return await result;
  } catch (cause) {
    throw new PlatformError('tokenGet', {outcome: 'unsent', retryAfterMs: UNREACHED_DELAY_MS}, {cause});
  }
}

export interface TokenSource {
  /** The current token. */
  current(): Promise<string>;
  /** A token newer than `stale`. */
  renew(stale: string): Promise<string>;
}
