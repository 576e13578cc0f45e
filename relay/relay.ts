/**
 * Handles signed requests: forwards admitted envelopes and reports their outcome. It does not depend on the HTTP
 * server.
 */

import {Admission} from './admission.ts';
import type {Config} from './config.ts';
import {forward, sourceAddressesFor, resolvePath} from './forward.ts';
import {log} from './log.ts';
import {
  type Envelope,
  readEnvelope,
  readStamp,
  type ForwardReply,
  encodeRelayInfo,
  encodeForwardReply,
  type Key,
  type Purpose,
  sign,
  findSigner,
} from './protocol.ts';

/** Why a request gets no signed reply: no known key signed it, or it is malformed. */
export type RequestRejection = 'signature' | 'malformed';

export interface SignedReply {
  readonly bytes: Buffer;
  readonly signature: string;
}

/** Maximum number of bytes in memory for the answers to all calls together. */
const MAX_BUFFERED_BYTES = 64_000_000;
const RETRY_AFTER_UNSENT_MS = 2_000;
const RETRY_AFTER_BUSY_MS = 1_000;
/** The delay before a retry is long, because only an operator can correct the configuration. */
const RETRY_AFTER_MISCONFIGURED_MS = 60_000;

export class Relay {
  readonly #config: Config;
  readonly #now: () => number;
  readonly #startedAt: number;
  readonly #admission: Admission;
  #running = 0;
  #bufferedBytes = 0;

  /** @param now - Epoch milliseconds. */
  constructor(config: Config, now: () => number = Date.now) {
    this.#config = config;
    this.#now = now;
    this.#startedAt = now();
    this.#admission = new Admission(now);
  }

  /** Forwards an envelope and reports the outcome. @param callerGone - Aborts when the caller disconnects. */
  async forward(bytes: Buffer, signatures: string, callerGone: AbortSignal): Promise<SignedReply | RequestRejection> {
    const key = findSigner(signatures, this.#config.keys, 'forward', bytes);
    if (!key) return 'signature';
    const envelope = readEnvelope(bytes);
    if (!envelope) return 'malformed';
    const refusal = this.#admission.admit(envelope);
    const reply: ForwardReply = refusal
      ? {
          outcome: 'unknown',
          reason: refusal,
          ...(refusal === 'started_since' && {retryAfterMs: this.#admission.startDelayMs(envelope)}),
        }
      : await this.#send(envelope, callerGone);
    if (refusal) log('refused', {reason: refusal});
    return signReply(key, envelope.nonce, encodeForwardReply(reply));
  }

  /** Reports the addresses from which calls are sent, and the relay's clock. Repeated requests are harmless. */
  async info(bytes: Buffer, signatures: string): Promise<SignedReply | RequestRejection> {
    const key = findSigner(signatures, this.#config.keys, 'about', bytes);
    if (!key) return 'signature';
    const stamp = readStamp(bytes);
    if (!stamp) return 'malformed';
    const {sourceAddress, publicAddress, baseUrls} = this.#config;
    const sources = sourceAddress === null ? await sourceAddressesFor(baseUrls.values()) : [sourceAddress];
    return signReply(
      key,
      stamp.nonce,
      encodeRelayInfo({now: this.#now(), startedAt: this.#startedAt, sources, address: publicAddress}),
    );
  }

  async #send(
    {base, method, path, headers, body, deadlineMs, maxReplyBytes}: Envelope,
    callerGone: AbortSignal,
  ): Promise<ForwardReply> {
    const baseUrl = this.#config.baseUrls.get(base);
    const url = baseUrl && resolvePath(baseUrl, path);
    if (!url) return refuse(base, baseUrl ? 'address' : 'base');
    if (!Object.keys(headers).every((name) => this.#config.headers.has(name))) return refuse(base, 'header');
    if (this.#running >= this.#config.concurrency) return refuse(base, 'busy', RETRY_AFTER_BUSY_MS);
    this.#running += 1;
    let bufferedBytes = 0;
    const acceptBytes = (count: number) => {
      bufferedBytes += count;
      this.#bufferedBytes += count;
      return bufferedBytes <= maxReplyBytes && this.#bufferedBytes <= MAX_BUFFERED_BYTES;
    };
    const startedAt = performance.now();
    try {
      const result = await forward({
        url,
        method,
        headers,
        body,
        deadlineMs,
        acceptBytes,
        sourceAddress: this.#config.sourceAddress,
        callerGone,
      });
      const logFields = {
        base,
        method,
        outcome: result.outcome,
        duration_ms: Math.round(performance.now() - startedAt),
      };
      switch (result.outcome) {
        case 'answered':
          log('forwarded', {...logFields, status: result.status});
          return result;
        case 'unknown':
          log('forwarded', {...logFields, reason: result.reason});
          return result;
        case 'unsent':
          log('forwarded', {...logFields, reason: result.reason, ...(result.code && {error: result.code})});
          return {outcome: 'unsent', reason: result.reason, retryAfterMs: RETRY_AFTER_UNSENT_MS};
      }
    } finally {
      this.#running -= 1;
      this.#bufferedBytes -= bufferedBytes;
    }
  }
}

function refuse(
  base: string,
  reason: 'busy' | 'address' | 'header' | 'base',
  retryAfterMs = RETRY_AFTER_MISCONFIGURED_MS,
): ForwardReply {
  log('refused', {base, reason});
  return {outcome: 'unsent', reason, retryAfterMs};
}

function signReply(key: Key, nonce: string, bytes: Buffer): SignedReply {
  const purpose: Purpose = `reply ${nonce}`;
  return {bytes, signature: sign(key, purpose, bytes)};
}
