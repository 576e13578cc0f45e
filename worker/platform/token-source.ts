/** The platform token as this isolate knows it: the `Token` object is asked only when nothing is remembered. */

import {PlatformError} from './failure.ts';

export type TokenResult =
  | {readonly token: string}
  /** There is none now; asking before then does not help. */
  | {readonly retryAfterMs: number};

/** What the `Token` object is asked. */
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
    // Without a token nothing was sent, whatever became of the question for one.
    if ('retryAfterMs' in result) throw new PlatformError('tokenGet', {outcome: 'unsent', ...result});
    return (this.#token = result.token);
  }
}

const UNREACHED_DELAY_MS = 1_000;

/** An object may be moved or begun anew in the middle of an answer. Nothing was sent to the platform then. */
async function orUnsent(result: Promise<TokenResult>): Promise<TokenResult> {
  try {
    return await result;
  } catch (cause) {
    throw new PlatformError('tokenGet', {outcome: 'unsent', retryAfterMs: UNREACHED_DELAY_MS}, {cause});
  }
}

/** Where tokens come from. */
export interface TokenSource {
  current(): Promise<string>;
  /** A token newer than `stale`. */
  renew(stale: string): Promise<string>;
}
