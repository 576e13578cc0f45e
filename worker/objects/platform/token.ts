import type {Context} from '../../context.ts';
import {digest} from '../../lib/crypto.ts';
import {MINUTE_MS, SECOND_MS} from '../../lib/durations.ts';
import {log} from '../../lib/log.ts';
import {retryDelayMs} from '../../lib/retry.ts';
import {failureOf, isBroken, retryAfterMsOf} from '../../platform/failure.ts';
import {tokenKey} from '../../platform/keys.ts';
import type {TokenResult} from '../../platform/token-source.ts';
import {NO_TABLES, type StoreSchema} from '../migrations.ts';
import type {ObjectStorage} from '../object-storage.ts';

interface StoredRefusal {
  readonly status: string;
  /** How many times in a row the platform refused the key. */
  readonly times: number;
  /** Until when no token is requested with this key, epoch milliseconds. */
  readonly until: number;
  /** Digest of the key that was refused. */
  readonly key: string;
}

/** Retry delay while the platform fails. */
const TROUBLE_DELAY_MS = 5_000;
/** The delays after refusals of our key. */
const REFUSAL_RETRY = {firstMs: 2 * SECOND_MS, maxMs: 5 * MINUTE_MS};
/**
 * If the Worker needs more tokens than this in the window, the platform seems to refuse the tokens that it has issued.
 * The Worker then waits.
 */
const MAX_ISSUED = 5;
const ISSUED_WINDOW_MS = 30_000;

/** How long a failed request counts as trouble. */
const TROUBLE_MS = 5 * MINUTE_MS;

/** Why there is possibly no token. */
export interface TokenProblems {
  /** The status with which the platform refuses the Worker a token; null while the platform does not refuse. */
  readonly refusal: string | null;
  /** Whether the last request failed in the last five minutes, because of the platform or the network. */
  readonly isUnreachable: boolean;
}

export const TOKEN: StoreSchema = {name: 'token', createdOn: 'wake', steps: [NO_TABLES]};

/**
 * The platform token that all isolates share. Concurrent callers share one request. The token survives restarts. A
 * token is requested only if no token is stored, or if the caller's stale token is the stored token.
 */
export class Token {
  #issuing: Promise<TokenResult> | undefined;
  #issuedAt: number[] = [];

  constructor(
    private readonly storage: ObjectStorage,
    private readonly context: () => Context,
  ) {}

  current(): Promise<TokenResult> {
    const token = this.#stored();
    return token === undefined ? this.#issue() : Promise.resolve({token});
  }

  /** Returns a token newer than `stale`. */
  renew(stale: string): Promise<TokenResult> {
    const token = this.#stored();
    return token === undefined || token === stale ? this.#issue() : Promise.resolve({token});
  }

  /** Stores a new token. If the doctor requested it, this request has ended the stored token on some platforms. */
  replace(token: string): void {
    this.storage.kv.put('token', token);
    this.storage.kv.delete('refused');
    this.storage.kv.delete('failedAt');
  }

  problems(): TokenProblems {
    const failedAt = this.storage.kv.get<number>('failedAt') ?? -Infinity;
    return {refusal: this.#refused()?.status ?? null, isUnreachable: failedAt > Date.now() - TROUBLE_MS};
  }

  /**
   * The last refusal of our key, with the delay that follows it. The refusal is stored, so that the delay also applies
   * after the object has slept. Until the delay ends, the platform would refuse the key again.
   */
  #refused(): StoredRefusal | undefined {
    return this.storage.kv.get<StoredRefusal>('refused');
  }

  #stored(): string | undefined {
    return this.storage.kv.get<string>('token');
  }

  async #issue(): Promise<TokenResult> {
    const refused = this.#refused();
    const delayMs = (refused?.until ?? 0) - Date.now();
    // If the operator has changed the key since the refusal, the new key may be correct: try it immediately.
    if (delayMs > 0 && refused?.key === (await this.#keyDigest())) return {retryAfterMs: delayMs};
    if (!this.#issuing && this.#issuedAt.filter((at) => at > Date.now() - ISSUED_WINDOW_MS).length >= MAX_ISSUED) {
      return {retryAfterMs: await this.#backOff('ERR_016')};
    }
    this.#issuing ??= this.#requestToken().finally(() => (this.#issuing = undefined));
    return this.#issuing;
  }

  async #requestToken(): Promise<TokenResult> {
    const {
      config: {merchant},
      platform,
    } = this.context();
    try {
      const {token} = await platform.call('tokenGet', {merchant: merchant.id, key: await tokenKey(merchant)});
      this.replace(token);
      this.#issuedAt = [...this.#issuedAt, Date.now()].slice(-MAX_ISSUED);
      log('info', 'token_issued');
      return {token};
    } catch (error) {
      const failure = failureOf(error);
      if (failure.outcome === 'refused' && !isBroken(failure)) {
        this.storage.kv.delete('failedAt');
        return {retryAfterMs: await this.#backOff(failure.status, retryAfterMsOf(failure))};
      }
      this.storage.kv.put('failedAt', Date.now());
      return {retryAfterMs: failure.outcome === 'unsent' ? failure.retryAfterMs : TROUBLE_DELAY_MS};
    }
  }

  /** Stores the refusal of our key or, with the status 429, of too many calls. @returns the delay until the next request, in milliseconds. */
  async #backOff(status: string, retryAfterMs: number | null = null): Promise<number> {
    const key = await this.#keyDigest();
    const times = (this.#refused()?.times ?? 0) + 1;
    const delayMs = retryAfterMs ?? retryDelayMs(REFUSAL_RETRY, times);
    this.storage.kv.put<StoredRefusal>('refused', {status, times, until: Date.now() + delayMs, key});
    log('error', 'token_refused', {platform_status: status, retry_in_ms: delayMs});
    return delayMs;
  }

  /** A digest of our key. It shows whether the key was changed, without storing the key. */
  async #keyDigest(): Promise<string> {
    return digest('SHA-256', await tokenKey(this.context().config.merchant));
  }
}
