/**
 * The way to the platform through a relay (`relay/`) on a host whose address it knows. A question is a POST, which no
 * runtime repeats, and carries a nonce, with which the relay would send it only once all the same.
 */

import {EgressError, readBytes, type ReplyBounds} from '../transport.ts';
import {
  type BaseId,
  newStamp,
  type RequestStamp,
  encodeRequest,
  encodeStamp,
  type Purpose,
  SIGNATURE_HEADER,
  SigningKey,
  type RelayInfo,
  decodeReply,
  type RelayReply,
} from './protocol.ts';

export interface RelayOptions {
  /** The relay's address. */
  readonly url: string;
  /** The current secret first. Questions are signed with each: whichever the relay knows, it answers with. */
  readonly secrets: readonly string[];
  /** The platform's addresses, by the name the relay has for them. */
  readonly bases: ReadonlyMap<BaseId, string>;
  readonly fetch: typeof fetch;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** What the relay needs to answer in time: its word that nothing was sent is worth more than our running out of patience. */
const RETURN_MARGIN_MS = 300;
/** The line before an answer. */
const MAX_HEAD_BYTES = 16_384;

export class RelayClient {
  readonly #options: RelayOptions;
  readonly #bases: readonly (readonly [id: BaseId, address: string])[];
  #keys: Promise<SigningKey[]> | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    // As a request has them.
    this.#bases = [...options.bases].map(([id, address]) => [id, new URL(address).href.replace(/\/$/, '')]);
  }

  /** Sends a request by the relay. @throws {EgressError} where it was not sent, or nobody knows. */
  async fetch(url: string, {timeoutMs, maxReplyBytes, ...init}: RequestInit & ReplyBounds): Promise<Response> {
    const request = new Request(url, init);
    const {base, path} = this.#locate(request.url);
    const stamp = newStamp(this.#options.now());
    const bytes = encodeRequest(stamp, {
      deadlineMs: Math.ceil(Math.max(timeoutMs - RETURN_MARGIN_MS, timeoutMs / 2)),
      maxReplyBytes,
      base,
      method: request.method,
      path,
      headers: Object.fromEntries(request.headers),
      body: await request.text(),
    });
    const {head, body} = await this.#post('forward', stamp, bytes, maxReplyBytes, init.signal);
    switch (head.outcome) {
      case 'answered':
        return new Response(body.length > 0 ? body : null, {status: head.status, headers: head.headers});
      case 'unsent':
        throw new EgressError(
          {outcome: 'unsent', retryAfterMs: head.retry_after_ms, tried: true},
          `relay: ${head.reason}`,
        );
      case 'unknown':
        throw new EgressError({outcome: 'unknown', fault: faultOf(head.reason)}, `relay: ${head.reason}`);
      case 'about':
        throw unsignedReply();
    }
  }

  /** What the relay says of itself. @throws {EgressError} where no relay with our secret answers. */
  async about(signal: AbortSignal): Promise<RelayInfo> {
    const stamp = newStamp(this.#options.now());
    const {head} = await this.#post('about', stamp, encodeStamp(stamp), 0, signal);
    if (head.outcome !== 'about') throw unsignedReply();
    return head;
  }

  #locate(url: string): {base: BaseId; path: string} {
    for (const [base, address] of this.#bases) {
      if (url === address || url.startsWith(`${address}/`) || url.startsWith(`${address}?`))
        return {base, path: url.slice(address.length)};
    }
    throw new TypeError('An address that is not the platform’s');
  }

  async #post(
    purpose: Purpose & ('forward' | 'about'),
    {nonce}: RequestStamp,
    bytes: Uint8Array,
    maxReplyBytes: number,
    signal?: AbortSignal | null,
  ): Promise<RelayReply> {
    const {url, fetch} = this.#options;
    const keys = await (this.#keys ??= Promise.all(this.#options.secrets.map((secret) => SigningKey.of(secret))));
    const signatures = await Promise.all(keys.map((key) => key.sign(purpose, bytes)));
    const response = await fetch(`${url}/v1/${purpose}`, {
      method: 'POST',
      headers: {'content-type': 'application/octet-stream', [SIGNATURE_HEADER]: signatures.join(' ')},
      body: bytes,
      redirect: 'manual',
      signal: signal ?? null,
    });
    const signature = response.headers.get(SIGNATURE_HEADER) ?? '';
    const answer = await readBytes(response, maxReplyBytes + MAX_HEAD_BYTES);
    const truths = answer
      ? await Promise.all(keys.map((key) => key.verifies(signature, `reply ${nonce}`, answer)))
      : [];
    const verdict = answer && truths.includes(true) ? decodeReply(answer) : null;
    if (!verdict) throw unsignedReply();
    return verdict;
  }
}

/** Whoever answered is not known to be the relay: it may have sent our question on, or not. */
function unsignedReply(): EgressError {
  return new EgressError({outcome: 'unknown', fault: 'connection'}, 'relay: not signed');
}

function faultOf(reason: string): 'timeout' | 'unreadable' | 'connection' {
  if (reason === 'deadline') return 'timeout';
  return reason === 'too_large' ? 'unreadable' : 'connection';
}
